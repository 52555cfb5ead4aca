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

/// Whom each lookup asks Ticketmaster as: the people who wait for it, by their own keys, and then the installation, with
/// whose key each call counts for one of them.
package struct LookupSources: Sendable {
    private let personal: PersonalKeys
    private let sources: SourcesByKey
    private let database: Database
    private let installationKey: Secret?
    private let dailyShare: Int?
    private let logger: Logger

    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    init(_ process: WorkerProcess) throws {
        let provider = try process.providers.ticketmaster()
        let once = RetryPolicy(maximumAttempts: 1, patience: .seconds(15))
        self.init(
            personal: PersonalKeys(provider: .ticketmaster, database: process.database, vault: process.vault),
            database: process.database, installationKey: process.configuration.ticketmaster.apiKey,
            dailyShare: process.configuration.ticketmaster.dailyShare, logger: process.logger
        ) { key, isShared in
            ConcertSource.ticketmaster(
                provider.client(key: key, isShared: isShared),
                onceClient: provider.client(key: key, isShared: isShared, once))
        }
    }

    /// - Parameters:
    ///   - installationKey: `nil` without one; then Ticketmaster is asked without a key if nobody who waits has one.
    ///   - dailyShare: the most calls with the installation's key that count for one person on a day; `nil` for any
    ///     number.
    ///   - sources: ask with a key, the installation's or a person's; they are made once for each.
    init(
        personal: PersonalKeys, database: Database, installationKey: Secret?, dailyShare: Int?, logger: Logger,
        sources: @escaping @Sendable (_ key: Secret?, _ isShared: Bool) -> ConcertSource.ByPerson
    ) {
        self.personal = personal
        self.database = database
        self.installationKey = installationKey
        self.dailyShare = dailyShare
        self.logger = logger
        self.sources = SourcesByKey(make: sources)
    }

    /// The source of one lookup, and who of its waiters turn out to have a key that is refused.
    ///
    /// - Parameter person: whom the lookup is for.
    func source(
        forJob jobID: String, person: String
    ) async throws -> (source: ConcertSource, refused: RefusedWaiters) {
        let (keys, known) = try await personal.keys { reader in
            let people = reader.connections.people(withProvider: CredentialProvider.ticketmaster.rawValue)
            return try reader.concerts.waiters(jobID: jobID, among: people)
        } onTrouble: { error in
            logger.warning("a person's Ticketmaster key cannot be used", metadata: ["error": "\(error)"])
        }
        let refused = RefusedWaiters(known)
        var keyed = keys.map { key in
            ConcertSource.Keyed({ [sources] in sources.source(key.secret, isShared: false)(person) }) {
                [personal, logger] in
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
            keyed.append(ConcertSource.Keyed { installationSource(forJob: jobID, person: person) })
        }
        return (.taking(keyed), refused)
    }

    private func installationSource(forJob jobID: String, person: String) -> ConcertSource {
        let byPerson = sources.source(installationKey, isShared: true)
        guard installationKey != nil, let dailyShare else { return byPerson(person) }
        return .counting(for: { try await payer(ofJob: jobID, person: person, dailyShare: dailyShare) }, byPerson)
    }

    /// For whom a lookup's next call counts: of the people who wait for it and have some of their share left, the one
    /// who has waited longest.
    ///
    /// - Throws: ``ProviderFailure`` when nobody has.
    private func payer(ofJob jobID: String, person: String, dailyShare: Int) async throws -> String {
        let now = Timestamp.now()
        return try await database.read { reader in
            let usedUp = PermitStore<ReadTransaction>.peopleWithoutShare(
                provider: UpstreamName.ticketmaster.rawValue, limit: dailyShare, now: now)
            if let payer = try reader.concerts.firstWaiter(jobID: jobID, without: usedUp) { return payer }
            guard try reader.concerts.firstWaiter(jobID: jobID) != nil else {
                // They have just stopped waiting, and the lookup will be stopped.
                return person
            }
            throw ProviderFailure(UpstreamError.shareUsed(until: CallShare.end(ofDayOf: now)), of: .ticketmaster)
        }
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

/// The sources of each key, made once, so that lookups with the same key share their calls.
private final class SourcesByKey: Sendable {
    /// Of sources that are kept; they are cheap to make anew.
    private static let capacity = 256

    private let known = Mutex<[String: ConcertSource.ByPerson]>([:])
    private let make: @Sendable (Secret?, _ isShared: Bool) -> ConcertSource.ByPerson

    init(make: @escaping @Sendable (Secret?, _ isShared: Bool) -> ConcertSource.ByPerson) {
        self.make = make
    }

    /// - Parameter isShared: whether it is the installation's. Somebody may have entered the same as their own.
    func source(_ key: Secret?, isShared: Bool) -> ConcertSource.ByPerson {
        let name = PermitKey(provider: UpstreamName.ticketmaster.rawValue, credential: key).description
        return known.withLock { known in
            let place = isShared ? "shared \(name)" : name
            if let source = known[place] { return source }
            if known.count >= Self.capacity { known.removeAll() }
            let source = make(key, isShared)
            known[place] = source
            return source
        }
    }
}
