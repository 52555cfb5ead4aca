import Model
import Synchronization

/// A permit for a call that has not been made yet.
///
/// It is returned unused when nobody takes it while it can still be used.
final class PermitReservation: Sendable {
    private enum State {
        case waiting(CheckedContinuation<Permit?, Never>?)
        case granted(Permit)
        /// Taken, refused or dropped.
        case ended
    }

    private let state = Mutex(State.waiting(nil))
    let queue: PermitQueue
    let urgency: UpstreamRequest.Urgency
    let call: PermitTransaction.Call

    init(in queue: PermitQueue, _ urgency: UpstreamRequest.Urgency, _ call: PermitTransaction.Call) {
        self.queue = queue
        self.urgency = urgency
        self.call = call
    }

    /// Records the queue's answer. A refusal is discarded: the call will request its own permit and learn the reason.
    func resolve(_ result: Result<Permit, any Error>) {
        let permit = try? result.get()
        let (taker, unused) = state.withLock { state -> (CheckedContinuation<Permit?, Never>?, Permit?) in
            guard case .waiting(let taker) = state else { return (nil, permit) }
            if let permit, taker == nil { state = .granted(permit) } else { state = .ended }
            return (taker, nil)
        }
        taker?.resume(returning: permit)
        if let unused {
            Task { [queue] in await queue.returnUnused(unused) }
        } else if let permit, taker == nil {
            Task {
                try? await permit.latestStart.sleep()
                drop()
            }
        }
    }

    /// Waits for the permit; `nil` when there is none, it was already taken, or this task is cancelled.
    func take() async -> Permit? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isWaiting, permit) = state.withLock { state -> (Bool, Permit?) in
                    switch state {
                    case .waiting(.none) where !Task.isCancelled:
                        state = .waiting(continuation)
                        return (true, nil)
                    case .granted(let permit):
                        state = .ended
                        return (false, permit)
                    case .waiting, .ended:
                        return (false, nil)
                    }
                }
                if !isWaiting { continuation.resume(returning: permit) }
            }
        } onCancel: {
            drop()
        }
    }

    /// Returns the permit, or stops waiting for it.
    func drop() {
        let before = state.withLock { state in
            defer { state = .ended }
            return state
        }
        switch before {
        case .waiting(let taker):
            taker?.resume(returning: nil)
            Task { [queue, call] in await queue.cancel(call.id) }
        case .granted(let permit):
            Task { [queue] in await queue.returnUnused(permit) }
        case .ended:
            break
        }
    }
}
