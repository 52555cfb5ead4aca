import Storage
import TestSupport
import Testing

@testable import Visibility

@Suite("What has changed about people")
struct PersonChangeTests {
    /// More than are read in the order of the changes for somebody who follows few.
    private static let people = VisibilityStore<ReadTransaction>.manyFollows + 200
    private static let firstChange: Int64 = 1_000

    /// A person whose changes are read, with those whom they follow: every `each`th of the others.
    private func withTown(
        following each: Int,
        _ body: (_ database: Database, _ reader: Viewer, _ followed: [Int64]) async throws -> Void
    ) async throws {
        try await withDatabase { database in
            let reader = try await database.write { transaction in
                try transaction.run(
                    """
                    WITH RECURSIVE numbers (n) AS (
                        SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(Self.people))
                    INSERT INTO people (key, user_id, state, visibility, shows_stats)
                    SELECT n, 'person ' || n, 0, 2, 1 FROM numbers
                    """)
                // Everybody has changed, each after the one before.
                try transaction.run(
                    """
                    INSERT INTO author_log (author, change, profile_change)
                    SELECT key, key * 2 + \(Self.firstChange), key * 2 + \(Self.firstChange) FROM people
                    """)
                try transaction.run("UPDATE person_keys SET value = \(Self.people)")
                let reader = try transaction.visibility.add(userID: "reader")
                try transaction.run(
                    """
                    INSERT INTO follows (follower, followed, followed_at, change)
                    SELECT \(reader), key, 0, key FROM people WHERE key % \(each) = 0 AND key <> \(reader)
                    """)
                return reader
            }
            let followed = (1...Int64(Self.people)).filter { $0 % Int64(each) == 0 }
            try await body(database, Viewer(key: reader, userID: "reader"), followed)
        }
    }

    /// The changes of all pages.
    private func changes(
        for viewer: Viewer, after change: Int64 = 0, pages limit: Int, in database: Database
    ) async throws -> [PersonChange] {
        try await database.read { reader in
            var (found, position): ([PersonChange], Int64) = ([], change)
            while true {
                let page = try reader.visibility.changes(for: viewer, after: position, limit: limit)
                found += page
                guard page.count >= limit, let last = page.last else { return found }
                position = last.change
            }
        }
    }

    @Test(
        "Pages have every changed person whom somebody follows, once and in order, however many they are",
        arguments: [1, 4, 100])
    func authors(each: Int) async throws {
        try await withTown(following: each) { database, reader, followed in
            let isMany = followed.count >= VisibilityStore<ReadTransaction>.manyFollows
            #expect(isMany == (each == 1))
            for limit in [100, 7] {
                let found = try await changes(for: reader, pages: limit, in: database)
                #expect(found.map(\.key.rawValue) == followed)
                #expect(found.map(\.change) == followed.map { $0 * 2 + Self.firstChange })
                #expect(found.allSatisfy { $0.subject == .profile })
            }
            // So few authors that they are read first.
            let position = Int64(Self.people - VisibilityStore<ReadTransaction>.fewAuthors / 2) * 2 + Self.firstChange
            let found = try await changes(for: reader, after: position, pages: 100, in: database)
            #expect(found.map(\.key.rawValue) == followed.filter { $0 * 2 + Self.firstChange > position })
        }
    }

    @Test("What people do and what they show comes in the order of the changes", arguments: [1, 4])
    func acts(each: Int) async throws {
        try await withTown(following: each) { database, reader, followed in
            // Between the changes of the authors, and more at once than a page has.
            let numbers = followed.prefix(300).map { $0 * 2 + Self.firstChange + 1 }
            try await database.write { transaction in
                for (number, other) in zip(numbers, followed) {
                    try transaction.run(
                        """
                        INSERT INTO relation_changes (person, other, change) VALUES (\(reader.key), \(other), \(number))
                        """)
                }
            }
            let found = try await changes(for: reader, pages: 100, in: database)
            let expected = (followed.map { $0 * 2 + Self.firstChange } + numbers).sorted()
            #expect(found.map(\.change) == expected)
            #expect(found.filter { $0.subject == .act }.map(\.change) == numbers)
        }
    }

    @Test("A new item of somebody is no change of the profile, also after one")
    func items() async throws {
        try await withDatabase { database in
            let (reader, author) = try await database.write { transaction in
                let people = try transaction.addPeople(2)
                try transaction.visibility.follow(people[1].key, by: people[0].key, now: .now())
                return (people[0], people[1])
            }
            let before = try await database.read { try $0.lastChange() }
            func changes() async throws -> [PersonChange.Subject] {
                try await database.read {
                    try $0.visibility.changes(for: reader, after: before, limit: 100).map(\.subject)
                }
            }
            func addItem() async throws {
                try await database.write { transaction in
                    _ = try transaction.nextChange()
                    transaction.recordChange(ofAuthor: author.key.rawValue, .items)
                }
            }
            try await addItem()
            #expect(try await changes() == [])
            try await database.write { try $0.visibility.recordProfile(ofUser: author.userID) }
            let changed = try await database.read {
                try $0.visibility.changes(for: reader, after: before, limit: 100).map(\.change)
            }
            try await addItem()
            #expect(try await changes() == [.profile])
            // With its own number, after which it is not read again.
            let last = try #require(changed.first)
            let again = try await database.read { try $0.visibility.changes(for: reader, after: last, limit: 100) }
            #expect(again == [])
        }
    }

    @Test("A closed profile and the beginning of an erasure are told apart from a change of the profile")
    func subjects() async throws {
        try await withDatabase { database in
            let people = try await database.write { transaction in
                let people = try transaction.addPeople(6)
                let store = transaction.visibility
                for other in people[1...] { try store.follow(other.key, by: people[0].key, now: .now()) }
                return people
            }
            let before = try await database.read { try $0.lastChange() }
            try await database.write { transaction in
                let store = transaction.visibility
                try store.recordProfile(ofUser: people[1].userID)
                try store.setVisibility(.private, userID: people[2].userID)
                try store.suspend(userID: people[3].userID)
                try store.close(userID: people[4].userID)
                try store.unfollow(people[5].key, by: people[0].key)
            }
            let found = try await database.read {
                try $0.visibility.changes(for: people[0], after: before, limit: 100)
            }
            let subjects = Dictionary(uniqueKeysWithValues: found.map { ($0.userID, $0.subject) })
            let expected: [PersonChange.Subject] = [.profile, .closing, .closing, .departure, .act]
            #expect(subjects == Dictionary(uniqueKeysWithValues: zip(people[1...].map(\.userID), expected)))
        }
    }
}
