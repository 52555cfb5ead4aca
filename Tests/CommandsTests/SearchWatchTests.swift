import Testing

@testable import CommandSupport
@testable import ConcertsCommands

@Suite("Watching a search")
struct SearchWatchTests {
    private let start = ContinuousClock.now
    private let away = GatewayError.unreachable(address: "http://127.0.0.1:1", reason: "connection refused")

    private func watch(done: Int = 0) -> SearchWatch {
        SearchWatch(SearchPages.status(.running, done: done, total: 3))
    }

    @Test(
        "Progress is drawn, and the first state that is not running ends it",
        arguments: [
            SearchStatus.State.complete, .partial, .failed, .cancelled,
        ])
    func watchUntilTheEnd(state: SearchStatus.State) {
        var watch = watch()
        #expect(watch.handle(.status(SearchPages.status(.running, done: 1, total: 3)), at: start) == .draw)
        #expect(watch.handle(.status(SearchPages.status(state, done: 3, total: 3)), at: start) == .end(.over))
        #expect(watch.status.state == state)
    }

    @Test("An older state changes nothing")
    func olderState() {
        var watch = watch(done: 2)
        #expect(watch.handle(.status(SearchPages.status(.running, done: 1, total: 3)), at: start) == .nothing)
        #expect(watch.status.progress.done == 2)
    }

    @Test("Other searches of the user are ignored")
    func otherSearches() {
        var watch = watch()
        #expect(watch.handle(.status(SearchPages.status(id: "other", .complete)), at: start) == .nothing)
        #expect(watch.status.state == .running)
    }

    @Test("The command waits for a gateway that restarts, but not for one that stays down")
    func unreachableGateway() {
        var watch = watch()
        #expect(watch.handle(.failure(away), at: start) == .nothing)
        #expect(watch.handle(.failure(away), at: start + .seconds(29)) == .nothing)
        // An answer restarts the time limit for a missing gateway.
        #expect(watch.handle(.status(watch.status), at: start + .seconds(29)) == .draw)
        #expect(watch.handle(.failure(away), at: start + .seconds(40)) == .nothing)
        #expect(watch.handle(.failure(away), at: start + .seconds(70)) == .end(.failed(away)))
    }

    @Test(
        "A permanent error ends the watch at once",
        arguments: [
            GatewayError.unauthorized, .refused(status: 404, detail: "gone"), .unreadable(address: "a", reason: "b"),
        ])
    func permanentError(error: GatewayError) {
        var watch = watch()
        #expect(watch.handle(.failure(error), at: start) == .end(.failed(error)))
    }

    @Test("Signals and the timeout end the watch")
    func signalsAndTimeout() {
        var watch = watch()
        #expect(watch.handle(.tick, at: start) == .draw)
        #expect(watch.handle(.interrupt(2), at: start) == .end(.interrupted(2)))
        #expect(watch.handle(.timeout, at: start) == .end(.timedOut))
    }
}
