import DomainEvents
import Model
import NotificationSources
import Storage
import TestSupport
import Testing
import Timeline

@testable import Notifications

@Suite("What people are notified of")
struct NotificationRecordingTests {
    private typealias Sample = SampleNotifications

    @Test("Events of one kind, subject and local day are one notification, with the names of who acted")
    func groups() async throws {
        try await Sample.run(people: 5) { sample in
            for actor in 1...3 { try await sample.wave(at: 0, by: actor) }
            #expect(try await sample.titles(of: 0) == ["p3 and 2 others waved"])
            try await sample.wave(at: 0, by: 4, subject: "another")
            #expect(try await sample.titles(of: 0) == ["p4 waved", "p3 and 2 others waved"])
            #expect(try await sample.unread(of: 0) == 2)
        }
    }

    @Test("A further event moves its notification to the top and makes it unread")
    func moves() async throws {
        try await Sample.run(people: 3) { sample in
            try await sample.wave(at: 0, by: 1)
            try await sample.wave(at: 0, by: nil, kind: .news)
            let first = try await sample.page(of: 0).items
            #expect(first.map(\.content.title) == ["1 thing", "p1 waved"])
            _ = try await sample.database.write {
                try $0.notifications.moveMark(to: first[0].number, of: Sample.name(0))
            }
            #expect(try await sample.unread(of: 0) == 0)
            try await sample.wave(at: 0, by: 2)
            #expect(try await sample.titles(of: 0) == ["p2 and p1 waved", "1 thing"])
            #expect(try await sample.unread(of: 0) == 1)
            #expect(try await sample.page(of: 0).items[0].key == first[1].key)
        }
    }

    @Test("The day is that of the person's own zone at the moment of the event")
    func localDays() async throws {
        try await Sample.run(people: 3) { sample in
            sample.zones.set("Pacific/Kiritimati", of: Sample.name(0))
            let moment = try #require(Timestamp(rfc3339: "2027-01-15T09:59:59Z"))
            try await sample.wave(at: 0, by: 1, time: moment)
            try await sample.wave(at: 0, by: 2, time: moment.after(seconds: 1))
            #expect(try await sample.titles(of: 0) == ["p2 waved", "p1 waved"])
            try await sample.wave(at: 1, by: 0, time: moment)
            try await sample.wave(at: 1, by: 2, time: moment.after(seconds: 1))
            #expect(try await sample.titles(of: 1) == ["p2 and p0 waved"])
        }
    }

    @Test("The same item again, one's own acts, and acts of people whom one does not see, are not recorded")
    func notRecorded() async throws {
        try await Sample.run(people: 3) { sample in
            for _ in 0..<3 { try await sample.wave(at: 0, by: 1, item: "one") }
            #expect(try await sample.page(of: 0).items.map(\.group.events.count) == [1])
            try await sample.wave(at: 0, by: 0)
            try await sample.block(2, by: 0)
            try await sample.wave(at: 0, by: 2)
            try await sample.wave(at: 2, by: 0)
            #expect(try await sample.titles(of: 0) == ["p1 waved"])
            #expect(try await sample.titles(of: 2).isEmpty)
            try await sample.wave(at: 0, by: 1, item: String(repeating: "x", count: 201))
            try await sample.wave(at: 0, by: 1, kind: NotificationKind(rawValue: "later"))
            #expect(try await sample.page(of: 0).items.map(\.group.events.count) == [1])
        }
    }

    @Test("Somebody who acts all the time leaves 30 events in one group, and 30 groups a day")
    func limits() async throws {
        try await Sample.run(people: 3) { sample in
            try await sample.wave(at: 0, by: 2)
            for _ in 0..<120 { try await sample.wave(at: 0, by: 1) }
            var item = try #require(try await sample.page(of: 0).items.first)
            #expect(item.group.events.count == 31)
            #expect(item.group.hasMore)
            #expect(item.content.body == "more than 31 waves")
            for number in 0..<60 { try await sample.wave(at: 0, by: 1, subject: "subject \(number)") }
            #expect(try await sample.page(of: 0, limit: 50).items.count == 30)
            // Others are not affected, and neither is the next day.
            try await sample.wave(at: 0, by: 2, subject: "subject 59")
            try await sample.wave(at: 0, by: 1, subject: "tomorrow", time: Sample.noon.after(seconds: 90_000))
            item = try #require(try await sample.page(of: 0).items.first)
            #expect(item.group.subject == "tomorrow")
            #expect(try await sample.page(of: 0, limit: 50).items.count == 32)
        }
    }

