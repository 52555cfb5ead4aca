import Model
import Testing

@testable import Storage

@Suite("Refusing writes while another process holds the lock")
struct WriteQueueStateTests {
    /// Writes that were enqueued the given numbers of seconds after a moment.
    private func waiting(_ seconds: Int64..., blockedSince: Int64?) -> WriteQueueState {
        var state = WriteQueueState()
        for second in seconds {
            state.pending.append(
                PendingWrite(
                    isolation: .savepoint, enqueuedAt: at(second),
                    perform: { _ in { Issue.record("performed") } }, fail: { _ in Issue.record("failed") }))
        }
        state.blockedSince = blockedSince.map(at)
        return state
    }

    private func at(_ second: Int64) -> MonotonicInstant { MonotonicInstant(microseconds: second * 1_000_000) }

    @Test("A write that waits after many others is not refused unless a process holds the lock for five seconds")
    func oldWrites() {
        // There is one batch per second: the writer waits now and then, but never for long.
        for blockedSince in [nil, 16, 19, 20] as [Int64?] {
            var state = waiting(1, 2, 3, blockedSince: blockedSince)
            #expect(state.takeExpired(now: at(20)).isEmpty)
            #expect(state.pending.count == 3)
            #expect(!state.isBlocked(now: at(20)))
        }
    }

    @Test("Once the writer has waited for five seconds, writes that waited that long are refused, oldest first")
    func blockedWriter() {
        var state = waiting(1, 15, 16, blockedSince: 15)
        #expect(state.takeExpired(now: at(19)).isEmpty)
        #expect(state.takeExpired(now: at(20)).map(\.enqueuedAt) == [at(1), at(15)])
        #expect(state.isBlocked(now: at(20)))
        // Each later one has its own five seconds, and none waits longer while the lock is held.
        #expect(state.takeExpired(now: at(21)).map(\.enqueuedAt) == [at(16)])
        #expect(state.pending.isEmpty)
    }
}
