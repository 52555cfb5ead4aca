import Synchronization

/// Whether the request of a token refresh was sent. Until then it can be cancelled; afterwards only its answer ends it,
/// because the provider may have replaced the token.
package final class RefreshSendGate: Sendable {
    private enum State {
        case waiting, sent, cancelled
    }

    private let state = Mutex(State.waiting)
    private let underWay: RefreshesUnderWay

    init(in underWay: RefreshesUnderWay) {
        self.underWay = underWay
    }

    /// Called just before the request is sent, and again before each retry.
    ///
    /// - Returns: `false` when the refresh was cancelled or the process is ending: then the request must not be sent.
    package func markSent() -> Bool {
        state.withLock { state in
            if state == .waiting { state = underWay.begin() ? .sent : .cancelled }
            return state == .sent
        }
    }

    /// Called once, when the outcome is stored or there will be none.
    func end() {
        if wasSent { underWay.end() }
    }

    /// - Returns: `false` when the request was already sent.
    func cancel() -> Bool {
        state.withLock { state in
            guard state != .sent else { return false }
            state = .cancelled
            return true
        }
    }

    var wasSent: Bool { state.withLock { $0 == .sent } }
}
