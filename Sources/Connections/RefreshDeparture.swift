import Synchronization

/// Whether a refresh has left. Until then it may be called off; from then on only its answer ends it.
package final class RefreshDeparture: Sendable {
    private enum State {
        case waiting, left, calledOff
    }

    private let state = Mutex(State.waiting)
    private let underWay: RefreshesUnderWay

    init(in underWay: RefreshesUnderWay) {
        self.underWay = underWay
    }

    /// Said just before the request is sent, every time it is.
    ///
    /// - Returns: `false` when it was called off, or the process ends: then it may not be sent.
    package func leave() -> Bool {
        state.withLock { state in
            if state == .waiting { state = underWay.begin() ? .left : .calledOff }
            return state == .left
        }
    }

    /// Said once, when what came of it is stored, or nothing will be.
    func end() {
        if hasLeft { underWay.end() }
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
