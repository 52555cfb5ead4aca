import Synchronization

/// The messages on their way from any thread to the messaging thread.
///
/// It has no limit of its own: the messaging thread empties it whole, and the sockets'
/// high-water marks decide what becomes of messages for a peer that does not keep up.
final class Outbox: Sendable {
    struct Message: Sendable {
        /// The receiver; `nil` from a dealer, which has only one.
        let peer: PeerID?
        let frame: [UInt8]
    }

    enum Contents {
        case messages
        /// To be called by the reader: whether it still reads is what they ask.
        case probes([@Sendable () -> Void])
        /// Nothing, and the socket is to be replaced.
        case reconnect
        case nothing
        /// Nothing is left and nothing will come.
        case closed
    }

    private struct State {
        var messages: [Message] = []
        var probes: [@Sendable () -> Void] = []
        var isClosed = false
        var mustReconnect = false
        /// Whether the reader waits, or is about to, and needs the signal.
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

    /// Queues a message; `false` when the outbox is closed.
    func put(_ message: Message) -> Bool {
        let (accepted, mustWake) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.messages.append(message)
            return (true, state.wakeReader())
        }
        // Outside the lock, and once per sleep: a burst costs one system call.
        if mustWake { signal.raise() }
        return accepted
    }

    /// Has the reader call `answer`; a closed outbox calls it itself.
    func probe(_ answer: @escaping @Sendable () -> Void) {
        let (accepted, mustWake) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.probes.append(answer)
            return (true, state.wakeReader())
        }
        if mustWake { signal.raise() }
        if !accepted { answer() }
    }

    /// Refuses further messages; those queued are still taken.
    func close() {
        let mustWake = state.withLock { state in
            state.isClosed = true
            return state.wakeReader()
        }
        if mustWake { signal.raise() }
    }

    /// Asks the reader for a new socket, before any message that is queued now.
    func requestReconnect() {
        let mustWake = state.withLock { state in
            state.mustReconnect = true
            return state.wakeReader()
        }
        if mustWake { signal.raise() }
    }

    /// Has the reader look around, for something that is not in the outbox.
    func wake() {
        let mustWake = state.withLock { $0.wakeReader() }
        if mustWake { signal.raise() }
    }

    /// Moves all queued messages into `batch`, which must be empty (the two arrays change places).
    ///
    /// - Parameter sleepsNext: the caller waits for the signal if there is nothing. Said under
    ///   the same lock as the look, so that no message can slip in between unannounced.
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

    /// The reader woke up, perhaps for another reason, and will look by itself before it sleeps again.
    func readerWoke() {
        state.withLock { $0.readerSleeps = false }
    }
}
