import Model
import Storage
import TestSupport
import Testing

@testable import Visibility

@Suite("Lists of people")
struct PeopleListTests {
    /// All items of a list, page by page.
    private func all(
        _ list: PeopleList, of viewer: Viewer, limit: Int, in reader: some SQLReader
    ) throws -> (names: [String], pages: Int) {
        var (names, pages, cursor): ([String], Int, Cursor<Int>?) = ([], 0, nil)
        repeat {
            let page = try reader.visibility.page(of: list, for: viewer, after: cursor, limit: limit)
            #expect(page.items.count <= limit)
            names += page.items.map(\.userID)
            pages += 1
            cursor = try page.nextCursor.map { try #require(list.cursor($0)) }
        } while cursor != nil
        return (names, pages)
    }

    @Test("Lists are newest first, also when the clock goes back, and pages neither repeat nor lose anybody")
    func pages() async throws {
        try await withDatabase { database in
            let people = try await database.write { transaction in
                let people = try transaction.addPeople(26)
                for (number, other) in people.dropFirst().enumerated() {
                    let now = Timestamp(microseconds: 1_000_000 - Int64(number))
                    try transaction.visibility.follow(other.key, by: people[0].key, now: now)
                    try transaction.visibility.follow(people[0].key, by: other.key, now: now)
                }
                return people
            }
            let newestFirst = people.dropFirst().map(\.userID).reversed() as [String]
            try await database.read { reader in
                for limit in [1, 2, 5, 24, 25, 26, 100] {
                    for list in [PeopleList.following, .followers] {
                        let found = try all(list, of: people[0], limit: limit, in: reader)
                        #expect(found.names == newestFirst, "\(list), \(limit)")
                        #expect(found.pages == (25 + limit - 1) / limit, "\(list), \(limit)")
                    }
                }
                let item = try #require(
                    try reader.visibility.page(of: .following, for: people[0], limit: 1).items.first)
                #expect(item.standing.isFollowing && item.standing.followsViewer)
                #expect(item.since == Timestamp(microseconds: 1_000_000 - 24))
            }
        }
    }

    @Test("Who was followed between two pages is on neither, and who was unfollowed changes no other")
    func changesBetweenPages() async throws {
        try await withDatabase { database in
            let people = try await database.write { transaction in
                let people = try transaction.addPeople(8)
                for other in people[1...6] {
                    try transaction.visibility.follow(other.key, by: people[0].key, now: .now())
                }
                return people
            }
            let first = try await database.read {
                try $0.visibility.page(of: .following, for: people[0], limit: 3)
            }
            #expect(first.items.map(\.userID) == [6, 5, 4].map { people[$0].userID })
            try await database.write { transaction in
                try transaction.visibility.follow(people[7].key, by: people[0].key, now: .now())
                try transaction.visibility.unfollow(people[4].key, by: people[0].key)
                try transaction.visibility.unfollow(people[2].key, by: people[0].key)
            }
            let cursor = try #require(first.nextCursor.flatMap { PeopleList.following.cursor($0) })
            let second = try await database.read {
                try $0.visibility.page(of: .following, for: people[0], after: cursor, limit: 3)
            }
            #expect(second.items.map(\.userID) == [3, 1].map { people[$0].userID } && second.nextCursor == nil)
        }
    }

    @Test("Private, suspended and gone people are in no list of those I follow; a private follower is shown to me")
    func invisible() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                let store = transaction.visibility
                let people = try transaction.addPeople(5)
                for other in people.dropFirst() {
                    try store.follow(other.key, by: people[0].key, now: .now())
                    try store.follow(people[0].key, by: other.key, now: .now())
                }
                try store.setVisibility(.private, userID: people[1].userID)
                try store.suspend(userID: people[2].userID)
                try store.close(userID: people[3].userID)
                #expect(try all(.following, of: people[0], limit: 10, in: transaction).names == [people[4].userID])
                #expect(
                    try all(.followers, of: people[0], limit: 10, in: transaction).names
                        == [people[4].userID, people[1].userID])
                // It is the same follow as before.
                try store.setVisibility(.public, userID: people[1].userID)
                #expect(
                    try all(.following, of: people[0], limit: 10, in: transaction).names
                        == [people[4].userID, people[1].userID])
            }
        }
    }

    @Test("The blocked are listed for the blocker alone, also when they hide or block as well")
    func blocked() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                let store = transaction.visibility
                let people = try transaction.addPeople(4)
                for other in people.dropFirst() { try store.block(other.key, by: people[0].key, now: .now()) }
                try store.setVisibility(.private, userID: people[1].userID)
                try store.block(people[0].key, by: people[2].key, now: .now())
                try store.suspend(userID: people[3].userID)
                #expect(
                    try all(.blocked, of: people[0], limit: 1, in: transaction).names
                        == [people[2].userID, people[1].userID])
                #expect(try all(.blocked, of: people[2], limit: 1, in: transaction).names == [people[0].userID])
                #expect(try all(.blocked, of: people[1], limit: 1, in: transaction).names.isEmpty)
            }
        }
    }

    @Test("A page reads a bounded number of rows when nobody in them is visible, and the next one goes on")
    func manyInvisible() async throws {
        try await withDatabase { database in
            let hidden = PeopleList.rowsOfPage + 20
            let viewer = try await database.write { transaction in
                let people = try transaction.addPeople(hidden + 2)
                for other in people.dropFirst() {
                    try transaction.visibility.follow(other.key, by: people[0].key, now: .now())
                }
                try transaction.run(
                    "UPDATE people SET visibility = 0 WHERE key <> \(people[0].key) AND key <> \(people[1].key)")
                return people[0]
            }
            try await database.read { reader in
                let first = try reader.visibility.page(of: .following, for: viewer, limit: 10)
                #expect(first.items.isEmpty && first.nextCursor != nil)
                #expect(try all(.following, of: viewer, limit: 10, in: reader).names == ["person 1"])
            }
        }
    }

    @Test("A cursor of another list is refused")
    func cursors() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                let people = try transaction.addPeople(3)
                for other in people.dropFirst() {
                    try transaction.visibility.follow(other.key, by: people[0].key, now: .now())
                }
                let text = try #require(
                    try transaction.visibility.page(of: .following, for: people[0], limit: 1).nextCursor)
                #expect(PeopleList.following.cursor(text) != nil)
                #expect(PeopleList.followers.cursor(text) == nil && PeopleList.blocked.cursor(text) == nil)
                #expect(PeopleList.following.cursor("") == nil)
            }
        }
    }

    @Test("Every list is read by an index, without sorting", arguments: PeopleList.allCases)
    func plans(list: PeopleList) async throws {
        try await withDatabase { database in
            let viewer = try await database.write { try $0.addPeople(1)[0] }
            let sql =
                list.rows(of: viewer) + list.keyset.following(Cursor(5)) + " ORDER BY " + list.keyset.order
                + " LIMIT 10"
            let plan = try await database.read { try $0.plan(of: sql) }
            #expect(!plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
        }
    }
}
