import Model
import Storage
import TestSupport
import Testing

@testable import Visibility

@Suite("Follows and blocks")
struct FollowTests {
    @Test("Following and unfollowing twice has no further effect, and the counts are those of the rows")
    func idempotence() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                let store = transaction.visibility
                let viewers = try transaction.addPeople(3)
                let people = viewers.map(\.key)
                func counts(_ number: Int) throws -> FollowCounts {
                    try store.followCounts(of: people[number], for: viewers[number])
                }
                #expect(try store.follow(people[1], by: people[0], now: .now()))
                #expect(try !store.follow(people[1], by: people[0], now: .now()))
                #expect(try store.follow(people[1], by: people[2], now: .now()))
                #expect(try counts(1) == FollowCounts(followers: 2, following: 0))
                #expect(try counts(0) == FollowCounts(followers: 0, following: 1))
                #expect(try store.unfollow(people[1], by: people[0]))
                #expect(try !store.unfollow(people[1], by: people[0]))
                #expect(try counts(1) == FollowCounts(followers: 1, following: 0))
            }
        }
    }

    @Test("Nobody who is suspended, gone or in a block with whoever looks is counted, and everybody once")
    func counts() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                let store = transaction.visibility
                let viewers = try transaction.addPeople(7)
                let people = viewers.map(\.key)
                // Everybody follows the first person, who follows everybody; the last one looks.
                for other in people[1...] {
                    try store.follow(people[0], by: other, now: .now())
                    try store.follow(other, by: people[0], now: .now())
                }
                func counts(seenBy number: Int) throws -> FollowCounts {
                    try store.followCounts(of: people[0], for: viewers[number])
                }
                func both(_ count: Int) -> FollowCounts { FollowCounts(followers: count, following: count) }
                #expect(try counts(seenBy: 6) == both(6))
                _ = try store.suspend(userID: viewers[1].userID)
                try store.close(userID: viewers[2].userID)
                #expect(try counts(seenBy: 6) == both(4) && counts(seenBy: 0) == both(4))
                // In both directions, and with somebody who is suspended.
                for (blocker, blocked) in [(6, 3), (3, 6), (4, 6), (6, 1)] {
                    try store.block(people[blocked], by: people[blocker], now: .now())
                }
                #expect(try counts(seenBy: 6) == both(2) && counts(seenBy: 0) == both(4))
                #expect(try counts(seenBy: 5) == both(4))
                _ = try store.reinstate(userID: viewers[1].userID)
                #expect(try counts(seenBy: 6) == both(2) && counts(seenBy: 0) == both(5))
                try store.unblock(people[1], by: people[6], now: .now())
                #expect(try counts(seenBy: 6) == both(3))
            }
        }
    }

    @Test("A block ends the follows of both directions, and an unblock does not bring them back")
    func blocks() async throws {
        try await withDatabase { database in
            try await database.write { transaction in
                let store = transaction.visibility
                let people = try transaction.addPeople(3).map(\.key)
                for (one, other) in [(0, 1), (1, 0), (0, 2), (2, 0)] {
                    try store.follow(people[other], by: people[one], now: .now())
                }
                #expect(try store.block(people[1], by: people[0], now: .now()))
                #expect(try !store.block(people[1], by: people[0], now: .now()))
                #expect(try store.isBlocked(between: people[1], and: people[0]))
                #expect(try !store.isFollowing(people[1], by: people[0]))
                #expect(try !store.isFollowing(people[0], by: people[1]))
                #expect(try store.isFollowing(people[2], by: people[0]) && store.isFollowing(people[0], by: people[2]))
                #expect(try !store.unblock(people[0], by: people[1], now: .now()), "only the blocker ends a block")
                #expect(try store.unblock(people[1], by: people[0], now: .now()))
                #expect(try !store.unblock(people[1], by: people[0], now: .now()))
                #expect(try !store.isBlocked(between: people[0], and: people[1]))
                #expect(try !store.isFollowing(people[1], by: people[0]))
            }
        }
    }

    @Test("A key is not given twice, even after the newest person is erased")
    func keys() async throws {
        try await withDatabase { database in
            let first = try await database.write { try $0.visibility.add(userID: "ada") }
            let second = try await database.write { transaction in
                try transaction.run("DELETE FROM people")
                return try transaction.visibility.add(userID: "ada")
            }
            #expect(second.rawValue > first.rawValue)
        }
    }

    @Test("Both people of a follow and of a block are notified, but nobody who is gone")
    func notifications() async throws {
        try await withDatabase { database in
            let people = try await database.write { try $0.addPeople(3) }
            func notified(_ act: @escaping @Sendable (WriteTransaction) throws -> Void) async throws -> Set<String> {
                let before = try await database.write { try $0.nextChange() }
                try await database.write { try act($0) }
                return try await database.read { try $0.people(changedIn: .people, after: before) }
            }
            let (one, other, third) = (people[0], people[1], people[2])
            let both: Set = [one.userID, other.userID]
            #expect(try await notified { try $0.visibility.follow(other.key, by: one.key, now: .now()) } == both)
            #expect(try await notified { try $0.visibility.follow(other.key, by: one.key, now: .now()) }.isEmpty)
            #expect(try await notified { try $0.visibility.unfollow(other.key, by: one.key) } == both)
            #expect(try await notified { try $0.visibility.block(other.key, by: one.key, now: .now()) } == both)
            // Whoever was blocked learns nothing of the end.
            #expect(
                try await notified { try $0.visibility.unblock(other.key, by: one.key, now: .now()) } == [one.userID])
            #expect(
                try await notified { try $0.visibility.setVisibility(.private, userID: third.userID) } == [third.userID]
            )
            #expect(try await notified { try $0.visibility.setVisibility(.private, userID: third.userID) }.isEmpty)
            try await database.write { try $0.visibility.close(userID: third.userID) }
            #expect(
                try await notified { try $0.visibility.follow(third.key, by: one.key, now: .now()) } == [one.userID])
        }
    }

    @Test("An erasure deletes the rows of both directions, notifies the followers, and leaves those of others")
    func erasure() async throws {
        try await withDatabase { database in
            let people = try await database.write { transaction in
                let people = try transaction.addPeople(40)
                let store = transaction.visibility
                for other in people[1...30] {
                    try store.follow(people[0].key, by: other.key, now: .now())
                    try store.follow(other.key, by: people[0].key, now: .now())
                }
                try store.block(people[31].key, by: people[0].key, now: .now())
                try store.block(people[0].key, by: people[32].key, now: .now())
                try store.follow(people[2].key, by: people[1].key, now: .now())
                try store.block(people[34].key, by: people[33].key, now: .now())
                try store.count([.sample("follow", count: 3, per: .seconds(60))], by: people[0].key, now: .now())
                try store.close(userID: people[0].userID)
                return people
            }
            let before = try await database.read { try $0.lastChange() }
            let tables = PersonalTables(of: .tested)
            #expect(
                try await tables.eraseRows(
                    of: people[0].userID, in: database, by: SteppedWrites(database, checkpoints: true)))
            #expect(
                try await !tables.eraseRows(
                    of: people[0].userID, in: database, by: SteppedWrites(database, checkpoints: true)))
            try await database.read { reader in
                let key = people[0].key
                #expect(try reader.visibility.person(userID: people[0].userID) == nil)
                for sql: SQL in [
                    "SELECT 1 FROM follows WHERE follower = \(key) OR followed = \(key)",
                    "SELECT 1 FROM blocks WHERE blocker = \(key) OR blocked = \(key)",
                    "SELECT 1 FROM act_limits WHERE person = \(key)",
                ] {
                    #expect(try reader.row(sql) == nil)
                }
                #expect(try reader.visibility.isFollowing(people[2].key, by: people[1].key))
                #expect(try reader.visibility.hasBlocked(people[34].key, by: people[33].key))
                let notified = try reader.people(changedIn: .people, after: before)
                #expect(notified == Set(people[1...30].map(\.userID)))
            }
        }
    }

    @Test("Whoever is erased halfway is found again, and the rest of the rows is deleted")
    func leftovers() async throws {
        try await withDatabase { database in
            let people = try await database.write { transaction in
                let people = try transaction.addPeople(2)
                try transaction.visibility.follow(people[1].key, by: people[0].key, now: .now())
                // The row of the person itself is deleted last, so it is what a broken erasure leaves.
                try transaction.visibility.close(userID: people[0].userID)
                return people
            }
            let gone = try await database.read {
                try PersonalTables(of: .tested).goneOwners(exempt: SystemUser.id, limit: 10, in: $0)
            }
            #expect(gone == people.map(\.userID), "nobody in this database has a row of users")
        }
    }
}
