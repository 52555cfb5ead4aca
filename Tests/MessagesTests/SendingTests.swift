import DomainEvents
import Model
import NotificationSources
import Storage
import TestSupport
import Testing
import Timeline
import Visibility

@testable import Messages

@Suite("Sending messages")
struct SendingTests {
    @Test("Two people have one thread, whoever opens it, and the other one does not learn of it")
    func threads() async throws {
        try await SampleMessages.run(people: 3) { sample in
            let before = try await sample.lastChange()
            let id = try await sample.thread(0, 1)
            #expect(try await sample.thread(1, 0) == id)
            #expect(try await sample.thread(0, 1) == id)
            #expect(try await sample.threads(of: 1).isEmpty)
            #expect(try await sample.changedThreads(of: 1, after: before).isEmpty)
            #expect(try await sample.thread(id, seenBy: 0)?.state == .new)
            #expect(try await sample.thread(id, seenBy: 2) == nil)
            await #expect(throws: MessageRefusal.selfTarget) { try await sample.thread(0, 0) }
            await #expect(throws: MessageRefusal.unknownPerson) { try await sample.thread(0, 7) }
        }
    }

    @Test("A private person who has only opened a thread stays unknown to the other one, until they write")
    func openedByPrivatePerson() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.show(0, .private)
            let id = try await sample.thread(0, 1)
            await #expect(throws: MessageRefusal.unknownPerson) { try await sample.thread(1, 0) }
            let seen = try #require(try await sample.thread(id, seenBy: 1))
            #expect(seen.state == .closed && seen.other == nil)
            try await sample.send(1, "May I?", in: id, by: 0)
            #expect(try await sample.thread(1, 0) == id)
            try await sample.decline(id, by: 1)
            #expect(try await sample.thread(1, 0) == id, "whoever has asked is known")
        }
    }

    @Test("The song of a new draft is asked for in its transaction, and that of an earlier one no longer")
    func songsOfDrafts() async throws {
        struct Gone: Error {}
        @Sendable func gone() throws -> MessageSong? { throw Gone() }
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            let draft = try SampleMessages.draft(1, hasSong: true)
            let send = { [keys = sample.keys] in
                try await sample.database.write { transaction in
                    try transaction.messages.send(
                        draft, showing: try gone(), in: thread, by: SampleMessages.name(0), zone: nil, sealedBy: keys,
                        now: SampleMessages.noon)
                }
            }
            await #expect(throws: Gone.self) { _ = try await send() }
            #expect(try await sample.count("messages") == 0)
            let id = try await sample.sent(1, hasSong: true, in: thread, by: 0)
            guard case .known(let message) = try await send() else {
                Issue.record("the same draft is the same message")
                return
            }
            #expect(message.id == id)
        }
    }

    @Test("A draft makes one message however often it is sent, and its answer stays after the deletion")
    func repeatedDrafts() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            let id = try await sample.sent(1, in: thread, by: 0)
            for _ in 0..<2 {
                guard case .known(let message) = try await sample.send(1, in: thread, by: 0) else {
                    Issue.record("the same draft is the same message")
                    return
                }
                #expect(message.id == id)
                await #expect(throws: MessageRefusal.otherMessage) {
                    try await sample.send(1, "Bye", in: thread, by: 0)
                }
                await #expect(throws: MessageRefusal.otherMessage) {
                    try await sample.send(1, hasSong: true, in: thread, by: 0)
                }
                try await sample.delete(id, in: thread, by: 0)
            }
            #expect(try await sample.count("messages") == 1)
            // The other one may use the same id.
            #expect(try await sample.sent(1, in: thread, by: 1) != id)
            #expect(try await sample.texts(thread, seenBy: 1) == ["-", "Hello"])
        }
    }

    @Test("All effects of a message are there after it: counts, lists, events, a notification, the feed and the act")
    func effects() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            let before = try await sample.lastChange()
            let text = try await sample.sent(1, "Hello", in: thread, by: 0)
            let song = try await sample.sent(2, nil, hasSong: true, in: thread, by: 0)
            #expect(text < song)
            let seen = try #require(try await sample.thread(thread, seenBy: 1))
            #expect(seen.state == .open && seen.unread == 2 && seen.last?.id == song && seen.last?.isMine == false)
            #expect(seen.last?.clientID == nil)
            let own = try #require(try await sample.thread(thread, seenBy: 0))
            #expect(own.unread == 0 && own.readNumber == song.number)
            #expect(own.last?.clientID == SampleMessages.clientID(2))
            for person in 0..<2 {
                #expect(try await sample.threads(of: person) == [thread])
                #expect(try await sample.changes(of: person, after: before) == ["Hello", "-"])
                #expect(try await sample.changedThreads(of: person, after: before) == [thread])
            }
            let events = sample.notifications.events
            #expect(events.map(\.kind) == [.message, .sentSong])
            #expect(events.allSatisfy { $0.recipientID == SampleMessages.name(1) && $0.subject == thread })
            #expect(events.map(\.itemID) == [text, song].map { String($0.number) })
            #expect(try await sample.count("timeline_own_items") == 1)
            #expect(try await sample.count("message_acts") == 1)
        }
    }

    @Test("The act has the day of the sender's own zone")
    func acts() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            // 2027-01-15, 08:00 UTC, and 16 hours later.
            for (number, hours) in [0, 1, 16].enumerated() {
                try await sample.send(
                    number, in: thread, by: 0, zone: "Pacific/Auckland",
                    now: SampleMessages.noon.advanced(by: .seconds(hours * 3_600)))
            }
            let days = try await sample.database.read { reader in
                try reader.map("SELECT day FROM message_acts ORDER BY day") { try $0["day"] as String }
            }
            #expect(days == ["2027-01-15", "2027-01-16"])
        }
    }

    @Test("30 messages a minute reach one person, and deleting does not restore the allowance")
    func limitToOne() async throws {
        try await SampleMessages.run(people: 3) { sample in
            try await sample.befriend(0, 1)
            try await sample.befriend(0, 2)
            let (thread, other) = (try await sample.thread(0, 1), try await sample.thread(0, 2))
            var ids: [MessageID] = []
            for number in 0..<30 { ids.append(try await sample.sent(number, in: thread, by: 0)) }
            try await sample.delete(ids[0], in: thread, by: 0)
            let reached = await #expect(throws: ActLimitReached.self) { try await sample.send(30, in: thread, by: 0) }
            #expect(reached?.limit.name == "messagesPerMinuteToOne")
            #expect(try await sample.count("messages") == 30, "a refused message leaves nothing")
            // A repeated draft counts as none, and somebody else has another limit.
            #expect(try await sample.sent(29, in: thread, by: 0) == ids[29])
            try await sample.send(31, in: other, by: 0)
            try await sample.send(30, in: thread, by: 0, now: SampleMessages.noon.advanced(by: .seconds(2)))
        }
    }

    @Test("120 messages a minute reach all people together, and 20 threads are made in a day")
    func limits() async throws {
        try await SampleMessages.run(people: 30) { sample in
            for person in 1...5 { try await sample.befriend(0, person) }
            for number in 0..<120 {
                try await sample.send(number, in: try await sample.thread(0, 1 + number % 5), by: 0)
            }
            let thread = try await sample.thread(0, 5)
            let reached = await #expect(throws: ActLimitReached.self) { try await sample.send(120, in: thread, by: 0) }
            #expect(reached?.limit.name == "messagesPerMinute")
            for person in 6...20 { _ = try await sample.thread(0, person) }
            let threads = await #expect(throws: ActLimitReached.self) { try await sample.thread(0, 21) }
            #expect(threads?.limit.name == "threadsPerDay")
            _ = try await sample.thread(0, 20)
        }
    }

    @Test("Notifications have neither texts nor songs")
    func notificationTexts() {
        for source in [NotificationSource].messages {
            #expect(!source.asksPolicy && (source.kind == .messageRequest) == (source.channels == [.page]))
        }
    }

    @Test("A text is cleaned of what nobody sees, and an empty one is no message")
    func texts() throws {
        #expect(try SampleMessages.draft(1, " \u{202E}a\r\nb\u{0} \n").text == "a\nb")
        #expect(MessageDraft(clientID: SampleMessages.clientID(1), text: " \n\t", songParts: []) == nil)
        #expect(MessageDraft(clientID: SampleMessages.clientID(1), text: nil, songParts: ["share", "1"]) != nil)
    }

    @Test("Somebody who was suspended meanwhile sends nothing, and nothing can be sent to them")
    func suspended() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, in: thread, by: 0)
            _ = try await sample.database.write { try $0.visibility.suspend(userID: SampleMessages.name(0)) }
            await #expect(throws: MessageRefusal.unknownThread) { try await sample.send(2, in: thread, by: 0) }
            await #expect(throws: MessageRefusal.threadClosed) { try await sample.send(2, in: thread, by: 1) }
            #expect(try await sample.texts(thread, seenBy: 1) == ["-"])
            _ = try await sample.database.write { try $0.visibility.reinstate(userID: SampleMessages.name(0)) }
            #expect(try await sample.texts(thread, seenBy: 1) == ["Hello"])
        }
    }

    @Test("A message is stored, and a page and the changes are read, by indexes")
    func plans() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.database.read { reader in
                for query: SQL in [
                    "SELECT 1 FROM messages WHERE thread = 1 AND sender = 1 AND client = 'a'",
                    "SELECT number FROM messages WHERE thread = 1 AND number > 1 ORDER BY number DESC LIMIT 50",
                    "SELECT number FROM messages WHERE sender = 1 AND change > 1 ORDER BY change LIMIT 50",
                    "SELECT number FROM messages WHERE recipient = 1 AND change > 1 ORDER BY change LIMIT 50",
                    """
                    SELECT thread FROM message_sides
                    WHERE person = 1 AND is_asked = 0 AND last_number > 0 ORDER BY last_number DESC LIMIT 50
                    """,
                    "SELECT COUNT(*) FROM message_sides WHERE person = 1 AND is_asked = 1 AND last_number > 0",
                ] {
                    let plan = try reader.plan(of: query)
                    #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
                }
            }
        }
    }
}
