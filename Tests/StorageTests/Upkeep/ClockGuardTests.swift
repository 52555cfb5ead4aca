import Model
import Testing

@testable import Storage

@Suite("A wall clock that is far ahead")
struct ClockGuardTests {
    private static let day = Duration.seconds(86_400)
    private static let hour = Duration.seconds(3_600)
    /// The newest moment before the start.
    private let before = noon
    private let start = MonotonicInstant(microseconds: 5_000_000)

    /// Looks when the machine has run for `elapsed` since the start and the wall clock says `ahead` beyond `before`.
    private func look(_ clockGuard: inout ClockGuard, _ elapsed: Duration, ahead: Duration) -> ClockGuard.Verdict {
        clockGuard.look(before.advanced(by: ahead), at: start.advanced(by: elapsed))
    }

    /// `before` and this much more, as the time to delete by.
    private func time(_ ahead: Duration) -> PruningTime { .unguarded(before.advanced(by: ahead)) }

    @Test("within a day of what was stored it is believed, and stored once an hour")
    func believed() {
        var clockGuard = ClockGuard(stored: before)
        let first = look(&clockGuard, .zero, ahead: Self.day)
        #expect(first == .init(time: time(Self.day), store: before.advanced(by: Self.day)))
        clockGuard.hasStored(before.advanced(by: Self.day))
        let second = look(&clockGuard, Self.hour - .seconds(1), ahead: Self.day + Self.hour - .seconds(1))
        #expect(second.time != nil && second.store == nil)
        let third = look(&clockGuard, Self.hour, ahead: Self.day + Self.hour)
        #expect(third.time != nil && third.store == before.advanced(by: Self.day + Self.hour))
    }

    @Test("it goes on with the machine's time, be that for years")
    func runs() {
        var clockGuard = ClockGuard(stored: before)
        for days in 0..<2_000 {
            #expect(look(&clockGuard, Self.day * days, ahead: Self.day * days + Self.hour).time != nil)
        }
    }

    @Test("more than a day ahead nothing is deleted for an hour, and then everything")
    func holds() {
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

    @Test("one that is set right within the hour deletes what is old by the right time alone")
    func setRight() {
        var clockGuard = ClockGuard(stored: before)
        #expect(look(&clockGuard, .zero, ahead: Self.day * 3_650).time == nil)
        let verdict = look(&clockGuard, .seconds(60), ahead: .seconds(60))
        #expect(verdict == .init(time: time(.seconds(60)), change: .trusted))
        // The hour begins anew with the next time.
        #expect(look(&clockGuard, .seconds(120), ahead: Self.day * 3_650).time == nil)
        #expect(look(&clockGuard, Self.hour, ahead: Self.day * 3_650).time == nil)
        #expect(look(&clockGuard, Self.hour + .seconds(120), ahead: Self.day * 3_650).time != nil)
    }

    @Test("one that jumps ahead again while it is doubted has to hold for an hour from then")
    func jumpsTwice() {
        var clockGuard = ClockGuard(stored: before)
        #expect(look(&clockGuard, .zero, ahead: Self.day * 30).time == nil)
        let late = Self.hour - .seconds(1)
        #expect(look(&clockGuard, late, ahead: Self.day * 3_650).change == .doubted(ahead: Self.day * 3_650 - late))
        #expect(look(&clockGuard, Self.hour * 2 - .seconds(2), ahead: Self.day * 3_650).time == nil)
        #expect(look(&clockGuard, Self.hour * 2, ahead: Self.day * 3_650).time != nil)
    }

    @Test("one that is set back while it is doubted goes on with its hour, and cannot jump ahead again unseen")
    func setBackInDoubt() {
        var clockGuard = ClockGuard(stored: before)
        #expect(look(&clockGuard, .zero, ahead: Self.day * 3_650).time == nil)
        #expect(look(&clockGuard, .seconds(60), ahead: Self.day * 30) == .init())
        var jumped = clockGuard
        #expect(look(&clockGuard, Self.hour, ahead: Self.day * 30).time == time(Self.day * 30))
        #expect(look(&jumped, Self.hour, ahead: Self.day * 3_650).time == nil)
    }

    @Test("a jump while the gateway runs is doubted like one before its start")
    func jumpsLater() {
        var clockGuard = ClockGuard(stored: before)
        #expect(look(&clockGuard, .zero, ahead: .zero).time != nil)
        #expect(look(&clockGuard, Self.hour, ahead: Self.day * 40).time == nil)
        #expect(look(&clockGuard, Self.hour * 2, ahead: Self.day * 40 + Self.hour).time != nil)
    }

    @Test("a machine that slept for a month counts the month")
    func slept() {
        var clockGuard = ClockGuard(stored: before)
        #expect(look(&clockGuard, .zero, ahead: .zero).time != nil)
        #expect(look(&clockGuard, Self.day * 30, ahead: Self.day * 30).time != nil)
    }

    @Test("what a clock ahead has stored is lowered when the clock is set back, and vouches for no other")
    func notPoisoned() {
        // It held for an hour, years ahead.
        let wrong = before.advanced(by: Self.day * 3_650)
        var restarted = ClockGuard(stored: wrong)
        #expect(look(&restarted, .zero, ahead: .zero) == .init(time: time(.zero), store: before))
        restarted.hasStored(before)
        #expect(look(&restarted, .seconds(60), ahead: Self.day * 1_000).time == nil)
        // The same without a restart.
        var running = ClockGuard(stored: before)
        #expect(look(&running, .zero, ahead: Self.day * 3_650).time == nil)
        let held = look(&running, Self.hour, ahead: Self.day * 3_650)
        #expect(held.time != nil && held.store == wrong)
        running.hasStored(wrong)
        #expect(look(&running, Self.hour * 2, ahead: Self.hour * 2).store == before.advanced(by: Self.hour * 2))
        #expect(look(&running, Self.hour * 3, ahead: Self.day * 3_650).time == nil)
    }

    @Test("a new database has nothing to lose: its first moment is taken as it is")
    func newDatabase() {
        var clockGuard = ClockGuard(stored: nil)
        #expect(look(&clockGuard, .zero, ahead: .zero) == .init(time: time(.zero), store: before))
        #expect(look(&clockGuard, .seconds(1), ahead: Self.day * 2).time == nil)
    }
}
