import Bootstrap
import Concerts
import Contracts
import Connections
import Logging
import Model
import Storage
import Synchronization
import Ticketmaster
import Upstream
import Vault
import Workers

/// Makes the ``LookupSource`` of each lookup in this process. Lookups that use the same key share its calls.
struct LookupSources: Sendable {
    /// Asks Ticketmaster with one key, in the name of a person.
    typealias Ask = @Sendable (_ query: ConcertQuery, _ person: String?) async throws -> ConcertQueryResult

    let personal: PersonalKeys
    let database: Database
    let dailyShare: Int?
    let logger: Logger
    private let installationKey: Secret?
    private let asks: AsksByKey
    private let backgroundAsks: AsksByKey
    /// How many people's keys a lookup may use for which nobody waits.
    private static let watchersKeys = 3

    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    init(_ process: WorkerProcess) throws {
        let provider = try process.providers.ticketmaster()
        let once = RetryPolicy(maximumAttempts: 1, waitLimit: .seconds(15))
        self.init(
            personal: PersonalKeys(provider: .ticketmaster, database: process.database, vault: process.vault),
            database: process.database, installationKey: process.configuration.ticketmaster.apiKey,
            dailyShare: process.configuration.ticketmaster.dailyShare, logger: process.logger
        ) { key, isShared in
            Self.ask(provider, key, isShared: isShared, once: once, urgency: .interactive)
        } makeBackgroundAsk: { key, isShared in
            Self.ask(provider, key, isShared: isShared, once: once, urgency: .background)
        }
    }

    private static func ask(
        _ provider: TicketmasterProvider, _ key: Secret?, isShared: Bool, once: RetryPolicy,
        urgency: UpstreamRequest.Urgency
    ) -> Ask {
        let source = TicketmasterSource(
            provider.client(key: key, isShared: isShared, urgency: urgency),
            once: provider.client(key: key, isShared: isShared, urgency: urgency, once))
        return { query, person in try await source.find(query, for: person) }
    }

    /// - Parameters:
    ///   - installationKey: if it is `nil`, Ticketmaster is called without a key when nobody who waits has one.
    ///   - dailyShare: the most calls a day with the installation's key that count for one person; `nil` sets no limit.
    ///   - makeAsk: called once for each key. `isShared` is `true` for the installation's key, `false` for a person's.
    ///   - makeBackgroundAsk: the same for lookups for which nobody waits; without it, they are like the others.
    init(
        personal: PersonalKeys, database: Database, installationKey: Secret?, dailyShare: Int?, logger: Logger,
        makeAsk: @escaping @Sendable (_ key: Secret?, _ isShared: Bool) -> Ask,
        makeBackgroundAsk: (@Sendable (_ key: Secret?, _ isShared: Bool) -> Ask)? = nil
    ) {
        self.personal = personal
        self.database = database
        self.installationKey = installationKey
        self.dailyShare = dailyShare
        self.logger = logger
        asks = AsksByKey(make: makeAsk)
        backgroundAsks = makeBackgroundAsk.map { AsksByKey(make: $0) } ?? asks
    }

    /// - Parameters:
    ///   - person: the person under whom the lookup queues.
    ///   - subjects: the keys of what is looked up. If nobody waits, the keys of people who watch it may be used.
    /// - Throws: ``StorageError``.
    func source(forJob jobID: String, person: String, subjects: [String] = []) async throws -> LookupSource {
        let isAwaited = try await database.read { try $0.concerts.firstWaiter(jobID: jobID) != nil }
        let isBackground = !isAwaited && !subjects.isEmpty
        let (personalKeys, refused) = try await personal.keys { reader in
            let people = reader.connections.people(withProvider: Provider.ticketmaster.rawValue)
            return isBackground
                ? try reader.concerts.watchers(ofSubjects: subjects, among: people, limit: Self.watchersKeys)
                : try reader.concerts.waiters(jobID: jobID, among: people)
        } onTrouble: { error in
            logger.warning(
                "a person's Ticketmaster key cannot be opened; lookups are made without it",
                metadata: ["error": "\(error)"])
        }
        var keys = personalKeys.map { LookupSource.Key.personal($0) }
        // People's own keys are for what they ask for. They refresh only what nobody else's key can.
        if isBackground, installationKey != nil { keys = [] }
        if installationKey != nil || keys.isEmpty { keys.append(.installation(installationKey)) }
        return LookupSource(
            jobID: jobID, person: person, keys: keys, refusedPeople: isBackground ? [] : refused,
            isBackground: isBackground, environment: self)
    }

    /// - Parameter isShared: whether the key is used as the installation's key. A person may have entered the same key.
    func ask(_ key: Secret?, isShared: Bool, isBackground: Bool = false) -> Ask {
        (isBackground ? backgroundAsks : asks).ask(key, isShared: isShared)
    }
}

/// One ``LookupSources/Ask`` for each key, so that lookups with the same key share their calls.
private final class AsksByKey: Sendable {
    /// The most that are cached. Making one again costs little.
    private static let capacity = 256

    private let known = Mutex<[String: LookupSources.Ask]>([:])
    private let make: @Sendable (Secret?, _ isShared: Bool) -> LookupSources.Ask

    init(make: @escaping @Sendable (Secret?, _ isShared: Bool) -> LookupSources.Ask) {
        self.make = make
    }

    func ask(_ key: Secret?, isShared: Bool) -> LookupSources.Ask {
        let permitKey = PermitKey(provider: UpstreamName.ticketmaster.rawValue, credential: key).description
        let name = isShared ? "shared \(permitKey)" : permitKey
        return known.withLock { known in
            if let ask = known[name] { return ask }
            if known.count >= Self.capacity { known.removeAll() }
            let ask = make(key, isShared)
            known[name] = ask
            return ask
        }
    }
}
