import Model
import Storage
import TestSupport
import Testing
import Visibility

@testable import Messages

@Suite("What threads learn of the other person")
struct ThreadChangeTests {
    /// Two people who have written to each other, of whom neither follows the other.
    private func withThread(_ body: (SampleMessages, _ thread: String) async throws -> Void) async throws {
        try await SampleMessages.run(people: 3) { sample in
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, "From 0", in: thread, by: 0)
            try await sample.send(1, "From 1", in: thread, by: 1)
            try await body(sample, thread)
        }
    }

    @Test("A suspension closes an open thread with a change, and its end opens it with one, without a row for it")
    func suspensions() async throws {
        try await withThread { sample, thread in
            let before = try await sample.lastChange()
            let rows = try await sample.sideChanges()
            try await sample.suspend(1)
            #expect(try await sample.changedThreads(of: 0, after: before) == [thread])
            let closed = try #require(try await sample.thread(thread, seenBy: 0))
            #expect(closed.state == .closed && closed.other == nil && closed.resetChange > before)
            #expect(try await sample.texts(thread, seenBy: 0) == ["From 0", "-"])
            let middle = try await sample.lastChange()
            #expect(try await sample.changedThreads(of: 0, after: middle).isEmpty)
            try await sample.reinstate(1)
            #expect(try await sample.changedThreads(of: 0, after: middle) == [thread])
            let open = try #require(try await sample.thread(thread, seenBy: 0))
            #expect(open.state == .open && open.resetChange > closed.resetChange)
            #expect(try await sample.texts(thread, seenBy: 0) == ["From 0", "From 1"])
            #expect(try await sample.sideChanges() == rows, "nothing was written for the thread")
            for person in [1, 2] { #expect(try await sample.changedThreads(of: person, after: before).isEmpty) }
        }
    }

    @Test("A change of settings changes all threads with the person, and the same settings again change none")
    func settings() async throws {
        try await SampleMessages.run(people: 3) { sample in
            // One has asked and has no answer, and one writes with the person.
            let asked = try await sample.thread(0, 1)
            try await sample.send(1, in: asked, by: 0)
            let open = try await sample.thread(2, 1)
            try await sample.send(1, in: open, by: 2)
            try await sample.accept(open, by: 1)
            let before = try await sample.lastChange()
            try await sample.choose(1) { $0.policy = .mutual }
            #expect(try await sample.changedThreads(of: 0, after: before) == [asked])
            #expect(try await sample.changedThreads(of: 2, after: before) == [open])
            let after = try await sample.lastChange()
            try await sample.choose(1) { $0.policy = .mutual }
            #expect(try await sample.lastChange() == after)
            try await sample.choose(1) { $0.showsReadMarks = true }
            #expect(try await sample.changedThreads(of: 2, after: after) == [open])
        }
    }

    @Test("Settings are changed at most 30 times at once")
    func limit() async throws {
        try await SampleMessages.run(people: 1) { sample in
            for number in 0..<30 { try await sample.choose(0) { $0.showsReadMarks = number.isMultiple(of: 2) } }
            await #expect(throws: ActLimitReached.self) { try await sample.choose(0) { $0.showsReadMarks = true } }
            // What changes nothing is not counted.
            try await sample.choose(0) { $0.showsReadMarks = false }
        }
    }

    @Test("Who was blocked learns nothing of what the blocker does then, as after an erasure")
    func blocked() async throws {
        try await withThread { sample, thread in
            try await sample.block(0, by: 1)
            let closed = try #require(try await sample.thread(thread, seenBy: 0))
            let before = try await sample.lastChange()
            try await sample.choose(1) { $0.policy = .followed }
            try await sample.show(1, .private)
            try await sample.suspend(1)
            try await sample.reinstate(1)
            #expect(try await sample.changedThreads(of: 0, after: before).isEmpty)
            let seen = try #require(try await sample.thread(thread, seenBy: 0))
            #expect(seen.state == closed.state && seen.resetChange == closed.resetChange)
            // Neither does the one who blocks of the blocked person.
            let rest = try await sample.lastChange()
            try await sample.choose(0) { $0.policy = .followed }
            #expect(try await sample.changedThreads(of: 1, after: rest).isEmpty)
        }
    }

    @Test("An erasure changes the thread once, when the side is deleted, and its beginning does not")
    func erasure() async throws {
        try await withThread { sample, thread in
            // An earlier change of the person has a higher number than the thread.
            try await sample.choose(1) { $0.showsReadMarks = true }
            let former = try #require(try await sample.thread(thread, seenBy: 0))
            let before = try await sample.lastChange()
            try await sample.database.write { try $0.visibility.close(userID: SampleMessages.name(1)) }
            #expect(try await sample.changedThreads(of: 0, after: before).isEmpty)
            let beginning = try #require(try await sample.thread(thread, seenBy: 0))
            // What is read meanwhile looks as after a block.
            #expect(beginning.state == .closed && beginning.resetChange > former.resetChange)
            try await sample.erase(1)
            #expect(try await sample.changedThreads(of: 0, after: before) == [thread])
            let end = try #require(try await sample.thread(thread, seenBy: 0))
            #expect(end.state == .closed && end.resetChange == end.change)
        }
    }

    @Test("Whoever has asked somebody who is private by now learns nothing of what they do")
    func privateByNow() async throws {
        try await SampleMessages.run(people: 2) { sample in
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, "May I?", in: thread, by: 0)
            try await sample.show(1, .private)
            let closed = try #require(try await sample.thread(thread, seenBy: 0))
            let before = try await sample.lastChange()
            try await sample.choose(1) { $0.policy = .mutual }
            try await sample.suspend(1)
            #expect(try await sample.changedThreads(of: 0, after: before).isEmpty)
            let seen = try #require(try await sample.thread(thread, seenBy: 0))
            #expect(seen.state == closed.state && seen.resetChange == closed.resetChange)
        }
    }

    @Test("A request of somebody who is suspended is gone for who was asked, and comes back with its end")
    func suspendedAsker() async throws {
        try await SampleMessages.run(people: 2) { sample in
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, "May I?", in: thread, by: 0)
            let before = try await sample.lastChange()
            try await sample.suspend(0)
            #expect(try await sample.threadChanges(of: 1, after: before).map(\.isGone) == [true])
            let middle = try await sample.lastChange()
            try await sample.reinstate(0)
            let back = try await sample.threadChanges(of: 1, after: middle)
            #expect(back.map(\.isGone) == [false] && back.map(\.thread.state) == [.request])
        }
    }

    @Test("Pages of changes have every thread, whether it or the other person has changed")
    func pages() async throws {
        try await SampleMessages.run(people: 9) { sample in
            var threads: [String] = []
            for other in 1..<9 {
                let thread = try await sample.thread(0, other)
                try await sample.send(1, in: thread, by: 0)
                try await sample.send(1, in: thread, by: other)
                threads.append(thread)
            }
            let before = try await sample.lastChange()
            // Threads of even numbers change themselves, others by the other person, and some by both.
            for (index, thread) in threads.enumerated() {
                if index.isMultiple(of: 2) { try await sample.send(2, in: thread, by: index + 1) }
                if index % 4 != 2 { try await sample.choose(index + 1) { $0.showsReadMarks = true } }
            }
            for limit in 1...9 {
                var (found, after): (Set<String>, Int64) = ([], before)
                while true {
                    let page = try await sample.threadChanges(of: 0, after: after, limit: limit)
                    #expect(page.map(\.number) == page.map(\.number).sorted())
                    found.formUnion(page.map(\.thread.id))
                    guard let last = page.last?.number, page.count >= limit else { break }
                    after = last
                }
                #expect(found == Set(threads), "\(limit)")
            }
        }
    }

    @Test("Streams are woken and read alone of those who have a thread with somebody who has changed")
    func readers() async throws {
        try await withThread { sample, _ in
            // One has only opened a thread.
            _ = try await sample.thread(2, 1)
            let before = try await sample.lastChange()
            try await sample.choose(1) { $0.policy = .followed }
            try await sample.database.read { reader in
                let everybody = Set((0..<3).map(SampleMessages.name))
                let author = try #require(try reader.visibility.key(ofUser: SampleMessages.name(1))).rawValue
                let woken = try reader.messages.correspondents(of: [author], among: everybody)
                #expect(woken == [SampleMessages.name(0)])
                let positions = try everybody.compactMap { try reader.visibility.viewer(userID: $0) }
                    .map { ViewerPosition($0, after: before) }
                let idle = try reader.messages.viewersWithoutChangedPeople(positions)
                #expect(!idle.contains { $0.viewer.userID == SampleMessages.name(0) })
                #expect(idle.contains { $0.viewer.userID == SampleMessages.name(1) })
            }
        }
    }
}
