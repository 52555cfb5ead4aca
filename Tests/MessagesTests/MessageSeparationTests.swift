import Model
import Storage
import TestSupport
import Testing
import Visibility

@testable import Messages

@Suite("Threads after blocks and erasures")
struct MessageSeparationTests {
    /// Two friends, who have written to each other.
    private func withThread(_ body: (SampleMessages, _ thread: String) async throws -> Void) async throws {
        try await SampleMessages.run(people: 3) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, "From 0", in: thread, by: 0)
            try await sample.send(1, "From 1", hasSong: true, in: thread, by: 1)
            try await sample.send(2, "Late", in: thread, by: 0)
            try await body(sample, thread)
        }
    }

    @Test("Who was blocked sees what an erasure leaves; who blocks reads on; both lose counts and marks at once")
    func blocking() async throws {
        try await withThread { sample, thread in
            for person in 0..<2 { try await sample.choose(person) { $0.showsReadMarks = true } }
            // A song that was sent to the one who blocks is not in the feed any longer.
            func songs() async throws -> Int {
                try await sample.database.read { reader in
                    let viewer = try #require(try reader.visibility.viewer(userID: SampleMessages.name(0)))
                    let numbers = try reader.map("SELECT number FROM messages") { try $0["number"] as Int64 }
                    return try reader.messages.sentSongs(numbers, to: viewer).count
                }
            }
            #expect(try await songs() == 1)
            let before = try await sample.lastChange()
            try await sample.block(1, by: 0)
            #expect(try await songs() == 0)
            let blocked = try #require(try await sample.thread(thread, seenBy: 1))
            #expect(blocked.state == .closed && blocked.other == nil && blocked.writing == .closed)
            #expect(blocked.unread == 0 && blocked.otherReadNumber == nil && blocked.resetChange > before)
            #expect(try await sample.texts(thread, seenBy: 1) == ["-", "From 1", "-"])
            #expect(try await sample.threads(of: 1) == [thread])
            let blocker = try #require(try await sample.thread(thread, seenBy: 0))
            #expect(blocker.state == .blocked && blocker.other != nil && blocker.otherReadNumber == nil)
            #expect(try await sample.texts(thread, seenBy: 0) == ["From 0", "From 1", "Late"])
            #expect(try await sample.threads(of: 0).isEmpty)
            #expect(try await sample.threads(.blocked, of: 0) == [thread])
            for person in 0..<2 {
                #expect(try await sample.unread(of: person) == UnreadMessages())
                #expect(try await sample.changedThreads(of: person, after: before) == [thread])
                await #expect(throws: MessageRefusal.threadClosed) { try await sample.send(9, in: thread, by: person) }
            }
        }
    }

    @Test("A message is found by its id as long as the person sees it, and by nobody else")
    func messagesByID() async throws {
        try await withThread { sample, thread in
            let id = try await sample.sent(3, "With a song", hasSong: true, in: thread, by: 0)
            func states() async throws -> [Message.State?] {
                var states: [Message.State?] = []
                for person in 0..<3 { states.append(try await sample.message(id, seenBy: person)?.state) }
                return states
            }
            #expect(try await states() == [.shown, .shown, nil])
            let other = MessageID(number: id.number, milliseconds: id.milliseconds + 1)
            #expect(try await sample.message(other, seenBy: 1) == nil)
            try await sample.block(1, by: 0)
            #expect(try await states() == [.shown, .hidden, nil])
            try await sample.unblock(1, by: 0)
            _ = try await sample.database.write { try $0.visibility.suspend(userID: SampleMessages.name(0)) }
            #expect(try await states() == [nil, .hidden, nil])
            _ = try await sample.database.write { try $0.visibility.reinstate(userID: SampleMessages.name(0)) }
            try await sample.delete(id, in: thread, by: 0)
            #expect(try await states() == [.deleted, .deleted, nil])
        }
    }

    @Test("The end of a block brings the thread back for both, and nothing counts as read that was not")
    func unblocking() async throws {
        try await withThread { sample, thread in
            for person in 0..<2 { try await sample.choose(person) { $0.showsReadMarks = true } }
            func marks() async throws -> [Int64?] {
                [
                    try await sample.thread(thread, seenBy: 0)?.otherReadNumber,
                    try await sample.thread(thread, seenBy: 1)?.otherReadNumber,
                ]
            }
            let marksBefore = try await marks()
            try await sample.block(1, by: 0)
            let before = try await sample.lastChange()
            try await sample.unblock(1, by: 0)
            for person in 0..<2 {
                let seen = try #require(try await sample.thread(thread, seenBy: person))
                #expect(seen.state == .open && seen.resetChange > before && seen.unread == 0)
                #expect(try await sample.texts(thread, seenBy: person) == ["From 0", "From 1", "Late"])
                #expect(try await sample.changedThreads(of: person, after: before) == [thread])
            }
            #expect(try await marks() == marksBefore)
            try await sample.send(9, in: thread, by: 1)
        }
    }

    @Test("After a block by both, the end of one leaves the thread closed for who is still blocked")
    func blockedByBoth() async throws {
        try await withThread { sample, thread in
            try await sample.block(1, by: 0)
            try await sample.block(0, by: 1)
            #expect(try await sample.thread(thread, seenBy: 1)?.state == .blocked)
            try await sample.unblock(1, by: 0)
            #expect(try await sample.thread(thread, seenBy: 0)?.state == .closed)
            #expect(try await sample.thread(thread, seenBy: 1)?.state == .blocked)
        }
    }

    @Test("A block ends a request for who was asked, whoever blocks, and asking again waits")
    func blockedRequest() async throws {
        for blocker in 0..<2 {
            try await SampleMessages.run(people: 2) { sample in
                let thread = try await sample.thread(0, 1)
                try await sample.send(1, "May I?", in: thread, by: 0)
                try await sample.block(1 - blocker, by: blocker)
                #expect(try await sample.threads(.requests, of: 1).isEmpty)
                #expect(try await sample.unread(of: 1).requests == 0)
                #expect(try await sample.gone(for: 1).contains("thread \(thread)"))
                try await sample.unblock(1 - blocker, by: blocker)
                await #expect(throws: MessageRefusal.requestPending) { try await sample.send(2, in: thread, by: 0) }
            }
        }
    }

    @Test("Who was blocked and who has lost somebody by an erasure get the same changes of kinds and threads")
    func alike() async throws {
        var reports: [[String]] = []
        for isBlock in [true, false] {
            try await withThread { sample, thread in
                let before = try await sample.lastChange()
                if isBlock { try await sample.block(1, by: 0) } else { try await sample.erase(0) }
                let seen = try #require(try await sample.thread(thread, seenBy: 1))
                var report = ["\(seen.state)", "\(seen.unread)", seen.last.map { "\($0.state)" } ?? "-"]
                report += try await sample.texts(thread, seenBy: 1)
                report += try await sample.gone(for: 1, after: before).map { String($0.prefix(8)) }
                report.append("\(try await sample.changedThreads(of: 1, after: before).count)")
                report.append("\(try await sample.changes(of: 1, after: before).count)")
                reports.append(report)
            }
        }
        #expect(reports[0] == reports[1])
    }
}

