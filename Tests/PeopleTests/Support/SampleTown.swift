import Model
import People
import Storage
import Visibility

/// People with numbers, who act in a database of their own.
struct SampleTown: Sendable {
    let database: Database
    /// When acts happen. A test moves it, so that limits do not get in its way.
    static let noon = Timestamp(microseconds: 1_800_000_000_000_000)

    init(_ database: Database, people: Int, visibility: ProfileVisibility = .public) async throws {
        self.database = database
        try await database.write { transaction in
            for number in 0..<people {
                try transaction.visibility.add(userID: Self.name(number), visibility: visibility)
            }
        }
    }

    /// The id of a person.
    static func name(_ number: Int) -> String { "person \(number)" }

    func viewer(_ number: Int) async throws -> Viewer? {
        try await database.read { try $0.visibility.viewer(userID: Self.name(number)) }
    }

    /// Runs acts in one transaction.
    @discardableResult
    func act<Value: Sendable>(
        _ body: @escaping @Sendable (PeopleStore<WriteTransaction>) throws -> Value
    ) async throws -> Value {
        try await database.write { try body($0.people) }
    }

    @discardableResult
    func follow(_ other: Int, by own: Int, now: Timestamp = noon) async throws -> FollowOutcome {
        try await act { try $0.follow(Self.name(other), by: Self.name(own), now: now) }
    }

    func setVisibility(_ visibility: ProfileVisibility, of number: Int) async throws {
        try await database.write { try $0.visibility.setVisibility(visibility, userID: Self.name(number)) }
    }

    /// Whether one person follows another.
    func follows(_ own: Int, _ other: Int) async throws -> Bool {
        try await database.read { reader in
            guard let own = try reader.visibility.key(ofUser: Self.name(own)),
                let other = try reader.visibility.key(ofUser: Self.name(other))
            else { return false }
            return try reader.visibility.isFollowing(other, by: own)
        }
    }

    /// The ids of those who ask to follow a person, newest first.
    func requests(to number: Int) async throws -> [String] {
        try await database.read { reader in
            guard let viewer = try reader.visibility.viewer(userID: Self.name(number)) else { return [] }
            return try reader.people.requests(to: viewer, limit: 100).items.map(\.userID)
        }
    }
}
