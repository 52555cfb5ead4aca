import Concerts
import Connections
import Contracts
import Logging
import Model
import Storage
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Workers

/// People, by their names, who wait for one lookup, and a Ticketmaster that refuses the keys that a test names.
struct LookupBench: Sendable {
    private static let provider = CredentialProvider.ticketmaster
    private static let jobID = "job"

    /// Keys that sources were made for, and keys that were asked with; `none` for no key.
    let made = Collector<String>()
    let asked = Collector<String>()
    /// In whose names it was asked.
    let people = Collector<String>()
    private let refused = RefusedKeys()
    private let database: Database
    private let folder: TemporaryFolder
    private let vault: CurrentVault
    private let sources: LookupSources

    private final class RefusedKeys: Sendable {
        let keys = Mutex<Set<String>>([])
    }

    private init(
        _ database: Database, _ folder: TemporaryFolder, installationKey: Secret?, dailyShare: Int?
    ) throws {
        self.database = database
        self.folder = folder
        vault = try Self.vault(folder.file("vault.key"))
        sources = LookupSources(
            personal: PersonalKeys(provider: Self.provider, database: database, vault: vault),
            database: database, installationKey: installationKey, dailyShare: dailyShare,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { [made, asked, people, refused] key, isShared in
            let key = key?.reveal() ?? "none"
            made.append(key)
            return { person in
                ConcertSource { _ in
                    asked.append(key)
                    people.append(person ?? "-")
                    if refused.keys.withLock({ $0.contains(key) }) {
                        throw ProviderFailure(.ticketmaster, .keyRefused, message: "")
                    }
                    if isShared, let person, let dailyShare { try await Self.count(person, dailyShare, in: database) }
                    return ConcertSource.Found(events: [], attractions: [])
                }
            }
        }
    }

    /// As the grant of a permit does.
    private static func count(_ person: String, _ dailyShare: Int, in database: Database) async throws {
        let share = CallShare(provider: provider.rawValue, userID: person, limit: dailyShare)
        let taken = try await database.write { try $0.permits.takeShare(share, now: .now()) }
        guard taken != nil else { throw ProviderFailure(.ticketmaster, .shareUsed, message: "") }
    }

    static func run(
        installationKey: String? = "ours", dailyShare: Int? = nil, _ body: (LookupBench) async throws -> Void
    ) async throws {
        try await withDatabase { database, folder in
            try await body(
                LookupBench(
                    database, folder, installationKey: installationKey.map { Secret($0) }, dailyShare: dailyShare))
        }
    }

    private static func vault(_ path: String) throws -> CurrentVault {
        let file = VaultKeyFile(path: path)
        _ = try file.make()
        return CurrentVault(keyFile: file)
    }

    // MARK: What people do

    /// Somebody whose id is the name.
    func add(_ name: String) async throws {
        try await database.write { try $0.insertPerson(id: name, name: name) }
    }

    func enter(_ key: String, of userID: String, sealedElsewhere: Bool = false) async throws {
        let vault = sealedElsewhere ? try Self.vault(folder.file("other.key")) : vault
        try await database.write { transaction in
            try transaction.vault.putSecret(
                Secret(key), as: SecretName(userID: userID, provider: Self.provider, field: SecretField.apiKey),
                by: vault, now: .now())
            try transaction.connections.handle(.accepted, userID: userID, provider: Self.provider, now: .now())
        }
    }

    /// Begins a search that waits for the lookup.
    func search(_ userID: String) async throws {
        try await database.write { transaction in
            _ = try ConcertSearches(freshness: .seconds(3_600)).begin(
                [RankedArtist(id: "air", name: "Air", rank: 1)], homeCity: nil, userID: userID, in: transaction
            ) { _ in Self.jobID }
        }
    }

    // MARK: The lookup

    /// Ticketmaster takes these keys no more.
    func refuse(_ keys: String...) {
        refused.keys.withLock { $0.formUnion(keys) }
    }

    /// Makes a call for the lookup, and fails those of its waiters whose key turns out to be refused.
    func lookUp() async throws {
        let (source, refused) = try await sources.source(forJob: Self.jobID, person: "asker")
        _ = try await source.eventsByKeyword("Air")
        try await database.write { try refused.fail(jobID: Self.jobID, in: $0) }
    }

    // MARK: What is there

    /// The state of somebody's connection, and the reason.
    func connection(of userID: String) async throws -> String {
        let record = try await database.read {
            try $0.connections.record(userID: userID, provider: Self.provider.rawValue)
        }
        return [record?.state, record?.reason].compactMap(\.self).joined(separator: " ")
    }

    /// What somebody's last search knows: `waiting`, or its status and warning.
    func outcome(of userID: String) async throws -> String {
        try await database.read { reader in
            let row = try #require(
                try reader.row(
                    """
                    SELECT status, warning_code FROM concert_search_subjects
                        JOIN concert_searches ON concert_searches.id = search_id
                    WHERE user_id = \(userID) ORDER BY search_id DESC LIMIT 1
                    """))
            let (status, code): (String?, String?) = (try row["status"], try row["warning_code"])
            return [status ?? "waiting", code].compactMap(\.self).joined(separator: " ")
        }
    }
}

extension ConcertSource {
    /// Answers every kind of call alike.
    fileprivate init(_ answer: @escaping @Sendable (String) async throws -> Found) {
        self.init(
            eventsByKeyword: answer, eventsByAttractions: { ids, _ in try await answer(ids.joined(separator: ",")) },
            attractions: { name in try await answer(name).attractions }, eventsInCity: answer,
            eventsNear: { point, _ in try await answer("\(point)") })
    }
}
