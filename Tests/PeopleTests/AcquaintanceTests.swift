import Model
import Storage
import TestSupport
import Testing

@testable import People
@testable import Visibility

@Suite("Acquaintances")
struct AcquaintanceTests {
    private typealias Town = SampleTown

    /// The ids of those with whom a person is acquainted.
    private func acquaintances(of number: Int, in database: Database) async throws -> Set<String> {
        try await database.read { reader in
            Set(
                try reader.map(
                    """
                    SELECT others.user_id AS user_id
                    FROM relation_changes JOIN people ON people.key = relation_changes.person
                        JOIN people AS others ON others.key = relation_changes.other
                    WHERE people.user_id = \(Town.name(number))
                    """
                ) { try $0["user_id"] as String })
        }
    }

    /// Forgets what devices that were away for long would miss, so that none resumes before now.
    private func forgetPast(in database: Database) async throws {
        try await database.write { transaction in
            try transaction.recordGone(ItemKind("note"), ids: ["last"], userID: Town.name(0))
            let later = PruningTime.unguarded(.now().advanced(by: .seconds(60)))
            while try transaction.pruneGoneItems(before: later, limit: 100) > 0 {}
        }
    }

    /// - Returns: how many acquaintances were looked at.
    @discardableResult
    private func prune(_ database: Database, limit: Int = 1) async throws -> Int {
        try await database.write { transaction in
            var looked = 0
            while true {
                let count = try transaction.people.pruneAcquaintances(limit: limit)
                if count == 0 { return looked }
                looked += count
            }
        }
    }

    @Test("They end when two people have nothing of each other any longer, and every device knows it")
    func ends() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 6)
            let everybody = Set((1...5).map(Town.name))
            for other in 1...5 { try await town.follow(other, by: 0) }
            try await town.follow(0, by: 3)
            let own = try #require(try await town.viewer(0))
            let reacting = try #require(try await town.viewer(4))
            try await database.write {
                try $0.visibility.recordAcquaintance(between: own.key, and: reacting.key)
            }
            try await town.setVisibility(.followers, of: 0)
            try await town.follow(0, by: 5)
            for other in [1, 3, 4, 5] {
                try await town.act { try $0.unfollow(Town.name(other), by: Town.name(0)) }
            }
            // A device may resume before all of it.
            #expect(try await prune(database) == 0)
            #expect(try await acquaintances(of: 0, in: database) == everybody)

            try await forgetPast(in: database)
            #expect(try await prune(database) > 0)
            let left = everybody.subtracting([Town.name(1)])
            #expect(try await acquaintances(of: 0, in: database) == left)
            #expect(try await acquaintances(of: 1, in: database).isEmpty)
            // Whoever begins to read changes gets all that there is.
            let changes = try await database.read {
                try $0.visibility.changes(for: own, after: 0, limit: 100)
            }
            #expect(left.isSubset(of: changes.map(\.userID)))
            #expect(try await prune(database) == 0)

            // The follow of one, the follow by another and the request of a third end.
            try await town.act { try $0.unfollow(Town.name(2), by: Town.name(0)) }
            try await town.act { try $0.unfollow(Town.name(0), by: Town.name(3)) }
            try await town.act { try $0.decline(Town.name(5), by: Town.name(0)) }
            #expect(try await prune(database) == 0)
            try await forgetPast(in: database)
            try await prune(database, limit: 100)
            #expect(try await acquaintances(of: 0, in: database) == [Town.name(4)])
        }
    }

    @Test("One that was forgotten begins again with the next act")
    func again() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 2)
            for _ in 0..<2 {
                try await town.follow(1, by: 0)
                #expect(try await acquaintances(of: 1, in: database) == [Town.name(0)])
                try await town.act { try $0.unfollow(Town.name(1), by: Town.name(0)) }
                try await forgetPast(in: database)
                try await prune(database)
                #expect(try await acquaintances(of: 1, in: database).isEmpty)
            }
        }
    }

    @Test("Whoever ended a block stays acquainted until their devices know")
    func endOfBlock() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 2)
            try await town.act { try $0.block(Town.name(1), by: Town.name(0), now: Town.noon) }
            try await town.act { try $0.unblock(Town.name(1), by: Town.name(0), now: Town.noon) }
            #expect(try await prune(database) == 0)
            for number in [0, 1] { #expect(try await acquaintances(of: number, in: database).count == 1) }
            try await forgetPast(in: database)
            try await prune(database)
            for number in [0, 1] { #expect(try await acquaintances(of: number, in: database).isEmpty) }
        }
    }
}
