import DomainEvents
import Model
import Storage
import TestSupport
import Testing
import Visibility

@testable import Messages

@Suite("Requests to write to somebody")
struct MessageRequestTests {
    @Test("A request has no preview, no event, no unread count and no push, and nothing further can be sent")
    func waiting() async throws {
        try await SampleMessages.run(people: 2) { sample in
            let thread = try await sample.thread(0, 1)
            #expect(try await sample.thread(thread, seenBy: 0)?.writing == .request)
            let before = try await sample.lastChange()
            try await sample.send(1, "May I?", hasSong: true, in: thread, by: 0)
            await #expect(throws: MessageRefusal.requestPending) { try await sample.send(2, in: thread, by: 0) }
            let own = try #require(try await sample.thread(thread, seenBy: 0))
            #expect(own.state == .requested && own.writing == .waiting && own.last != nil)
            let asked = try #require(try await sample.thread(thread, seenBy: 1))
            #expect(asked.state == .request && asked.last == nil && asked.at != nil && asked.unread == 0)
            #expect(try await sample.changes(of: 1, after: before).isEmpty)
            #expect(try await sample.changedThreads(of: 1, after: before) == [thread])
            #expect(try await sample.threads(of: 1).isEmpty)
            #expect(try await sample.threads(.requests, of: 1) == [thread])
            #expect(try await sample.unread(of: 1).requests == 1)
            #expect(try await sample.unread(of: 1).messages == 0)
            #expect(try await sample.count("timeline_own_items") == 0)
            #expect(sample.notifications.events.map(\.kind) == [.messageRequest])
            await #expect(throws: MessageRefusal.requestNotAccepted) { try await sample.read(.max, in: thread, by: 1) }
            // Whoever is asked reads it on its own page, in order to decide.
            #expect(try await sample.texts(thread, seenBy: 1) == ["May I?"])
        }
    }

