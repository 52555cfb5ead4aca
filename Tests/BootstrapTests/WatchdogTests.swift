import Testing

@testable import Bootstrap

@Suite("The watchdog")
struct WatchdogTests {
    private func watching(_ parts: String...) -> Watchdog {
        var watchdog = Watchdog()
        for part in parts { watchdog.add(part) }
        return watchdog
    }

    @Test("Each interval sends a ping and starts a round, as long as all parts have answered")
    func pingInEachInterval() {
        var watchdog = watching("writer", "messaging")
        for round in 1...3 {
            #expect(watchdog.intervalPassed() == .pingAndAsk(["writer", "messaging"], round: round))
            #expect(watchdog.answered("messaging", round: round) == .nothing)
            #expect(watchdog.answered("writer", round: round) == .nothing)
        }
    }

    @Test("A part that does not answer stops the pings and is reported once; its late answer sends a ping at once")
    func hungPart() {
        var watchdog = watching("writer", "messaging")
        #expect(watchdog.intervalPassed() == .pingAndAsk(["writer", "messaging"], round: 1))
        #expect(watchdog.answered("messaging", round: 1) == .nothing)
        #expect(watchdog.intervalPassed() == .withheldPing(["writer"]))
        #expect(watchdog.intervalPassed() == .nothing)
        #expect(watchdog.answered("messaging", round: 1) == .nothing)
        #expect(watchdog.answered("writer", round: 1) == .recovered)
        #expect(watchdog.intervalPassed() == .pingAndAsk(["writer", "messaging"], round: 2))
    }

    @Test("An answer to an earlier round, or a second one, does not count")
    func lateAnswers() {
        var watchdog = watching("writer", "messaging")
        _ = watchdog.intervalPassed()
        for part in ["writer", "messaging"] { _ = watchdog.answered(part, round: 1) }
        _ = watchdog.intervalPassed()
        #expect(watchdog.answered("writer", round: 2) == .nothing)
        #expect(watchdog.answered("writer", round: 2) == .nothing)
        #expect(watchdog.answered("messaging", round: 1) == .nothing)
        #expect(watchdog.intervalPassed() == .withheldPing(["messaging"]))
    }

    @Test("A part added later is probed from the next round on")
    func partAddedLater() {
        var watchdog = watching("writer")
        _ = watchdog.intervalPassed()
        watchdog.add("messaging")
        _ = watchdog.answered("writer", round: 1)
        #expect(watchdog.intervalPassed() == .pingAndAsk(["writer", "messaging"], round: 2))
    }

    @Test("A process that is shutting down pings without probing its parts")
    func pingsDuringShutdown() {
        var watchdog = watching("writer")
        _ = watchdog.intervalPassed()
        watchdog.stop()
        #expect(watchdog.intervalPassed() == .ping)
        #expect(watchdog.intervalPassed() == .ping)
    }
}
