import Foundation
import Model
import NotificationSources
import Storage
import TestSupport
import Testing

@testable import Notifications
@testable import NotificationsWorker
@testable import UpstreamSimulator

@Suite("Sending pushes", .timeLimit(.minutes(5)))
struct PushRunTests {
    @Test("A browser and a topic get what happened once, with the page that a press opens")
    func delivery() async throws {
        try await PushSample.run(people: 2) { sample in
            let browser = try await sample.addBrowser(0, of: 0)
            try await sample.addTopic(1, of: 0)
            try await sample.wave(at: 0, by: 1)
            #expect(try await sample.push().sent == 2)
            #expect(try sample.shown(by: browser) == ["p1 waved"])
            let messages = sample.simulator.ntfy.messages(topic: "backline")
            #expect(messages.map(\.title) == ["p1 waved"] && messages.map(\.message) == ["1 wave"])
            #expect(messages.map(\.click) == ["https://music.example.org/waves"])
            #expect(try await sample.push().sent == 0)
            #expect(try await sample.notifications.targets(of: 0).allSatisfy { $0.sentAt != nil })
        }
    }

    @Test("A run that is killed after sending is repeated with the same topic; one that is killed before loses nothing")
    func kills() async throws {
        try await PushSample.run(people: 2) { sample in
            let browser = try await sample.addBrowser(of: 0)
            sample.simulator.push.state.withLock { $0.subscriptions[browser.token]?.disconnect() }
            try await sample.wave(at: 0, by: 1)
            // Before anything was taken, after it was taken, and after it was sent.
            for writes in [0, 1, 2] {
                await #expect(throws: PushSample.Killed.self) { try await sample.push(killedAfter: writes) }
            }
            #expect(try await sample.push().sent == 1)
            sample.simulator.push.state.withLock { $0.subscriptions[browser.token]?.connect(at: .now()) }
            #expect(try sample.shown(by: browser) == ["p1 waved"])
            let counts = try #require(
                sample.simulator.push.state.withLock { $0.subscriptions[browser.token] }?.counts)
            #expect(counts.accepted == 2 && counts.replaced == 1)
        }
    }

    @Test("What has waited for the end of quiet hours arrives as one push")
    func quietHours() async throws {
        try await PushSample.run(people: 2) { sample in
            let browser = try await sample.addBrowser(of: 0)
            // All of the day but a minute that is half a day away.
            let minute = Int(Timestamp.now().microseconds / 60_000_000 % 1_440)
            try await sample.notifications.choose(of: 0) {
                $0.quietHours = QuietHours(start: (minute + 721) % 1_440, end: (minute + 720) % 1_440)
            }
            for subject in ["one", "two", "three", "four"] {
                try await sample.wave(at: 0, by: 1, subject: subject)
            }
            _ = try await sample.push()
            #expect(try sample.shown(by: browser).isEmpty)
            try await sample.notifications.choose(of: 0) { $0.quietHours = nil }
            #expect(try await sample.push().sent == 4)
            #expect(try sample.shown(by: browser) == ["4 new notifications"])
        }
    }

    @Test("A subscription that is gone, or for another key, is deleted; nothing else deletes one")
    func answers() async throws {
        for (fault, isGone) in [
            (FaultRule.Kind.unknown404, true), (.gone410, true), (.otherKey400, true), (.otherKey403, true),
            (.unauthorized401, false), (.forbidden403, false), (.status500, false), (.limit429, false),
        ] {
            try await PushSample.run(people: 2) { sample in
                try await sample.addBrowser(of: 0)
                try await sample.wave(at: 0, by: 1)
                sample.fail(fault)
                _ = try await sample.push()
                #expect(try await sample.notifications.targets(of: 0).isEmpty == isGone, "\(fault)")
                #expect(
                    try await sample.notifications.database.read { try !$0.notifications.refusals().isEmpty }
                        == [.unauthorized401, .forbidden403].contains(fault), "\(fault)")
            }
        }
    }

    @Test("A target of which a service refuses a push, or for which it asks to wait, gets no second one")
    func oneAnswer() async throws {
        for fault in [FaultRule.Kind.forbidden403, .limit429, .status500, .gone410] {
            try await PushSample.run(people: 2) { sample in
                try await sample.addBrowser(of: 0)
                for number in 0..<20 { try await sample.wave(at: 0, by: 1, subject: "\(number)") }
                sample.fail(fault, retryAfter: 600)
                #expect(try await sample.push().sent == 0)
                #expect(sample.simulator.push.recorder.log.entries.count == 1, "\(fault)")
                try await sample.wave(at: 0, by: 1, subject: "later")
                #expect(try await sample.push().sent == 0)
                #expect(sample.simulator.push.recorder.log.entries.count == 1, "\(fault)")
            }
        }
    }

    @Test("A topic whose address the configuration no longer allows waits, and does not end")
    func forbiddenAddress() async throws {
        try await PushSample.run(people: 2) { sample in
            try await sample.addTopic(of: 0)
            try await sample.wave(at: 0, by: 1)
            let result = try await sample.push(ntfyNetworks: [])
            #expect(result.sent == 0 && result.waiting == 1)
            #expect(sample.simulator.ntfy.messages(topic: "backline").isEmpty)
            #expect(try await sample.notifications.targets(of: 0).count == 1)
        }
    }

    @Test("A service for which a message is too large gets a shorter one, once")
    func tooLarge() async throws {
        try await PushSample.run(people: 2) { sample in
            let browser = try await sample.addBrowser(of: 0)
            try await sample.wave(at: 0, by: 1)
            sample.fail(.tooLarge413, times: 1)
            #expect(try await sample.push().sent == 1)
            #expect(try sample.shown(by: browser) == ["p1 waved"])
            try await sample.wave(at: 0, by: 1, subject: "more")
            sample.fail(.tooLarge413)
            let result = try await sample.push()
            #expect(result.sent == 0 && result.dropped == 1)
        }
    }

    @Test("Nothing of somebody who was blocked while it waited is sent")
    func block() async throws {
        try await PushSample.run(people: 3) { sample in
            let browser = try await sample.addBrowser(of: 0)
            try await sample.wave(at: 0, by: 1)
            try await sample.wave(at: 0, by: 2)
            try await sample.notifications.release(at: .now())
            try await sample.notifications.block(1, by: 0)
            _ = try await sample.push()
            #expect(try sample.shown(by: browser) == ["p2 waved"])
        }
    }

    @Test("Many people's pushes to several targets are all sent, each once")
    func many() async throws {
        try await PushSample.run(people: 41) { sample in
            var browsers: [SimulatedSubscription] = []
            for person in 1...40 {
                browsers.append(try await sample.addBrowser(0, of: person))
                browsers.append(try await sample.addBrowser(1, of: person))
                try await sample.wave(at: person, by: 0)
            }
            #expect(try await sample.push().sent == 80)
            for browser in browsers { #expect(try sample.shown(by: browser) == ["p0 waved"]) }
        }
    }
}