    @Test("An accepted request arrives with its song, and opens the thread for both, whatever the policy")
    func accepting() async throws {
        try await SampleMessages.run(people: 2) { sample in
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, "May I?", hasSong: true, in: thread, by: 0)
            let before = try await sample.lastChange()
            await #expect(throws: MessageRefusal.unknownThread) { try await sample.accept(thread, by: 0) }
            for _ in 0..<2 { try await sample.accept(thread, by: 1) }
            let seen = try #require(try await sample.thread(thread, seenBy: 1))
            #expect(seen.state == .open && seen.unread == 1 && seen.last != nil)
            for person in 0..<2 {
                #expect(try await sample.changes(of: person, after: before) == ["May I?"])
                #expect(try await sample.threads(of: person) == [thread])
            }
            #expect(try await sample.count("timeline_own_items") == 1)
            #expect(sample.notifications.withdrawn == [thread])
            try await sample.choose(1) { $0.policy = .mutual }
            try await sample.send(2, in: thread, by: 0)
            #expect(try await sample.unread(of: 1).messages == 2)
        }
    }

    @Test("Writing back accepts a request")
    func answering() async throws {
        try await SampleMessages.run(people: 2) { sample in
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, "May I?", in: thread, by: 0)
            try await sample.send(1, "Yes", in: thread, by: 1)
            #expect(try await sample.texts(thread, seenBy: 1) == ["May I?", "Yes"])
            #expect(try await sample.thread(thread, seenBy: 0)?.unread == 1)
            #expect(try await sample.thread(thread, seenBy: 1)?.unread == 0)
            try await sample.send(2, in: thread, by: 0)
        }
    }

    @Test("Who was asked and then follows the one who asked gets the request with the next message")
    func following() async throws {
        try await SampleMessages.run(people: 2) { sample in
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, "May I?", hasSong: true, in: thread, by: 0)
            try await sample.follow(0, by: 1)
            let before = try await sample.lastChange()
            try await sample.send(2, "Thanks", in: thread, by: 0)
            let seen = try #require(try await sample.thread(thread, seenBy: 1))
            #expect(seen.state == .open && seen.unread == 2)
            #expect(try await sample.changes(of: 1, after: before) == ["May I?", "Thanks"])
            #expect(try await sample.count("timeline_own_items") == 1)
            #expect(sample.notifications.withdrawn == [thread])
        }
    }

    @Test("A decline tells nothing: the thread is gone for who was asked, and the next request may come after 90 days")
    func declining() async throws {
        try await SampleMessages.run(people: 2) { sample in
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, "May I?", in: thread, by: 0)
            let before = try await sample.lastChange()
            let own = try await sample.thread(thread, seenBy: 0)
            try await sample.decline(thread, by: 1)
            #expect(try await sample.thread(thread, seenBy: 0) == own)
            #expect(try await sample.changedThreads(of: 0, after: before).isEmpty)
            #expect(try await sample.gone(for: 1, after: before) == ["thread \(thread)"])
            #expect(try await sample.threads(.requests, of: 1).isEmpty)
            #expect(try await sample.texts(thread, seenBy: 1).isEmpty)
            await #expect(throws: MessageRefusal.requestPending) { try await sample.send(2, in: thread, by: 0) }
            let later = SampleMessages.noon.advanced(by: .seconds(90 * 86_400))
            try await sample.send(2, "Again?", in: thread, by: 0, now: later)
            #expect(try await sample.threads(.requests, of: 1) == [thread])
            #expect(try await sample.texts(thread, seenBy: 1) == ["Again?"], "what was declined stays hidden")
            #expect(try await sample.texts(thread, seenBy: 0) == ["May I?", "Again?"])
        }
    }

    @Test("Whoever takes their request back is answered nobody, and waits as long")
    func withdrawing() async throws {
        try await SampleMessages.run(people: 2) { sample in
            let thread = try await sample.thread(0, 1)
            let id = try await sample.sent(1, "May I?", in: thread, by: 0)
            try await sample.delete(id, in: thread, by: 0)
            #expect(try await sample.threads(.requests, of: 1).isEmpty)
            #expect(try await sample.gone(for: 1) == ["thread \(thread)"])
            #expect(sample.notifications.withdrawn.contains(thread))
            await #expect(throws: MessageRefusal.requestPending) { try await sample.send(2, in: thread, by: 0) }
        }
    }

    @Test("What was declined is no part of the next request: neither for taking it back, nor for what is new")
    func afterDecline() async throws {
        try await SampleMessages.run(people: 2) { sample in
            let thread = try await sample.thread(0, 1)
            let declined = try await sample.sent(1, "May I?", in: thread, by: 0)
            try await sample.decline(thread, by: 1)
            let second = SampleMessages.noon.advanced(by: .seconds(90 * 86_400))
            let again = try await sample.sent(2, "Again?", in: thread, by: 0, now: second)
            try await sample.delete(again, in: thread, by: 0)
            #expect(try await sample.threads(.requests, of: 1).isEmpty)
            #expect(try await sample.unread(of: 1).requests == 0)

            let third = second.advanced(by: .seconds(90 * 86_400))
            try await sample.send(3, "Once more?", in: thread, by: 0, now: third)
            try await sample.accept(thread, by: 1)
            try await sample.delete(declined, in: thread, by: 0)
            #expect(try await sample.thread(thread, seenBy: 1)?.unread == 1)
        }
    }

    @Test("A request of somebody who is suspended is in no list, until the suspension ends")
    func suspendedAsker() async throws {
        try await SampleMessages.run(people: 2) { sample in
            let thread = try await sample.thread(0, 1)
            let before = try await sample.lastChange()
            try await sample.send(1, "May I?", in: thread, by: 0)
            _ = try await sample.database.write { try $0.visibility.suspend(userID: SampleMessages.name(0)) }
            for kind in ThreadListKind.allCases { #expect(try await sample.threads(kind, of: 1).isEmpty, "\(kind)") }
            #expect(try await sample.changedThreads(of: 1, after: before).isEmpty)
            #expect(try await sample.unread(of: 1) == UnreadMessages())
            _ = try await sample.database.write { try $0.visibility.reinstate(userID: SampleMessages.name(0)) }
            #expect(try await sample.threads(.requests, of: 1) == [thread])
        }
    }

    @Test("Whoever asked somebody who is private by now cannot tell it from a block")
    func privateByNow() async throws {
        try await SampleMessages.run(people: 2) { sample in
            let thread = try await sample.thread(0, 1)
            try await sample.send(1, "May I?", in: thread, by: 0)
            try await sample.show(1, .private)
            let own = try #require(try await sample.thread(thread, seenBy: 0))
            #expect(own.state == .closed && own.other == nil)
            await #expect(throws: MessageRefusal.unknownPerson) { try await sample.thread(0, 1) }
            let recipients = try await sample.database.read { reader in
                let viewer = try #require(try reader.visibility.viewer(userID: SampleMessages.name(0)))
                return try reader.messages.recipients(of: viewer, now: SampleMessages.noon).count
            }
            #expect(recipients == 0)
            // Whoever accepts shows themself.
            try await sample.accept(thread, by: 1)
            #expect(try await sample.thread(thread, seenBy: 0)?.state == .open)
        }
    }

    @Test("A person who refuses messages gets none, and is no recipient of them; friends write at once")
    func policies() async throws {
        try await SampleMessages.run(people: 4) { sample in
            try await sample.choose(1) { $0.policy = .followed }
            let thread = try await sample.thread(0, 1)
            await #expect(throws: MessageRefusal.messagesRefused) { try await sample.send(1, in: thread, by: 0) }
            #expect(try await sample.count("messages") == 0)
            try await sample.follow(0, by: 1)
            try await sample.send(1, in: thread, by: 0)
            try await sample.choose(1) { $0.policy = .mutual }
            try await sample.send(2, in: thread, by: 0)
            let other = try await sample.thread(2, 1)
            await #expect(throws: MessageRefusal.messagesRefused) { try await sample.send(1, in: other, by: 2) }
        }
    }

    @Test("What a profile says of writing is what a message leads to, with and without a thread")
    func writing() async throws {
        for visibility in [ProfileVisibility.public, .followers] {
            try await SampleMessages.run(people: 2, visibility: visibility) { sample in
                func writing() async throws -> MessageWriting {
                    try await sample.database.read { reader in
                        let viewer = try #require(try reader.visibility.viewer(userID: SampleMessages.name(0)))
                        let relation = try reader.visibility.relation(of: viewer, to: SampleMessages.name(1))
                        return try reader.messages.writing(
                            to: Standing(try #require(relation)), by: viewer, now: SampleMessages.noon)
                    }
                }
                for hasThread in [false, true] {
                    if hasThread { _ = try await sample.thread(0, 1) }
                    for policy in MessagePolicy.allCases {
                        try await sample.choose(1) { $0.policy = policy }
                        #expect(try await writing() == (policy == .anybody ? .request : .refused), "\(policy)")
                    }
                }
                try await sample.follow(0, by: 1)
                #expect(try await writing() == .refused, "only one of the two follows")
                try await sample.follow(1, by: 0)
                #expect(try await writing() == .free)
            }
        }
    }

    @Test("Recipients are those to whom one writes most, then those with whom one writes, then those one follows")
    func recipients() async throws {
        try await SampleMessages.run(people: 7) { sample in
            for person in [1, 2, 3] { try await sample.befriend(0, person) }
            try await sample.befriend(0, 4)
            for person in [6, 5] { try await sample.follow(person, by: 0) }
            let (second, third) = (try await sample.thread(0, 2), try await sample.thread(0, 3))
            try await sample.send(1, in: third, by: 0)
            for number in 0..<3 { try await sample.send(number, in: second, by: 0) }
            try await sample.send(1, in: try await sample.thread(1, 0), by: 1)
            try await sample.block(0, by: 4)
            let found = try await sample.database.read { reader in
                let viewer = try #require(try reader.visibility.viewer(userID: SampleMessages.name(0)))
                return try reader.messages.recipients(of: viewer, now: SampleMessages.noon)
            }
            #expect(found.map(\.person.userID) == [2, 3, 1, 5, 6].map(SampleMessages.name))
            #expect(found.map(\.writing) == [.free, .free, .free, .request, .request])
            #expect(found.map(\.threadID).prefix(2) == [second, third])
            // Who receives nothing is left out, and somebody else takes the place on the page.
            for person in [3, 5] { try await sample.choose(person) { $0.policy = .mutual } }
            let possible = try await sample.database.read { reader in
                let viewer = try #require(try reader.visibility.viewer(userID: SampleMessages.name(0)))
                return try reader.messages.recipients(of: viewer, limit: 4, now: SampleMessages.noon)
            }
            #expect(possible.map(\.person.userID) == [2, 3, 1, 6].map(SampleMessages.name))
        }
    }
}
