import Accounts
import DomainEvents
import Domains
import Model
import NotificationSources
import Storage
import TestSupport
import Testing
import Visibility

@testable import Notifications

@Suite("Notifications after a block or an erasure")
struct NotificationVisibilityTests {
    private typealias Sample = SampleNotifications

    @Test("A block ends what the two were notified of each other, with what is to be pushed, in its transaction")
    func block() async throws {
        try await Sample.run(people: 4) { sample in
            for person in [0, 1] { try await sample.addTarget(of: person) }
            try await sample.wave(at: 0, by: 1)
            try await sample.wave(at: 0, by: 1, subject: "shared")
            try await sample.wave(at: 0, by: 2, subject: "shared")
            try await sample.wave(at: 1, by: 0)
            try await sample.release()
            try await sample.block(1, by: 0)
            #expect(try await sample.titles(of: 0) == ["p2 waved"])
            #expect(try await sample.titles(of: 1).isEmpty)
            #expect(try await sample.unread(of: 0) == 1)
            let due = try await sample.take().deliveries
            #expect(try await sample.titles(of: due, to: 0) == ["p2 waved"])
            #expect(due.count == 1)
            // An unblock does not bring them back.
            let (one, other) = (try await sample.key(0), try await sample.key(1))
            _ = try await sample.database.write { try $0.visibility.unblock(other, by: one, now: .now()) }
            #expect(try await sample.titles(of: 0) == ["p2 waved"])
        }
    }

    @Test("What a worker has taken when somebody is blocked shows nothing, and is not sent")
    func blockAfterTaking() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(of: 0)
            try await sample.wave(at: 0, by: 1)
            let taken = try await sample.due()
            #expect(try await sample.titles(of: taken, to: 0) == ["p1 waved"])
            try await sample.block(1, by: 0)
            #expect(try await sample.titles(of: taken, to: 0).isEmpty)
            // Its outcome is written to nothing.
            try await sample.finish(taken)
            #expect(try await sample.due(at: Sample.noon.after(seconds: 3_600)).isEmpty)
        }
    }

    @Test("Whoever acts without showing their name with it is counted while their profile is private")
    func unnamed() async throws {
        try await Sample.run(people: 6) { sample in
            func look(_ actor: Int) async throws -> [String] {
                try await sample.wave(at: 0, by: actor, kind: .look)
                return try await sample.titles(of: 0)
            }
            for person in 1...3 {
                try await sample.database.write {
                    try $0.visibility.setVisibility(.private, userID: Sample.name(person))
                }
            }
            #expect(try await look(1) == ["Somebody looks"])
            // The same person again.
            #expect(try await look(1) == ["Somebody looks"])
            #expect(try await look(2) == ["2 people look"])
            let (follower, followed) = (try await sample.key(3), try await sample.key(0))
            _ = try await sample.database.write { try $0.visibility.follow(followed, by: follower, now: Sample.noon) }
            #expect(try await look(3) == ["p3 and 2 others look"])
            #expect(try await look(4) == ["p4 and 3 others look"])
            #expect(try await sample.unread(of: 0) == 1)
            // Each time it is shown, by what their profiles are then.
            try await sample.database.write { try $0.visibility.setVisibility(.public, userID: Sample.name(1)) }
            try await sample.block(4, by: 0)
            try await sample.block(3, by: 0)
            #expect(try await sample.titles(of: 0) == ["p1 and somebody else look"])
            // A wave shows who waves.
            try await sample.wave(at: 0, by: 2)
            #expect(try await sample.titles(of: 0) == ["p2 waved", "p1 and somebody else look"])
        }
    }

    @Test("Somebody who is suspended is left out, and is there again afterwards")
    func suspension() async throws {
        try await Sample.run(people: 3) { sample in
            try await sample.wave(at: 0, by: 1)
            try await sample.wave(at: 0, by: 2)
            _ = try await sample.database.write { try $0.visibility.suspend(userID: Sample.name(2)) }
            #expect(try await sample.titles(of: 0) == ["p1 waved"])
            _ = try await sample.database.write { try $0.visibility.reinstate(userID: Sample.name(2)) }
            #expect(try await sample.titles(of: 0) == ["p2 and p1 waved"])
        }
    }

    @Test("An erasure leaves no name from its first transaction, and nothing of the person in the end")
    func erasure() async throws {
        try await Sample.run(people: 3) { sample in
            try await sample.addTarget(of: 0)
            try await sample.addTarget(of: 1)
            for number in 0..<40 { try await sample.wave(at: 0, by: 1, subject: "\(number % 5)") }
            try await sample.wave(at: 0, by: 2, subject: "0")
            try await sample.wave(at: 1, by: 0)
            try await sample.choose([.wave: [.page]], of: 1) { $0.policy = .mutual }
            _ = try await sample.database.write {
                try $0.notifications.moveMark(to: try $0.lastChange(), of: Sample.name(1))
            }
            try await sample.release()
            let person = try await sample.key(1)
            try await sample.database.write { try $0.visibility.close(userID: Sample.name(1)) }
            #expect(try await sample.titles(of: 0) == ["p2 waved"])
            let due = try await sample.take().deliveries
            #expect(try await sample.titles(of: due, to: 0) == ["p2 waved"])
            _ = try await Accounts(database: sample.database)
                .removeUser(named: "p1", tables: PersonalTables(of: .tested))
            let tables: [StaticString] = [
                "notification_groups", "notification_events", "notification_marks", "notification_channels",
                "notification_settings", "push_targets", "push_intents",
            ]
            for table in tables {
                #expect(try await sample.rows(of: table, person: person) == 0, "\(table)")
            }
            let mentions: Int = try await sample.database.read {
                try $0.row("SELECT COUNT(*) AS count FROM notification_events WHERE actor = \(person)")?["count"] ?? 0
            }
            #expect(mentions == 0)
            #expect(try await sample.titles(of: 0) == ["p2 waved"])
        }
    }
}
