import CCurl
import Synchronization

/// How other threads reach the transport's thread: a queue of commands, and libcurl's wakeup.
final class TransportMailbox: Sendable {
    enum Command: Sendable {
        case start(TransferOrder, CheckedContinuation<Exchange, Never>)
        case cancel(UInt64)
        /// The thread calls the closure, which proves that it does not hang.
        case probe(@Sendable () -> Void)
        /// Ends the thread, which calls the closure last.
        case stop(then: @Sendable () -> Void)
    }

    private struct State {
        var commands: [Command] = []
        /// The address of libcurl's multi handle while the thread polls it, as a number because a pointer is not
        /// `Sendable`. `curl_multi_wakeup` is the only call that other threads may make on it.
        var pollingHandle: UInt?
        var isClosed = false
    }
    private let state = Mutex(State())

    /// Queues a command.
    ///
    /// - Returns: `false` when the thread has ended and will not handle the command.
    @discardableResult
    func post(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.commands.append(command)
            // Called under the lock, so that the handle is not freed meanwhile. Before the first poll no wakeup is
            // needed.
            if let handle = state.pollingHandle.flatMap({ UnsafeMutableRawPointer(bitPattern: $0) }) {
                curl_multi_wakeup(handle)
            }
            return true
        }
    }

    /// Enables wakeups. The thread calls it before its first ``take()``.
    func open(polling multi: UnsafeMutableRawPointer) {
        let address = UInt(bitPattern: multi)
        state.withLock { $0.pollingHandle = address }
    }

    /// Returns the commands posted since the last call, in order.
    func take() -> [Command] {
        state.withLock { state in
            let commands = state.commands
            state.commands = []
            return commands
        }
    }

    /// Refuses further commands, and returns those posted since the last call. Afterwards the handle may be freed.
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
