import Synchronization

/// The queue of messages from other threads to the messaging thread.
///
/// It has no limit: the messaging thread takes all of it at once, and the high-water marks of the socket limit the
/// messages for a peer that does not keep up.
final class Outbox: Sendable {
    struct Message: Sendable {
        /// The receiver; `nil` for a dealer, which has only one.
        let peer: PeerID?
        let frame: [UInt8]
    }

    enum Contents {
        case messages
        /// Closures for the reader to call, which proves that it does not hang.
        case probes([@Sendable () -> Void])
        /// The socket has to be replaced.
        case reconnect
        case nothing
        /// The outbox is empty and closed.
        case closed
    }

    private struct State {
        var messages: [Message] = []
        var probes: [@Sendable () -> Void] = []
        var isClosed = false
        var mustReconnect = false
        /// Whether the reader waits for the signal, or is about to.
        var readerSleeps = false

        mutating func wakeReader() -> Bool {
            defer { readerSleeps = false }
            return readerSleeps
        }
    }

    private let state = Mutex(State())
    let signal: WakeUpSignal

    init() throws(MessagingError) {
        signal = try WakeUpSignal()
    }

    /// Queues a message; returns `false` if the outbox is closed.
    func put(_ message: Message) -> Bool {
        let (accepted, mustWake) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.messages.append(message)
            return (true, state.wakeReader())
        }
        // Outside of the lock, and once per wait: a burst costs one system call.
        if mustWake { signal.raise() }
        return accepted
    }

    /// Makes the reader call `answer`; a closed outbox calls it itself.
    func probe(_ answer: @escaping @Sendable () -> Void) {
        let (accepted, mustWake) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.probes.append(answer)
            return (true, state.wakeReader())
        }
        if mustWake { signal.raise() }
        if !accepted { answer() }
    }

    /// Refuses further messages; queued ones can still be taken.
    func close() {
        let mustWake = state.withLock { state in
            state.isClosed = true
            return state.wakeReader()
        }
        if mustWake { signal.raise() }
    }

    /// Asks the reader to replace the socket, before it takes any queued message.
    func requestReconnect() {
        let mustWake = state.withLock { state in
            state.mustReconnect = true
            return state.wakeReader()
        }
        if mustWake { signal.raise() }
    }

    /// Wakes the reader for something that is not in the outbox.
    func wake() {
        let mustWake = state.withLock { $0.wakeReader() }
        if mustWake { signal.raise() }
    }

    /// Moves all queued messages into `batch`, which must be empty (the two arrays are swapped).
    ///
    /// - Parameter sleepsNext: whether the caller waits for the signal if there is nothing. That is noted under the
    ///   same lock as the check, so that a message that arrives in between raises the signal.
    func take(into batch: inout [Message], sleepsNext: Bool) -> Contents {
        state.withLock { state in
            if state.mustReconnect, !state.isClosed {
                state.mustReconnect = false
                return .reconnect
            }
            if !state.messages.isEmpty {
                swap(&state.messages, &batch)
                return .messages
            }
            if !state.probes.isEmpty {
                defer { state.probes = [] }
                return .probes(state.probes)
            }
            if state.isClosed { return .closed }
            state.readerSleeps = sleepsNext
            return .nothing
        }
    }

    /// Notes that the reader is awake: it checks again before it waits, and needs no signal.
    func readerWoke() {
        state.withLock { $0.readerSleeps = false }
    }
}
