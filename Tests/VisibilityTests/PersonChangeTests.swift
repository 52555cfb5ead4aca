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
        _ body: (_ database: Database, _ reader: PersonKey, _ followed: [Int64]) async throws -> Void
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
                    INSERT INTO author_log (author, change)
                    SELECT key, key * 2 + \(Self.firstChange) FROM people
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
            try await body(database, reader, followed)
        }
    }

    /// The changes of all pages.
    private func changes(
        for person: PersonKey, after change: Int64 = 0, pages limit: Int, in database: Database
    ) async throws -> [PersonChange] {
        try await database.read { reader in
            var (found, position): ([PersonChange], Int64) = ([], change)
            while true {
                let page = try reader.visibility.changes(for: person, after: position, limit: limit)
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
                #expect(!found.contains { !$0.isOfAuthor })
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
                        INSERT INTO relation_changes (person, other, change) VALUES (\(reader), \(other), \(number))
                        """)
                }
            }
            let found = try await changes(for: reader, pages: 100, in: database)
            let expected = (followed.map { $0 * 2 + Self.firstChange } + numbers).sorted()
            #expect(found.map(\.change) == expected)
            #expect(found.filter { !$0.isOfAuthor }.map(\.change) == numbers)
        }
    }
}
