import Model
import NotificationSources
import Storage
import TestSupport
import Testing

@testable import Notifications

@Suite("What is to be pushed")
struct PushIntentTests {
    private typealias Sample = SampleNotifications

    @Test("An event is pushed once to each target of a channel that the person wants")
    func targets() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(0, of: 0)
            try await sample.addTarget(1, of: 0)
            try await sample.addTarget(2, of: 0, channel: .ntfy)
            try await sample.choose([.wave: [.page, .webPush]], of: 0)
            try await sample.wave(at: 0, by: 1)
            let due = try await sample.due()
            #expect(Set(due.map(\.target.id)) == [Sample.targetID(0), Sample.targetID(1)])
            #expect(try await sample.take().deliveries.isEmpty)
            try await sample.finish(due)
            #expect(try await sample.due(at: Sample.noon.after(seconds: 86_400)).isEmpty)
        }
    }

    @Test("For somebody with an open stream it is due five seconds later; what their page has shown is never sent")
    func readers() async throws {
        try await Sample.run(people: 2) { sample in
            for person in [0, 1] { try await sample.addTarget(of: person) }
            try await sample.wave(at: 0, by: 1)
            try await sample.wave(at: 1, by: 0)
            try await sample.release(reading: [0])
            #expect(try await sample.take().deliveries.map(\.userID) == [Sample.name(1)])
            let later = Sample.noon.after(seconds: 5)
            let number = try #require(try await sample.page(of: 0).items.first?.number)
            try await sample.database.write {
                try $0.notifications.see(through: number, groups: nil, of: Sample.name(0))
            }
            #expect(try await sample.take(at: later).deliveries.isEmpty)
            // A further event is owed again.
            try await sample.wave(at: 0, by: 1)
            try await sample.release(at: later, reading: [0])
            #expect(try await sample.take(at: later.after(seconds: 4)).deliveries.isEmpty)
            let due = try await sample.take(at: later.after(seconds: 5)).deliveries
            #expect(try await sample.read(as: 0) { try $0.pushes(due).map(\.content.body) } == ["1 wave"])
        }
    }

    @Test("Only the notifications that a page names are seen, and only up to the number that it knows")
    func seen() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(of: 0)
            try await sample.wave(at: 0, by: 1, subject: "shown")
            try await sample.wave(at: 0, by: 1, subject: "other")
            let items = try await sample.page(of: 0).items
            let shown = try #require(items.first { $0.group.subject == "shown" })
            try await sample.wave(at: 0, by: 1, subject: "later")
            try await sample.database.write {
                try $0.notifications.see(through: items[0].number, groups: [shown.key], of: Sample.name(0))
            }
            let due = try await sample.due()
            #expect(
                Set(due.map(\.group)) == Set(try await sample.page(of: 0).items.map(\.key)).subtracting([shown.key]))
        }
    }

    @Test("A number above all that has happened acknowledges nothing that happens later")
    func seenAhead() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(of: 0)
            try await sample.wave(at: 0, by: 1, subject: "before")
            try await sample.database.write {
                try $0.notifications.see(through: 1 << 53, groups: nil, of: Sample.name(0))
            }
            #expect(try await sample.due().isEmpty)
            // A new notification, and a further event of the one that was acknowledged.
            try await sample.wave(at: 0, by: 1, subject: "after")
            try await sample.wave(at: 0, by: 1, subject: "before")
            let due = try await sample.due()
            #expect(due.count == 2)
            #expect(try await sample.read(as: 0) { try $0.pushes(due).map(\.content.body) } == ["1 wave", "1 wave"])
            #expect(try await sample.unread(of: 0) == 2)
        }
    }

    @Test("What has been read is not pushed")
    func read() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(of: 0)
            try await sample.wave(at: 0, by: 1)
            let number = try #require(try await sample.page(of: 0).items.first?.number)
            _ = try await sample.database.write { try $0.notifications.moveMark(to: number, of: Sample.name(0)) }
            #expect(try await sample.due().isEmpty)
        }
    }

    @Test("Events of a group are pushed at most once a minute, and the next push has those that came meanwhile")
    func pace() async throws {
        try await Sample.run(people: 3) { sample in
            try await sample.addTarget(of: 0)
            try await sample.wave(at: 0, by: 1)
            let first = try await sample.due()
            #expect(first.count == 1)
            // One more while the first is being sent, and one right after.
            try await sample.wave(at: 0, by: 2)
            try await sample.finish(first)
            try await sample.database.write { transaction in
                try transaction.notifications.record(
                    .init(
                        recipientID: Sample.name(0), kind: .wave, subject: "", actorID: Sample.name(2), itemID: "late",
                        time: Sample.noon), kinds: Sample.kinds, accounts: sample.accounts,
                    now: Sample.noon.after(seconds: 1))
            }
            #expect(try await sample.due(at: Sample.noon.after(seconds: 59)).isEmpty)
            let second = try await sample.due(at: Sample.noon.after(seconds: 60))
            #expect(second.count == 1)
            #expect(try await sample.titles(of: second, to: 0) == ["p2 waved"])
        }
    }

    @Test("What has been read is not pushed after its last event was withdrawn either")
    func readAfterWithdrawal() async throws {
        try await Sample.run(people: 3) { sample in
            try await sample.addTarget(of: 0)
            try await sample.wave(at: 0, by: 1)
            try await sample.wave(at: 0, by: 2)
            try await sample.block(2, by: 0)
            let number = try #require(try await sample.page(of: 0).items.first?.number)
            _ = try await sample.database.write { try $0.notifications.moveMark(to: number, of: Sample.name(0)) }
            #expect(try await sample.due().isEmpty)
        }
    }

    @Test("What was pushed is not pushed again after another event of its notification was withdrawn")
    func pushedBeforeWithdrawal() async throws {
        try await Sample.run(people: 4) { sample in
            try await sample.addTarget(of: 0)
            try await sample.wave(at: 0, by: 1)
            try await sample.wave(at: 0, by: 2)
            try await sample.finish(try await sample.due())
            try await sample.block(2, by: 0)
            #expect(try await sample.due(at: Sample.noon.after(seconds: 60)).isEmpty)
            try await sample.wave(at: 0, by: 3)
            let due = try await sample.due(at: Sample.noon.after(seconds: 60))
            #expect(try await sample.titles(of: due, to: 0) == ["p3 waved"])
        }
    }

    @Test("An event that comes after a push was taken is reported by the next push alone")
    func laterEvents() async throws {
        try await Sample.run(people: 3) { sample in
            try await sample.addTarget(of: 0)
            try await sample.wave(at: 0, by: 1)
            let first = try await sample.due()
            try await sample.wave(at: 0, by: 2)
            #expect(try await sample.titles(of: first, to: 0) == ["p1 waved"])
            try await sample.finish(first)
            let second = try await sample.due(at: Sample.noon.after(seconds: 60))
            #expect(try await sample.titles(of: second, to: 0) == ["p2 waved"])
        }
    }

    @Test("A further event of what was seen while it was being sent is still owed")
    func seenWhileSending() async throws {
        try await Sample.run(people: 3) { sample in
            try await sample.addTarget(of: 0)
            for (subject, ending) in [("one", PushEnding.sent), ("two", .dropped)] {
                try await sample.wave(at: 0, by: 1, subject: subject)
                let first = try await sample.due()
                #expect(first.count == 1)
                let number = try #require(try await sample.page(of: 0).items.first?.number)
                try await sample.database.write {
                    try $0.notifications.see(through: number, groups: nil, of: Sample.name(0))
                }
                try await sample.wave(at: 0, by: 2, subject: subject)
                try await sample.finish(first, as: ending)
                let later = Sample.noon.after(seconds: 60)
                let second = try await sample.due(at: later)
                #expect(try await sample.titles(of: second, to: 0) == ["p2 waved"])
                try await sample.finish(second, at: later)
            }
        }
    }

    @Test("A run that ended without writing what it sent has it sent again, by the next run alone")
    func returnTaken() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(of: 0)
            try await sample.wave(at: 0, by: 1)
            let taken = try await sample.due()
            #expect(try await sample.database.read { try $0.notifications.isPushDue(at: Sample.noon) })
            try await sample.database.write { try $0.notifications.returnTaken() }
            #expect(try await sample.take().deliveries == taken)
            try await sample.finish(taken)
            try await sample.database.write { try $0.notifications.returnTaken() }
            #expect(try await sample.due(at: Sample.noon.after(seconds: 600)).isEmpty)
            #expect(try await !sample.database.read { try $0.notifications.isPushDue(at: Sample.noon) })
        }
    }

    @Test("A push that is not answered is sent again after pauses that grow, until it means nothing any more")
    func unanswered() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(of: 0)
            try await sample.wave(at: 0, by: 1, kind: .warning)
            try await sample.release()
            var (now, pauses): (Timestamp, [Int]) = (Sample.noon, [])
            while true {
                let due = try await sample.take(at: now).deliveries
                if due.isEmpty { break }
                try await sample.finish(due, as: .unanswered, at: now)
                let began = now
                func isDue(after seconds: Int) async throws -> Bool {
                    try await sample.database.read {
                        try $0.notifications.isPushDue(at: began.after(seconds: seconds))
                    }
                }
                var pause = 10
                while try await !isDue(after: pause) { pause += 10 }
                pauses.append(pause)
                now = now.after(seconds: pause)
            }
            #expect(pauses == [30, 60, 120, 240, 480, 960, 1_920])
        }
    }

    @Test("A service that asks to wait gets nothing before then")
    func waiting() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(of: 0)
            try await sample.wave(at: 0, by: 1)
            try await sample.finish(try await sample.due(), as: .again(at: Sample.noon.after(seconds: 90)))
            #expect(try await sample.take(at: Sample.noon.after(seconds: 89)).deliveries.isEmpty)
            #expect(try await sample.take(at: Sample.noon.after(seconds: 90)).deliveries.count == 1)
        }
    }

    @Test("A kind that was switched off meanwhile, and a session that has ended, get nothing")
    func changedMinds() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(0, of: 0, session: "first")
            try await sample.addTarget(1, of: 0, session: "second")
            try await sample.wave(at: 0, by: 1)
            try await sample.release()
            sample.zones.end(.session(hash: "first"))
            let due = try await sample.take().deliveries
            #expect(due.map(\.target.id) == [Sample.targetID(1)])
            #expect(try await sample.targets(of: 0).map(\.id) == [Sample.targetID(1)])
            try await sample.finish(due, as: .again(at: Sample.noon))
            try await sample.choose([.wave: [.page]], of: 0)
            #expect(try await sample.take().deliveries.isEmpty)
        }
    }

    @Test("Hosts have their turns one after the other, and what is not due is not named")
    func hosts() async throws {
        try await Sample.run(people: 2) { sample in
            for number in 0..<3 { try await sample.addTarget(number, of: 0, host: "host\(number).example") }
            try await sample.wave(at: 0, by: 1)
            try await sample.release()
            func hosts(after host: String, at now: Timestamp = Sample.noon) async throws -> [String] {
                try await sample.database.read { try $0.notifications.dueHosts(after: host, now: now, limit: 10) }
            }
            #expect(try await hosts(after: "") == ["host0.example", "host1.example", "host2.example"])
            #expect(try await hosts(after: "host1.example") == ["host2.example"])
            #expect(try await hosts(after: "", at: Sample.noon.after(seconds: -1)).isEmpty)
        }
    }
}
