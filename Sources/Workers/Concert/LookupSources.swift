import Bootstrap
import Concerts
import Connections
import Contracts
import Logging
import Model
import Storage
import Synchronization
import Telemetry
import Ticketmaster
import Upstream
import Vault

/// Whom each lookup asks Ticketmaster as: the people who wait for it, by their own keys, and then the installation.
package struct LookupSources: Sendable {
    private let personal: PersonalKeys
    private let sources: SourcesByKey
    private let installationKey: Secret?
    private let logger: Logger

    package init(process: WorkerProcess, runtime: UpstreamRuntime) throws {
        let calls = try process.upstreamCalls(
            .ticketmaster, runtime: runtime, classify: { TicketmasterClient.classify($0) },
            quotaReset: { TicketmasterClient.quotaReset($0) })
        self.init(
            personal: PersonalKeys(provider: .ticketmaster, database: process.database, vault: process.vault),
            installationKey: process.configuration.ticketmaster.apiKey, logger: process.logger
        ) { key in
            func client(_ policy: RetryPolicy) -> TicketmasterClient {
                TicketmasterClient(key: key, send: calls(key, policy).send)
            }
            return ConcertSource.ticketmaster(
                client(RetryPolicy()), onceClient: client(RetryPolicy(maximumAttempts: 1, patience: .seconds(15))))
        }
    }

    /// - Parameters:
    ///   - installationKey: `nil` without one; then Ticketmaster is asked without a key if nobody who waits has one.
    ///   - source: asks with a key; it is made once for each.
    init(
        personal: PersonalKeys, installationKey: Secret?, logger: Logger,
        source: @escaping @Sendable (_ key: Secret?) -> ConcertSource
    ) {
        self.personal = personal
        self.installationKey = installationKey
        self.logger = logger
        sources = SourcesByKey(make: source)
    }

    /// The source of one lookup, and who of its waiters turn out to have a key that is refused.
    func source(forJob jobID: String) async throws -> (source: ConcertSource, refused: RefusedWaiters) {
        let (keys, known) = try await personal.keys { reader in
            let people = reader.connections.people(withProvider: CredentialProvider.ticketmaster.rawValue)
            return try reader.concerts.waiters(jobID: jobID, among: people)
        } onTrouble: { error in
            logger.warning("a person's Ticketmaster key cannot be used", metadata: ["error": "\(error)"])
        }
        let refused = RefusedWaiters(known)
        var keyed = keys.map { key in
            ConcertSource.Keyed({ [sources] in sources.source(key.secret) }) { [personal, logger] in
                refused.insert(key.userID)
                do {
                    try await personal.refused(key)
                    logger.notice(
                        "Ticketmaster refuses a person's key; the next one's is asked with",
                        metadata: ["owner": "\(UserPseudonym.of(key.userID))"])
                } catch {
                    logger.warning("a refused key could not be marked", metadata: ["error": "\(error)"])
                }
            }
        }
        if installationKey != nil || keyed.isEmpty {
            keyed.append(ConcertSource.Keyed { [sources, installationKey] in sources.source(installationKey) })
        }
        return (.taking(keyed), refused)
    }
}

/// People who wait for a lookup with a key that Ticketmaster refuses.
final class RefusedWaiters: Sendable {
    private let users: Mutex<Set<String>>

    /// - Parameter known: of whom that is known from before.
    init(_ known: [String]) {
        users = Mutex(Set(known))
    }

    func insert(_ userID: String) {
        users.withLock { _ = $0.insert(userID) }
    }

    /// They fail alone, before the answer is stored: what the next waiter's key brought is the others'. The shows
    /// that are known by then are theirs to see all the same.
    func fail(jobID: String, in transaction: WriteTransaction) throws {
        for userID in users.withLock({ $0 }).sorted() {
            try ConcertSearches.failWaiter(userID, of: jobID, with: .ticketmasterKeyInvalid, in: transaction)
        }
    }
}

/// One source for each key, so that lookups with the same key share their calls.
private final class SourcesByKey: Sendable {
    /// Of sources that are kept; they are cheap to make anew.
    private static let capacity = 256

    private let known = Mutex<[String: ConcertSource]>([:])
    private let make: @Sendable (Secret?) -> ConcertSource

    init(make: @escaping @Sendable (Secret?) -> ConcertSource) {
        self.make = make
    }

    func source(_ key: Secret?) -> ConcertSource {
        let name = PermitKey(provider: UpstreamName.ticketmaster.rawValue, credential: key).description
        return known.withLock { known in
            if let source = known[name] { return source }
            if known.count >= Self.capacity { known.removeAll() }
            let source = make(key)
            known[name] = source
            return source
        }
    }
}
