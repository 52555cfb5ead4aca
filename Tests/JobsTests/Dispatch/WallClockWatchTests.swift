import Model
import Testing

@testable import Jobs

@Suite("A wall clock that is set back")
struct WallClockWatchTests {
    @Test("Only a step back of more than a second is noticed, once")
    func setBack() {
        var (wall, now) = (Timestamp(microseconds: 1_795_000_000_000_000), MonotonicInstant(microseconds: 5_000_000))
        var watch = WallClockWatch(wall: wall, now: now)
        func step(byWall wallStep: Duration, really: Duration) -> Bool {
            (wall, now) = (wall.advanced(by: wallStep), now.advanced(by: really))
            return watch.wasSetBack(wall: wall, now: now)
        }
        #expect(!step(byWall: .milliseconds(250), really: .milliseconds(250)))
        #expect(!step(byWall: .seconds(86_400), really: .milliseconds(250)))
        #expect(step(byWall: .seconds(-86_400), really: .milliseconds(250)))
        #expect(!step(byWall: .milliseconds(250), really: .milliseconds(250)))
        #expect(!step(byWall: .milliseconds(-700), really: .milliseconds(250)))
        // The machine slept, and the clock was set back by half of that.
        #expect(step(byWall: .seconds(1_800), really: .seconds(3_600)))
    }
}
