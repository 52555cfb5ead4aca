import Model
import Synchronization

/// One request's wait for a signal. A signal from before ``wait(until:)`` counts.
package final class JobWaiter: Sendable {
    private struct State {
        var isSignalled = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    deinit {
        onEnd()
    }

    /// Returns at the first signal since the last call, at the deadline, or when the task is cancelled.
    package func wait(until deadline: ContinuousClock.Instant) async {
        let alarm = Task { [weak self] in
            guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else { return }
            self?.signal()
        }
        defer { alarm.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isSignalled = state.withLock { state in
                    if !state.isSignalled { state.continuation = continuation }
                    defer { state.isSignalled = false }
                    return state.isSignalled
                }
                if isSignalled { continuation.resume() }
            }
        } onCancel: {
            signal()
        }
    }

    func signal() {
        let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state.continuation = nil }
            if state.continuation == nil { state.isSignalled = true }
            return state.continuation
        }
        continuation?.resume()
    }
}
