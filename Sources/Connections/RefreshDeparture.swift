import Synchronization

/// Whether a refresh has left. Until then it may be called off; from then on only its answer ends it.
package final class RefreshDeparture: Sendable {
    private enum State {
        case waiting, left, calledOff
    }

    private let state = Mutex(State.waiting)

    package init() {}

    /// Said just before the request is sent, every time it is.
    ///
    /// - Returns: `false` when it was called off: then it may not be sent.
    package func leave() -> Bool {
        state.withLock { state in
            guard state != .calledOff else { return false }
            state = .left
            return true
        }
    }

    /// - Returns: `false` when it has left already.
    func callOff() -> Bool {
        state.withLock { state in
            guard state != .left else { return false }
            state = .calledOff
            return true
        }
    }

    var hasLeft: Bool { state.withLock { $0 == .left } }
}
