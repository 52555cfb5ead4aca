import CCurl
import Synchronization

/// How other threads reach the transport's thread: a list of commands, and libcurl's wakeup.
final class TransportMailbox: Sendable {
    enum Command: Sendable {
        case start(TransferOrder, CheckedContinuation<Exchange, Never>)
        case cancel(UInt64)
        /// Is called by the thread: whether it still turns is what it asks.
        case probe(@Sendable () -> Void)
        /// Ends the thread, and calls back as the last thing it does.
        case stop(then: @Sendable () -> Void)
    }

    private struct State {
        var commands: [Command] = []
        /// The address of libcurl's multi handle while the thread polls it. A pointer is not `Sendable`;
        /// `curl_multi_wakeup` is the one call that may be made on it from any thread.
        var pollingHandle: UInt?
        var isClosed = false
    }
    private let state = Mutex(State())

    /// False when the thread has ended: the command was not and will not be taken.
    @discardableResult
    func post(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.commands.append(command)
            // Under the lock, so that the handle cannot be freed meanwhile. Before the thread polls, none is needed.
            if let handle = state.pollingHandle.flatMap({ UnsafeMutableRawPointer(bitPattern: $0) }) {
                curl_multi_wakeup(handle)
            }
            return true
        }
    }

    /// Called by the thread before its first ``take()``.
    func open(polling multi: UnsafeMutableRawPointer) {
        let address = UInt(bitPattern: multi)
        state.withLock { $0.pollingHandle = address }
    }

    /// What was posted since the last call, in order.
    func take() -> [Command] {
        state.withLock { state in
            let commands = state.commands
            state.commands = []
            return commands
        }
    }

    /// Ends the posting; returns what had been posted and not taken. After it the handle may be freed.
    func close() -> [Command] {
        state.withLock { state in
            state.pollingHandle = nil
            state.isClosed = true
            let commands = state.commands
            state.commands = []
            return commands
        }
    }
}
