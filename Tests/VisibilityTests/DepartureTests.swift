import Model
import Storage
import TestSupport
import Testing

@testable import Visibility

@Suite("How devices learn that a person no longer exists for them")
struct DepartureTests {
    /// How a person and somebody who leaves stood to each other.
    enum Acquaintance: String, CaseIterable, Sendable {
        case follows, isFollowed, mutual, unfollowed, asks, hasReacted, wasBlocked, none

        func make(between person: PersonKey, and leaving: PersonKey, in transaction: WriteTransaction) throws {
            let store = transaction.visibility
            switch self {
            case .follows: try store.follow(leaving, by: person, now: .now())
            case .isFollowed: try store.follow(person, by: leaving, now: .now())
            case .mutual:
                try store.follow(leaving, by: person, now: .now())
                try store.follow(person, by: leaving, now: .now())
            case .unfollowed:
                try store.follow(leaving, by: person, now: .now())
                try store.unfollow(leaving, by: person)
            case .asks: try store.recordAct(between: person, and: leaving)
            case .hasReacted: try store.recordAcquaintance(between: person, and: leaving)
            case .wasBlocked:
                try store.block(person, by: leaving, now: .now())
                try store.unblock(person, by: leaving, now: .now())
            case .none: break
            }
        }
    }

    private func erase(_ person: Viewer, in database: Database) async throws {
        try await database.write { try $0.visibility.close(userID: person.userID) }
        _ = try await PersonalTables(of: .tested).eraseRows(
            of: person.userID, in: database, by: SteppedWrites(database, checkpoints: true))
    }

    /// What the devices of a person learn after a change: of other people, and what is gone, in the order of numbers.
    private func learned(
        by viewer: Viewer, after change: Int64, in database: Database
    ) async throws -> [(number: Int64, what: String)] {
        try await database.read { reader in
            let gone = try reader.goneItems(userID: viewer.userID, after: change, limit: 100).map {
                (number: $0.change, what: $0.kind.name)
            }
            let changes = try reader.visibility.changes(for: viewer, after: change, limit: 100).flatMap {
                change -> [(number: Int64, what: String)] in
                change.subject == .departure
                    ? ["itemsOf", "person"].map { (change.change, $0) } : [(change.change, "\(change.subject)")]
            }
            return (gone + changes).sorted { $0.number < $1.number }
        }
    }

    @Test(
        "A block and an erasure are the same to the other one: the same items, of one number, and nothing to strangers",
        arguments: Acquaintance.allCases)
    func blockAndErasure(acquaintance: Acquaintance) async throws {
        try await withDatabase { database in
            let people = try await database.write { transaction in
                let people = try transaction.addPeople(3)
                for leaving in people[1...] {
                    try acquaintance.make(between: people[0].key, and: leaving.key, in: transaction)
                }
                return people
            }
            let (person, blocker, erased) = (people[0], people[1], people[2])
            let before = try await database.read { try $0.lastChange() }
            try await database.write { _ = try $0.visibility.block(person.key, by: blocker.key, now: .now()) }
            let ofBlock = try await learned(by: person, after: before, in: database)
            let between = try await database.read { try $0.lastChange() }
            try await erase(erased, in: database)
            let ofErasure = try await learned(by: person, after: between, in: database)

            let expected = acquaintance == .none ? [] : ["itemsOf", "person"]
            #expect(ofBlock.map(\.what) == expected)
            #expect(ofErasure.map(\.what) == expected)
            for learned in [ofBlock, ofErasure] {
                #expect(Set(learned.map(\.number)).count == (expected.isEmpty ? 0 : 1))
            }
            // Nothing is left of what there was.
            let left = try await database.read { reader in
                try reader.rows(
                    """
                    SELECT 1 FROM relation_changes
                    WHERE person IN (\(list: [blocker.key, erased.key])) OR other IN (\(list: [blocker.key, erased.key]))
                    """
                ).count
            }
            #expect(left == 0)
        }
    }

    @Test(
        "A device that has read the beginning of an erasure learns nothing more, and one that has not learns the same",
        arguments: [Acquaintance.follows, .mutual])
    func beginning(acquaintance: Acquaintance) async throws {
        try await withDatabase { database in
            let people = try await database.write { transaction in
                let people = try transaction.addPeople(2)
                try acquaintance.make(between: people[0].key, and: people[1].key, in: transaction)
                return people
            }
            let before = try await database.read { try $0.lastChange() }
            try await database.write { try $0.visibility.close(userID: people[1].userID) }
            let atOnce = try await learned(by: people[0], after: before, in: database)
            let read = try await database.read { try $0.lastChange() }
            try await erase(people[1], in: database)
            #expect(try await learned(by: people[0], after: read, in: database).isEmpty)
            let late = try await learned(by: people[0], after: before, in: database)
            for learned in [atOnce, late] { #expect(learned.map(\.what) == ["itemsOf", "person"]) }
            #expect(atOnce.map(\.number) == late.map(\.number))
        }
    }

    @Test("Whoever blocks and ends it learns both on all of their devices, the other one only the block")
    func endOfBlock() async throws {
        try await withDatabase { database in
            let people = try await database.write { transaction in
                let people = try transaction.addPeople(2)
                try transaction.visibility.follow(people[1].key, by: people[0].key, now: .now())
                return people
            }
            let before = try await database.read { try $0.lastChange() }
            try await database.write { transaction in
                try transaction.visibility.block(people[0].key, by: people[1].key, now: .now())
                // A request that the subscribers of a block delete is not reported.
                try transaction.visibility.recordAct(between: people[0].key, and: people[1].key)
            }
            #expect(try await learned(by: people[1], after: before, in: database).map(\.what) == ["itemsOf", "person"])
            try await database.write { try $0.visibility.unblock(people[0].key, by: people[1].key, now: .now()) }
            #expect(try await learned(by: people[0], after: before, in: database).map(\.what) == ["itemsOf", "person"])
            #expect(
                try await learned(by: people[1], after: before, in: database).map(\.what)
                    == ["itemsOf", "person", "act"])
        }
    }

    @Test("Nobody learns anything of an erasure whom the erased has blocked, or who has blocked them")
    func blockedBefore() async throws {
        try await withDatabase { database in
            let people = try await database.write { transaction in
                let people = try transaction.addPeople(3)
                let store = transaction.visibility
                for other in people[1...] { try store.follow(people[0].key, by: other.key, now: .now()) }
                try store.block(people[1].key, by: people[0].key, now: .now())
                try store.block(people[0].key, by: people[2].key, now: .now())
                return people
            }
            let before = try await database.read { try $0.lastChange() }
            try await erase(people[0], in: database)
            for other in people[1...] {
                #expect(try await learned(by: other, after: before, in: database).isEmpty)
            }
        }
    }
}