@Suite("Messages of people who are erased")
struct MessageErasureTests {
    @Test("The other person keeps their own messages, and nothing of the erased one's is left but their place")
    func erasing() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            let song = try await sample.sent(1, "Secret words", hasSong: true, in: thread, by: 0)
            try await sample.send(1, "Mine", in: thread, by: 1)
            try await sample.erase(0)
            #expect(try await sample.texts(thread, seenBy: 1) == ["-", "Mine"])
            let seen = try #require(try await sample.thread(thread, seenBy: 1))
            #expect(seen.state == .closed && seen.other == nil && seen.unread == 0)
            await #expect(throws: MessageRefusal.threadClosed) { try await sample.send(2, in: thread, by: 1) }
            try await sample.database.read { reader in
                let row = try #require(
                    try reader.row("SELECT sender, client, body, sealed FROM messages WHERE number = \(song.number)"))
                #expect(try row["sender"] as Int64 == 0)
                #expect(try row["client"] as String? == nil)
                #expect(try row["body"] as Int64 == 0)
                #expect(try row["sealed"] as [UInt8]? == nil)
            }
            #expect(try await sample.count("timeline_own_items") == 0)
            #expect(try await sample.count("message_acts") == 0)
            #expect(try await sample.count("message_sides") == 1)
        }
    }

    @Test("A thread that neither person has any longer is deleted, however many messages it has")
    func bothErased() async throws {
        try await SampleMessages.run(people: 2) { sample in
            try await sample.befriend(0, 1)
            let thread = try await sample.thread(0, 1)
            for number in 0..<130 {
                let now = SampleMessages.noon.advanced(by: .seconds(number * 3))
                try await sample.send(number, in: thread, by: number % 2, now: now)
            }
            for person in 0..<2 { try await sample.erase(person) }
            for table: StaticString in ["messages", "message_threads", "message_sides", "message_acts"] {
                #expect(try await sample.count(table) == 0, "\(table)")
            }
        }
    }

    @Test("A request of somebody who is erased is gone for who was asked")
    func erasedRequest() async throws {
        try await SampleMessages.run(people: 2) { sample in
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, "May I?", in: thread, by: 0)
            try await sample.erase(0)
            #expect(try await sample.threads(.requests, of: 1).isEmpty)
            #expect(try await sample.gone(for: 1).contains("thread \(thread)"))
        }
    }
}
