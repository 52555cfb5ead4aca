import Accounts
import Domains
import Model
import Shares
import Storage
import TestSupport
import Timeline
import Visibility

extension [Domain] {
    /// Those whose tables the tests use. An erasure needs the table of users.
    static let tested: [Domain] = [.storage, .visibility, .accounts, .jobs, .timeline, .shares]
}

/// People with numbers, who share songs in a database of their own.
struct SampleShares: Sendable {
    let database: Database
    /// When acts happen.
    static let noon = Timestamp(microseconds: 1_800_000_000_000_000)

    /// Creates a migrated database with people, and runs `body` with it.
    static func run(
        people: Int, visibility: ProfileVisibility = .public, _ body: (SampleShares) async throws -> Void
    ) async throws {
        try await withDatabase(of: .tested) { database, _ in
            database.register([EventSubscriber].shares)
            try await database.write { transaction in
                for number in 0..<people {
                    try transaction.visibility.add(userID: name(number), visibility: visibility)
                }
            }
            try await body(SampleShares(database: database))
        }
    }

    /// The id of a person.
    static func name(_ number: Int) -> String { "person \(number)" }

    static func song(_ title: String = "Eple", spotifyID: String? = nil) throws -> ShareSong {
        let song = ShareSong(
            title: title, artists: ["Röyksopp"], album: "Melody A.M.", durationMs: 216_000, spotifyID: spotifyID)
        guard let song else { throw NoSuchSong() }
        return song
    }

    private struct NoSuchSong: Error {}

    /// A client's id with a number.
    static func clientID(_ number: Int) -> String {
        "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
    }

    static func draft(_ number: Int, message: String? = nil) -> ShareDraft {
        ShareDraft(clientID: clientID(number), song: .track(LibraryID(key: Int64(number) + 1)), message: message)
    }

    @discardableResult
    func share(
        _ draft: ShareDraft, by number: Int, showing song: ShareSong? = nil, zone: String? = nil, now: Timestamp = noon
    ) async throws -> ShareOutcome {
        let song = try song ?? Self.song()
        return try await database.write {
            try $0.shares.share(draft, showing: song, by: Self.name(number), zone: zone, now: now)
        }
    }

    /// Shares a song, and returns the share's id.
    func made(_ number: Int = 0, by person: Int, showing song: ShareSong? = nil) async throws -> ShareID {
        switch try await share(Self.draft(number), by: person, showing: song) {
        case .made(let id), .known(let id), .gone(let id): id
        }
    }

    func takeBack(_ id: ShareID, by number: Int) async throws {
        try await database.write { try $0.shares.takeBack(id, by: Self.name(number), now: Self.noon) }
    }

    /// A share as a person sees it.
    func share(_ id: ShareID, seenBy number: Int) async throws -> Share? {
        try await database.read { reader in
            guard let viewer = try reader.visibility.viewer(userID: Self.name(number)) else { return nil }
            return try reader.shares.share(id, for: viewer, now: Self.noon)
        }
    }

    func react(_ reaction: ShareReaction?, to id: ShareID, by number: Int, now: Timestamp = noon) async throws {
        try await database.write { try $0.shares.react(reaction, to: id, by: Self.name(number), now: now) }
    }

    func thank(_ thanks: Bool, for id: ShareID, by number: Int) async throws {
        try await database.write { try $0.shares.thank(thanks, for: id, by: Self.name(number), now: Self.noon) }
    }

    func follow(_ other: Int, by number: Int) async throws {
        try await between(number, other) { try $0.follow($2, by: $1, now: Self.noon) }
    }

    func block(_ other: Int, by number: Int) async throws {
        try await between(number, other) { try $0.block($2, by: $1, now: Self.noon) }
    }

    func unblock(_ other: Int, by number: Int) async throws {
        try await between(number, other) { try $0.unblock($2, by: $1, now: Self.noon) }
    }

    private func between(
        _ one: Int, _ other: Int,
        _ act: @escaping @Sendable (VisibilityStore<WriteTransaction>, PersonKey, PersonKey) throws -> Bool
    ) async throws {
        try await database.write { transaction in
            guard let own = try transaction.visibility.key(ofUser: Self.name(one)),
                let their = try transaction.visibility.key(ofUser: Self.name(other))
            else { return }
            _ = try act(transaction.visibility, own, their)
        }
    }

    /// Erases a person, as the gateway does in several transactions.
    func erase(_ number: Int) async throws {
        try await database.write { try $0.visibility.close(userID: Self.name(number)) }
        _ = try await PersonalTables(of: .tested).eraseRows(
            of: Self.name(number), in: database, by: SteppedWrites(database, checkpoints: true))
    }

    func setVisibility(_ visibility: ProfileVisibility, of number: Int) async throws {
        try await database.write { try $0.visibility.setVisibility(visibility, userID: Self.name(number)) }
    }

    /// The ids of the shares that changed for a person after a number.
    func changes(of number: Int, after change: Int64) async throws -> [ShareID] {
        try await database.read { reader in
            guard let viewer = try reader.visibility.viewer(userID: Self.name(number)) else { return [] }
            return try reader.shares.changes(for: viewer, after: change, limit: 100).map(\.id)
        }
    }

    func lastChange() async throws -> Int64 { try await database.read { try $0.lastChange() } }

    /// The ids of items that are gone for a person.
    func gone(for number: Int) async throws -> [String] {
        try await database.read { try $0.goneItems(userID: Self.name(number), after: 0, limit: 1_000).map(\.id) }
    }

    /// The number of rows of a table.
    func count(_ table: StaticString) async throws -> Int {
        try await database.read {
            try $0.row("SELECT COUNT(*) AS count FROM \(trusted: table)")?["count"] ?? 0
        }
    }
}
