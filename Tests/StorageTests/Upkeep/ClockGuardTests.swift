import Model
import Testing

@testable import Storage

@Suite("The clock guard")
struct ClockGuardTests {
    private static let day = Duration.seconds(86_400)
    private static let hour = Duration.seconds(3_600)
    /// The newest moment before the start.
    private let before = noon
    private let start = MonotonicInstant(microseconds: 5_000_000)

    /// Compares the clocks `elapsed` after the start, with the wall clock `ahead` of `before`.
    private func look(_ clockGuard: inout ClockGuard, _ elapsed: Duration, ahead: Duration) -> ClockGuard.Verdict {
        clockGuard.look(before.advanced(by: ahead), at: start.advanced(by: elapsed))
    }

    /// The time to delete by that lies `ahead` of `before`.
    private func time(_ ahead: Duration) -> PruningTime { .unguarded(before.advanced(by: ahead)) }

    @Test("A clock within a day of the stored moment is trusted, and stored once an hour")
    func clockWithinADay() {
        var clockGuard = ClockGuard(stored: before)
        let first = look(&clockGuard, .zero, ahead: Self.day)
        #expect(first == .init(time: time(Self.day), store: before.advanced(by: Self.day)))
        clockGuard.hasStored(before.advanced(by: Self.day))
        let second = look(&clockGuard, Self.hour - .seconds(1), ahead: Self.day + Self.hour - .seconds(1))
        #expect(second.time != nil && second.store == nil)
        let third = look(&clockGuard, Self.hour, ahead: Self.day + Self.hour)
        #expect(third.time != nil && third.store == before.advanced(by: Self.day + Self.hour))
    }

    @Test("A clock that agrees with the time since boot remains trusted for years")
    func clockThatAgreesWithBoot() {
        var clockGuard = ClockGuard(stored: before)
        for days in 0..<2_000 {
            #expect(look(&clockGuard, Self.day * days, ahead: Self.day * days + Self.hour).time != nil)
        }
    }

    @Test("A clock more than a day ahead is trusted after an hour")
    func clockAheadForAnHour() {
        var clockGuard = ClockGuard(stored: before)
        let month = Self.day * 30
        #expect(look(&clockGuard, .zero, ahead: month) == .init(change: .doubted(ahead: month)))
        #expect(look(&clockGuard, .seconds(600), ahead: month + .seconds(600)) == .init())
        #expect(look(&clockGuard, Self.hour - .seconds(1), ahead: month + Self.hour) == .init())
        let ahead = month + Self.hour
        let after = look(&clockGuard, Self.hour, ahead: ahead)
        #expect(after == .init(time: time(ahead), store: before.advanced(by: ahead), change: .trusted))
        clockGuard.hasStored(before.advanced(by: ahead))
        #expect(look(&clockGuard, Self.hour * 2, ahead: ahead + Self.hour).change == nil)
    }

    @Test("A clock that is corrected within the hour is trusted at once")
    func setRight() {
        var clockGuard = ClockGuard(stored: before)
        #expect(look(&clockGuard, .zero, ahead: Self.day * 3_650).time == nil)
        let verdict = look(&clockGuard, .seconds(60), ahead: .seconds(60))
        #expect(verdict == .init(time: time(.seconds(60)), change: .trusted))
        // The hour starts again with the next jump.
        #expect(look(&clockGuard, .seconds(120), ahead: Self.day * 3_650).time == nil)
        #expect(look(&clockGuard, Self.hour, ahead: Self.day * 3_650).time == nil)
        #expect(look(&clockGuard, Self.hour + .seconds(120), ahead: Self.day * 3_650).time != nil)
    }

    @Test("A clock that jumps ahead again is trusted an hour later")
    func jumpsTwice() {
        var clockGuard = ClockGuard(stored: before)
        #expect(look(&clockGuard, .zero, ahead: Self.day * 30).time == nil)
        let late = Self.hour - .seconds(1)
        #expect(look(&clockGuard, late, ahead: Self.day * 3_650).change == .doubted(ahead: Self.day * 3_650 - late))
        #expect(look(&clockGuard, Self.hour * 2 - .seconds(2), ahead: Self.day * 3_650).time == nil)
        #expect(look(&clockGuard, Self.hour * 2, ahead: Self.day * 3_650).time != nil)
    }

    @Test("A doubted clock that is set back still waits out its hour, and another jump ahead is noticed")
    func setBackInDoubt() {
        var clockGuard = ClockGuard(stored: before)
        #expect(look(&clockGuard, .zero, ahead: Self.day * 3_650).time == nil)
        #expect(look(&clockGuard, .seconds(60), ahead: Self.day * 30) == .init())
        var jumped = clockGuard
        #expect(look(&clockGuard, Self.hour, ahead: Self.day * 30).time == time(Self.day * 30))
        #expect(look(&jumped, Self.hour, ahead: Self.day * 3_650).time == nil)
    }

    @Test("A jump while the gateway runs counts like one before its start")
    func jumpsLater() {
        var clockGuard = ClockGuard(stored: before)
        #expect(look(&clockGuard, .zero, ahead: .zero).time != nil)
        #expect(look(&clockGuard, Self.hour, ahead: Self.day * 40).time == nil)
        #expect(look(&clockGuard, Self.hour * 2, ahead: Self.day * 40 + Self.hour).time != nil)
    }

    @Test("A clock is trusted after a month of suspension")
    func monthOfSuspension() {
        var clockGuard = ClockGuard(stored: before)
        #expect(look(&clockGuard, .zero, ahead: .zero).time != nil)
        #expect(look(&clockGuard, Self.day * 30, ahead: Self.day * 30).time != nil)
    }

    @Test("A moment stored by a clock that was ahead is lowered when the clock is set back")
    func notPoisoned() {
        // A clock years ahead was trusted after an hour.
        let wrong = before.advanced(by: Self.day * 3_650)
        var restarted = ClockGuard(stored: wrong)
        #expect(look(&restarted, .zero, ahead: .zero) == .init(time: time(.zero), store: before))
        restarted.hasStored(before)
        #expect(look(&restarted, .seconds(60), ahead: Self.day * 1_000).time == nil)
        // The same is true without a restart.
        var running = ClockGuard(stored: before)
        #expect(look(&running, .zero, ahead: Self.day * 3_650).time == nil)
        let held = look(&running, Self.hour, ahead: Self.day * 3_650)
        #expect(held.time != nil && held.store == wrong)
        running.hasStored(wrong)
        #expect(look(&running, Self.hour * 2, ahead: Self.hour * 2).store == before.advanced(by: Self.hour * 2))
        #expect(look(&running, Self.hour * 3, ahead: Self.day * 3_650).time == nil)
    }

    @Test("A new database trusts the first moment")
    func newDatabase() {
        var clockGuard = ClockGuard(stored: nil)
        #expect(look(&clockGuard, .zero, ahead: .zero) == .init(time: time(.zero), store: before))
        #expect(look(&clockGuard, .seconds(1), ahead: Self.day * 2).time == nil)
    }
}
