import DomainEvents
import Model
import NotificationSources
import Storage
import TestSupport
import Testing

@testable import Notifications

@Suite("Pushes and quiet hours")
struct QuietPushTests {
    private typealias Sample = SampleNotifications

    /// 22:30 in Berlin.
    private static let evening = Timestamp(rfc3339: "2027-01-15T21:30:00Z") ?? Sample.noon
    /// 07:00 in Berlin.
    private static let morning = Timestamp(rfc3339: "2027-01-16T06:00:00Z") ?? Sample.noon

    private func quiet(_ body: @Sendable (SampleNotifications) async throws -> Void) async throws {
        try await Sample.run(people: 3) { sample in
            sample.zones.set("Europe/Berlin", of: Sample.name(0))
            try await sample.addTarget(of: 0)
            try await sample.choose(of: 0) { $0.quietHours = QuietHours(start: 22 * 60, end: 7 * 60) }
            try await body(sample)
        }
    }

    @Test("What happens in the quiet hours waits for their end, and is then sent as one")
    func oneAtTheEnd() async throws {
        try await quiet { sample in
            for subject in ["one", "two", "three"] {
                try await sample.wave(at: 0, by: 1, subject: subject, time: Self.evening)
            }
            try await sample.release(at: Self.evening)
            #expect(try await sample.take(at: Self.evening).deliveries.isEmpty)
            #expect(try await sample.take(at: Self.morning.after(seconds: -1)).deliveries.isEmpty)
            // However few are taken at once.
            let due = try await sample.take(at: Self.morning, limit: 1).deliveries
            #expect(due.count == 3)
            #expect(due.allSatisfy { $0.hasWaited })
            try await sample.finish(due, at: Self.morning)
            #expect(try await sample.take(at: Self.morning.after(seconds: 600)).deliveries.isEmpty)
        }
    }

    @Test("What was read in the quiet hours has not waited: further events of it are sent one by one")
    func readMeanwhile() async throws {
        try await quiet { sample in
            try await sample.wave(at: 0, by: 1, time: Self.evening)
            try await sample.release(at: Self.evening)
            #expect(try await sample.take(at: Self.evening).deliveries.isEmpty)
            _ = try await sample.database.write {
                try $0.notifications.moveMark(to: try $0.lastChange(), of: Sample.name(0))
            }
            try await sample.wave(at: 0, by: 2, time: Self.evening)
            #expect(try await sample.due(at: Self.morning).map(\.hasWaited) == [false])
        }
    }

    @Test("What means nothing at their end is dropped at once")
    func dropped() async throws {
        try await quiet { sample in
            try await sample.wave(at: 0, by: 1, kind: .warning, time: Self.evening)
            try await sample.release(at: Self.evening)
            let taken = try await sample.take(at: Self.evening)
            #expect(taken.deliveries.isEmpty)
            #expect(taken.dropped == 1)
            #expect(try await sample.take(at: Self.morning).deliveries.isEmpty)
            #expect(try await sample.titles(of: 0) == ["The day ends"])
        }
    }

    @Test("Whoever travels has the hours of the new zone, with what waits already")
    func travel() async throws {
        try await quiet { sample in
            try await sample.wave(at: 0, by: 1, time: Self.evening)
            try await sample.release(at: Self.evening)
            #expect(try await sample.take(at: Self.evening).deliveries.isEmpty)
            // It is half past four in the afternoon there.
            sample.zones.set("America/New_York", of: Sample.name(0))
            try await sample.database.write { try $0.publish(TimeZoneChanged(userID: Sample.name(0))) }
            #expect(try await sample.take(at: Self.evening).deliveries.count == 1)
        }
    }

    @Test("Whoever travels on before the end hears nothing before it")
    func travelTowardLater() async throws {
        try await quiet { sample in
            try await sample.wave(at: 0, by: 1, time: Self.evening)
            try await sample.release(at: Self.evening)
            #expect(try await sample.take(at: Self.evening).deliveries.isEmpty)
            // The zone is another one at the moment of sending, whoever has said so.
            sample.zones.set("Atlantic/Azores", of: Sample.name(0))
            #expect(try await sample.take(at: Self.morning).deliveries.isEmpty)
            #expect(try await sample.take(at: Self.morning.after(seconds: 7_200)).deliveries.count == 1)
        }
    }

    @Test("New quiet hours do not end the pause for which a service has asked")
    func pausedTarget() async throws {
        try await quiet { sample in
            try await sample.wave(at: 0, by: 1, time: Self.evening)
            try await sample.release(at: Self.evening)
            #expect(try await sample.take(at: Self.evening).deliveries.isEmpty)
            let due = try await sample.take(at: Self.morning).deliveries
            try await sample.finish(due, as: .paused(until: Self.morning.after(seconds: 600)), at: Self.morning)
            try await sample.choose(of: 0) { $0.quietHours = nil }
            let later = Self.morning.after(seconds: 599)
            #expect(try await sample.take(at: later).deliveries.isEmpty)
            #expect(try await sample.take(at: later.after(seconds: 1)).deliveries.count == 1)
        }
    }

    @Test("Quiet hours that are switched off hold nothing back any longer")
    func switchedOff() async throws {
        try await quiet { sample in
            try await sample.wave(at: 0, by: 1, time: Self.evening)
            try await sample.release(at: Self.evening)
            #expect(try await sample.take(at: Self.evening).deliveries.isEmpty)
            try await sample.choose(of: 0) { $0.quietHours = nil }
            #expect(try await sample.take(at: Self.evening).deliveries.count == 1)
        }
    }
}
