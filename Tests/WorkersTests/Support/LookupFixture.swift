import Concerts
import Contracts
import JobStorage
import Connections
import Logging
import Model
import PermitStorage
import Storage
import Synchronization
import TestSupport
import Testing
import Vault

@testable import ConcertsWorker

/// People who wait for one lookup, and a Ticketmaster whose answer for each key is set by the test.
struct LookupFixture: Sendable {
    private static let provider = Provider.ticketmaster

    /// Answers a call; with `nil` the call is answered without events and counts for its person.
    typealias Answer = @Sendable () async throws -> ConcertQueryResult?

    /// The keys for which calls were set up; `none` is a call without a key.
    let made = Collector<String>()
    /// The keys of the calls.
    let asked = Collector<String>()
    /// The people for whom the calls counted.
    let people = Collector<String>()
    private let answers = Answers()
    private let database: Database
    private let folder: TemporaryFolder
    private let vault: CurrentVault
    private let sources: LookupSources

    private final class Answers: Sendable {
        let byKey = Mutex<[String: Answer]>([:])
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
            logger: .silent
        ) { [made, asked, people, answers] key, isShared in
            let key = key?.reveal() ?? "none"
            made.append(key)
            return { _, person in
                asked.append(key)
                people.append(person ?? "-")
                if let answer = answers.byKey.withLock({ $0[key] }), let found = try await answer() { return found }
                if isShared, let person, let dailyShare { try await Self.count(person, dailyShare, in: database) }
                return ConcertQueryResult(events: [], attractions: [])
            }
        }
    }

    /// Uses up a person's share by one call, as a call of another process would.
    func useUpShare(of person: String) async throws {
        try await Self.count(person, 1, in: database)
    }

    /// Counts a call for a person, as the grant of a permit does.
    private static func count(_ person: String, _ dailyShare: Int, in database: Database) async throws {
        let share = CallShare(provider: provider.rawValue, userID: person, limit: dailyShare)
        let taken = try await database.write { try $0.permits.chargeShare(share, now: .now()) }
        guard taken != nil else { throw ProviderFailure(.ticketmaster, .shareUsed, message: "") }
    }

    static func run(
        installationKey: String? = "ours", dailyShare: Int? = nil, _ body: (LookupFixture) async throws -> Void
    ) async throws {
        try await withDatabase { database, folder in
            try await body(
                LookupFixture(
                    database, folder, installationKey: installationKey.map { Secret($0) }, dailyShare: dailyShare))
        }
    }

    private static func vault(_ path: String) throws -> CurrentVault {
        let file = VaultKeyFile(path: path)
        _ = try file.make()
        return CurrentVault(keyFile: file)
    }

    // MARK: People

    /// Adds a person whose id is the name.
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

    /// Begins a search that waits for the lookup; the first search submits the lookup.
    func search(_ userID: String) async throws {
        try await database.write { transaction in
            let begun = try ConcertSearches(freshness: .seconds(3_600)).begin(
                [RankedArtist(id: "air", name: "Air", rank: 1)], homeCity: nil, userID: userID, in: transaction)
            for lookup in begun.lookups {
                try transaction.jobs.insert(
                    JobInsertion(
                        id: lookup.jobID, userID: SystemUser.id, kind: "concerts.lookup", version: 1, payload: "{}",
                        priority: 10, maximumAttempts: 5, createdAt: .now(), runAt: .now(),
                        onBehalfOf: lookup.userID))
            }
        }
    }

    // MARK: The lookup

    /// Sets how Ticketmaster answers each call with a key from now on.
    func answer(_ key: String, _ answer: @escaping Answer) {
        answers.byKey.withLock { $0[key] = answer }
    }

    /// Makes Ticketmaster refuse these keys from now on.
    func refuse(_ keys: String...) {
        for key in keys {
            answer(key) { throw ProviderFailure(.ticketmaster, .keyRefused, message: "") }
        }
    }

    /// Has people watch the artist, and makes the lookup that refreshes it, for which nobody waits.
    func watch(_ people: String...) async throws {
        try await database.write { transaction in
            let key = ConcertSearches.key(ofArtist: "Air")
            for userID in people {
                try transaction.run(
                    """
                    INSERT INTO concert_watches (user_id, topic, subject_key, part, name)
                    VALUES (\(userID), 'artist:air', \(key), 1, 'Air')
                    """)
            }
            let now = Timestamp.now()
            try transaction.concerts.setLookup(targetKey: key, jobID: "refresh", now: now)
            try transaction.jobs.insert(
                JobInsertion(
                    id: "refresh", userID: SystemUser.id, kind: "concerts.lookup", version: 1, payload: "{}",
                    priority: -10, maximumAttempts: 5, createdAt: now, runAt: now))
        }
    }

    /// Makes a call for a lookup for which nobody waits.
    ///
    /// - Parameter person: the person for whom it is.
    func refresh(for person: String = SystemUser.id) async throws {
        let key = ConcertSearches.key(ofArtist: "Air")
        let source = try await sources.source(forJob: try await jobID(), person: person, subjects: [key])
        _ = try await source.find(.eventsByKeyword("Air"))
    }

    /// The lookup's source, as at the beginning of its run.
    func source() async throws -> LookupSource {
        try await sources.source(forJob: try await jobID(), person: "asker")
    }

    private func jobID() async throws -> String {
        let key = ConcertSearches.key(ofArtist: "Air")
        return try #require(try await database.read { try $0.concerts.target(key: key)?.jobID })
    }

    /// Makes a call for the lookup, and fails the people whose key is refused.
    func lookUp() async throws {
        let source = try await source()
        _ = try await source.find(.eventsByKeyword("Air"))
        try await database.write { try source.failRefusedPeople(in: $0) }
    }

    // MARK: Results

    /// The state of a person's connection, and the reason for it.
    func connection(of userID: String) async throws -> String {
        let record = try await database.read {
            try $0.connections.record(userID: userID, provider: Self.provider.rawValue)
        }
        return [record?.state, record?.reason].compactMap(\.self).joined(separator: " ")
    }

    /// The outcome of a person's last search: `waiting`, or its coverage and warning.
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