    @Test("Somebody who acts all the time is named alone, and a push counts only what it reports")
    func onePersonAllTheTime() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(of: 0)
            for _ in 0..<40 { try await sample.wave(at: 0, by: 1) }
            let item = try #require(try await sample.page(of: 0).items.first)
            #expect(item.content.title == "p1 waved")
            #expect(item.content.body == "more than 30 waves")
            try await sample.finish(try await sample.due())
            try await sample.wave(at: 0, by: 1)
            let due = try await sample.due(at: Sample.noon.after(seconds: 60))
            #expect(try await sample.read(as: 0) { try $0.pushes(due).map(\.content.body) } == ["1 wave"])
        }
    }

    @Test("A group keeps its latest 200 events")
    func capacity() async throws {
        try await Sample.run(people: 1) { sample in
            for number in 0..<210 { try await sample.wave(at: 0, by: nil, item: "\(number)", kind: .news) }
            let item = try #require(try await sample.page(of: 0).items.first)
            #expect(item.group.events.map(\.itemID) == (10..<210).reversed().map(String.init))
            #expect(item.group.hasMore)
        }
    }

    @Test("A person who lets only some people notify them hears of nobody else")
    func policy() async throws {
        try await Sample.run(people: 4) { sample in
            let keys = try await [sample.key(0), sample.key(1), sample.key(2)]
            try await sample.database.write { transaction in
                for followed in keys[1...] {
                    try transaction.visibility.follow(followed, by: keys[0], now: Sample.noon)
                }
                try transaction.visibility.follow(keys[0], by: keys[1], now: Sample.noon)
            }
            for (policy, expected) in [
                (NotificationPolicy.anybody, "p3 and 2 others waved"), (.followed, "p2 and p1 waved"),
                (.mutual, "p1 waved"),
            ] {
                try await sample.choose(of: 0) { $0.policy = policy }
                for actor in 1...3 { try await sample.wave(at: 0, by: actor, subject: policy.rawValue) }
                #expect(try await sample.titles(of: 0).first == expected)
            }
        }
    }

    @Test("A kind that is off is not recorded, and one that is not wanted in the list is not in it")
    func channels() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(of: 0)
            try await sample.choose([.wave: []], of: 0)
            try await sample.wave(at: 0, by: 1)
            #expect(try await sample.due().isEmpty)
            try await sample.choose([.wave: [.webPush]], of: 0)
            try await sample.wave(at: 0, by: 1)
            #expect(try await sample.titles(of: 0).isEmpty)
            #expect(try await sample.due().count == 1)
            try await sample.choose([.wave: [.page]], of: 0)
            try await sample.wave(at: 0, by: 1, subject: "listed")
            #expect(try await sample.titles(of: 0) == ["p1 waved"])
            #expect(try await sample.due().isEmpty)
            await #expect(throws: NotificationRefusal.unknownKind("later")) {
                try await sample.choose([NotificationKind(rawValue: "later"): []], of: 0)
            }
        }
    }

    @Test("What is withdrawn ends, and its group with the last event")
    func withdrawals() async throws {
        try await Sample.run(people: 3) { sample in
            try await sample.wave(at: 0, by: 1, item: "one")
            try await sample.wave(at: 0, by: 2, item: "two")
            let key = try #require(try await sample.page(of: 0).items.first?.id)
            try await sample.database.write {
                try $0.publish(NotificationWithdrawn(recipientID: Sample.name(0), kind: .wave, itemID: "two"))
            }
            #expect(try await sample.titles(of: 0) == ["p1 waved"])
            try await sample.database.write {
                try $0.publish(NotificationWithdrawn(recipientID: Sample.name(0), kind: .wave, itemID: "one"))
            }
            #expect(try await sample.titles(of: 0).isEmpty)
            let gone = try await sample.database.read { try $0.goneItems(userID: Sample.name(0), after: 0, limit: 10) }
            #expect(gone.map(\.id) == [key])
            try await sample.wave(at: 0, by: nil, kind: .news, subject: "thing")
            try await sample.database.write {
                try $0.publish(
                    NotificationSubjectWithdrawn(recipientID: Sample.name(0), kind: .news, subject: "thing"))
            }
            #expect(try await sample.titles(of: 0).isEmpty)
        }
    }

    @Test("Pages neither repeat nor lose a notification, and leave out what shows nothing")
    func pages() async throws {
        try await Sample.run(people: 1) { sample in
            for number in 0..<25 { try await sample.wave(at: 0, by: nil, kind: .news, subject: "\(number)") }
            try await sample.wave(at: 0, by: nil, kind: .news, subject: "gone")
            var (found, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try await sample.page(of: 0, after: cursor, limit: 10)
                found += page.items.map(\.group.subject)
                cursor = page.nextCursor
            } while cursor != nil
            #expect(found == (0..<25).reversed().map(String.init))
        }
    }

    @Test("The mark only moves forward, and not beyond the last change")
    func marks() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.wave(at: 0, by: 1)
            let number = try #require(try await sample.page(of: 0).items.first?.number)
            func move(_ number: Int64) async throws -> Int64 {
                try await sample.database.write { try $0.notifications.moveMark(to: number, of: Sample.name(0)).number }
            }
            #expect(try await move(number) == number)
            #expect(try await move(1) == number)
            await #expect(throws: NotificationRefusal.self) { try await move(1 << 50) }
            await #expect(throws: NotificationRefusal.unknownPerson) {
                try await sample.database.write { try $0.notifications.moveMark(to: 1, of: "nobody") }
            }
        }
    }

    @Test("Readers of a topic are notified some at a time, each once, also where they read several topics")
    func announcements() async throws {
        try await Sample.run(people: 7) { sample in
            let topics = [TimelineTopic.artist(key: "one"), .artist(key: "two")]
            let keys = try await sample.database.write { transaction in
                for number in 0..<6 {
                    try transaction.timeline.setTopics(
                        number.isMultiple(of: 2) ? topics : [topics[0]], of: Sample.name(number),
                        because: .rankedArtist)
                }
                return try topics.map { try transaction.timeline.author(of: $0).rawValue }
            }
            try await sample.database.write {
                try $0.publish(
                    TopicNews(kind: .news, subject: "", topics: keys, itemID: "thing", time: Sample.noon))
            }
            let accounts = sample.accounts
            var steps = 0
            while try await sample.database.write({
                try $0.notifications.announce(
                    kinds: Sample.kinds, accounts: accounts, now: Sample.noon, limit: 2)
            }) { steps += 1 }
            #expect(steps == 4)
            for number in 0..<6 { #expect(try await sample.titles(of: number) == ["1 thing"]) }
            #expect(try await sample.titles(of: 6).isEmpty)
        }
    }

    @Test("Old notifications are deleted with their events")
    func pruning() async throws {
        try await Sample.run(people: 2) { sample in
            try await sample.addTarget(of: 0)
            try await sample.wave(at: 0, by: 1, subject: "old")
            try await sample.wave(at: 0, by: 1, subject: "new", time: Sample.noon.after(seconds: 100))
            let count = try await sample.database.write {
                try $0.notifications.prune(lastBefore: .unguarded(Sample.noon.after(seconds: 50)), limit: 10)
            }
            #expect(count == 1)
            #expect(try await sample.page(of: 0).items.map(\.group.subject) == ["new"])
            #expect(try await sample.due().count == 1)
        }
    }
}
