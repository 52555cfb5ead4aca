import Model
import Storage
import TestSupport
import Testing
import Visibility

@testable import Messages

@Suite("Pages of messages, deletions and read marks")
struct MessagePageTests {
    private func page(
        _ sample: SampleMessages, _ thread: String, since: Int64? = nil, after cursor: String? = nil, limit: Int = 3
    ) async throws -> MessagePage {
        try await sample.database.read { reader in
            let viewer = try #require(try reader.visibility.viewer(userID: SampleMessages.name(1)))
            let own = try #require(try reader.messages.thread(thread, for: viewer, now: SampleMessages.noon))
            return try reader.messages.messages(
                in: own, for: viewer, since: since, after: cursor.flatMap { messageList.cursor($0) }, limit: limit)
        }
    }

    @Test("Pages are newest first, and neither repeat nor lose a message, also when the clock goes back")
    func pages() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            var ids: [MessageID] = []
            for number in 0..<7 {
                let now = SampleMessages.noon.advanced(by: .seconds(-number))
                ids.append(try await sample.sent(number, in: thread, by: 0, now: now))
            }
            let first = try await page(sample, thread)
            #expect(first.items.map(\.id) == ids.suffix(3).reversed())
            try await sample.delete(ids[4], in: thread, by: 0)
            try await sample.send(9, in: thread, by: 1)
            let second = try await page(sample, thread, after: first.nextCursor)
            #expect(second.items.map(\.id) == [ids[3], ids[2], ids[1]])
            let third = try await page(sample, thread, after: second.nextCursor)
            #expect(third.items.map(\.id) == [ids[0]] && third.nextCursor == nil && !third.hasGap)
        }
    }

    @Test("A page says whether messages are missing before it")
    func gaps() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            var ids: [MessageID] = []
            for number in 0..<6 { ids.append(try await sample.sent(number, in: thread, by: 0)) }
            #expect(try await page(sample, thread).hasGap)
            #expect(try await page(sample, thread, since: ids[1].number).hasGap)
            #expect(try await !page(sample, thread, since: ids[2].number).hasGap)
            #expect(try await !page(sample, thread, since: ids[5].number).hasGap)
            #expect(try await !page(sample, thread, limit: 6).hasGap)
        }
    }

    @Test("Deleting takes the text for both, keeps the place, and counts no longer as new")
    func deleting() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            let id = try await sample.sent(1, "Oops", hasSong: true, in: thread, by: 0)
            try await sample.send(2, "Hello", in: thread, by: 0)
            await #expect(throws: MessageRefusal.unknownMessage) { try await sample.delete(id, in: thread, by: 1) }
            let before = try await sample.lastChange()
            for _ in 0..<2 { try await sample.delete(id, in: thread, by: 0) }
            for person in 0..<2 {
                #expect(try await sample.texts(thread, seenBy: person) == ["-", "Hello"])
                #expect(try await sample.changes(of: person, after: before) == ["-"])
            }
            #expect(try await sample.thread(thread, seenBy: 1)?.unread == 1)
            #expect(try await sample.count("timeline_own_items") == 0)
            #expect(sample.notifications.withdrawn.contains(String(id.number)))
        }
    }
}

@Suite("Read marks of threads")
struct MessageMarkTests {
    @Test("A mark moves forward only, counts what is left, and ends the notifications with the last message")
    func moving() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            var ids: [MessageID] = []
            for number in 0..<4 { ids.append(try await sample.sent(number, in: thread, by: 0)) }
            #expect(try await sample.read(ids[1].number, in: thread, by: 1).unread == 2)
            let back = try await sample.read(ids[0].number, in: thread, by: 1)
            #expect(back.number == ids[1].number && back.unread == 2)
            #expect(sample.notifications.withdrawn.isEmpty)
            let end = try await sample.read(.max, in: thread, by: 1)
            #expect(end.number == ids[3].number && end.unread == 0, "no mark is beyond the newest message")
            #expect(sample.notifications.withdrawn == [thread, thread])
            #expect(try await sample.unread(of: 1) == UnreadMessages())
        }
    }

    @Test("Whoever answers has read the thread: its notifications end as by a mark")
    func answering() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, in: thread, by: 0)
            let answer = try await sample.sent(1, in: thread, by: 1)
            #expect(sample.notifications.withdrawn == [thread, thread])
            let mark = try await sample.read(.max, in: thread, by: 1)
            #expect(mark.number == answer.number && mark.unread == 0)
        }
    }

    @Test("A mark is shown to the other person only if both show theirs")
    func shownToOthers() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            let id = try await sample.sent(1, in: thread, by: 0)
            try await sample.read(id.number, in: thread, by: 1)
            for showing in [[], [0], [1], [0, 1]] {
                for person in 0..<2 {
                    let shows = showing.contains(person)
                    try await sample.choose(person) { $0.showsReadMarks = shows }
                }
                let shown = try await sample.thread(thread, seenBy: 0)?.otherReadNumber
                #expect(shown == (showing.count == 2 ? id.number : nil), "\(showing)")
            }
            let before = try await sample.lastChange()
            let next = try await sample.sent(2, in: thread, by: 0)
            let sent = try await sample.lastChange()
            try await sample.read(next.number, in: thread, by: 1)
            #expect(sent > before)
            #expect(try await sample.changedThreads(of: 0, after: sent) == [thread], "the other one sees it at once")
        }
    }
}
