import Contracts
import Synchronization

/// Tracks who waits for jobs that several callers share. When the last one leaves, the job is cancelled.
///
/// It exists in memory only: when the gateway stops, the callers are gone as well.
package final class SharedWaits: Sendable {
    /// A screen of one person, which waits for one job of a kind at a time.
    struct Screen: Hashable {
        let userID: String
        let kind: String
        let id: ScreenID
    }

    /// One caller's wait.
    struct Wait: Sendable, Hashable {
        fileprivate let number: Int
        let jobID: String
        /// The job's owner.
        let userID: String
        fileprivate let screen: Screen?
    }

    private struct State {
        var waits: [String: Set<Int>] = [:]
        var screens: [Screen: Wait] = [:]
        var superseded: Set<Int> = []
        var lastNumber = 0

        /// - Returns: whether nobody waits for the job any longer.
        mutating func remove(_ wait: Wait) -> Bool {
            guard waits[wait.jobID]?.remove(wait.number) != nil else { return false }
            guard waits[wait.jobID]?.isEmpty == true else { return false }
            waits[wait.jobID] = nil
            return true
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// How many callers wait.
    package var count: Int { state.withLock { $0.waits.values.reduce(0) { $0 + $1.count } } }

    /// Begins to wait for a job, and stops waiting for what the same screen waited for before.
    ///
    /// - Parameter userID: the job's owner.
    /// - Returns: the wait; and the earlier one, if nobody waits for its job any longer.
    func enter(_ jobID: String, of userID: String, screen: Screen?) -> (wait: Wait, abandoned: Wait?) {
        state.withLock { state in
            state.lastNumber += 1
            let wait = Wait(number: state.lastNumber, jobID: jobID, userID: userID, screen: screen)
            state.waits[jobID, default: []].insert(wait.number)
            guard let screen, let earlier = state.screens.updateValue(wait, forKey: screen) else { return (wait, nil) }
            state.superseded.insert(earlier.number)
            return (wait, state.remove(earlier) ? earlier : nil)
        }
    }

    /// Ends a wait.
    ///
    /// - Returns: whether nobody waits for the job any longer, and whether the screen has requested another one.
    func leave(_ wait: Wait) -> (isLast: Bool, isSuperseded: Bool) {
        state.withLock { state in
            if let screen = wait.screen, state.screens[screen] == wait { state.screens[screen] = nil }
            return (state.remove(wait), state.superseded.remove(wait.number) != nil)
        }
    }
}
