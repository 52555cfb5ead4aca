import Contracts
import Synchronization

/// The signals for one event stream of a user.
///
/// However slow the client is, little is buffered for it: whether rows changed, and the latest progress of up to
/// ``maximumProgress`` jobs. The rows are read when the client is ready for them.
package struct JobEventStream: AsyncSequence, Sendable {
    /// What was signalled since the last element; never empty.
    package struct Signals: Sendable, Equatable {
        /// Whether something may have changed: rows of the user, or authors whom the user follows.
        package var hasChanged = false
        /// Whether that may be more than authors.
        package var hasChangedOwn = false
        /// The latest progress of each job.
        package var progress: [RunProgress] = []
        /// Whether to send a comment: proxies close connections on which nothing is sent for long.
        package var isKeepAlive = false
        /// Whether a token or a session of the user has ended, perhaps the one with which the stream was opened.
        package var hasEndedCredential = false
    }

    /// The most jobs whose progress is buffered. Progress of further jobs is dropped.
    static let maximumProgress = 64

    let mailbox: Mailbox
    private let wakeUps: AsyncStream<Void>

    /// - Parameter onEnd: called when the stream ends or its reader is gone.
    init(onEnd: @escaping @Sendable () -> Void) {
        let (wakeUps, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.onTermination = { _ in onEnd() }
        self.wakeUps = wakeUps
        mailbox = Mailbox(wakeUp: continuation)
    }

    /// Notes that the reader has sent everything up to a change, so that a poll wakes the stream for later changes
    /// only.
    package func hasRead(through change: Int64) {
        mailbox.hasRead(through: change)
    }

    /// The number of the last change that the reader has sent, or up to which a poll found nothing else.
    package var position: Int64 { mailbox.position }

    /// Ends the stream. The function does not keep the stream alive.
    package var close: @Sendable () -> Void { { [mailbox] in mailbox.finish() } }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(mailbox: mailbox, wakeUps: wakeUps.makeAsyncIterator())
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        let mailbox: Mailbox
        var wakeUps: AsyncStream<Void>.AsyncIterator

        package mutating func next() async -> Signals? {
            while await wakeUps.next() != nil {
                if let signals = mailbox.take() { return signals }
            }
            return nil
        }
    }

    /// Collects signals until the stream's reader takes them.
    final class Mailbox: Sendable {
        private let signals = Mutex(Signals())
        private let read = Mutex<Int64>(0)
        private let wakeUp: AsyncStream<Void>.Continuation

        init(wakeUp: AsyncStream<Void>.Continuation) {
            self.wakeUp = wakeUp
        }

        /// The number of the last change that the reader has sent.
        var position: Int64 { read.withLock { $0 } }

        func hasRead(through change: Int64) {
            read.withLock { if $0 < change { $0 = change } }
        }

        func put(_ change: (inout Signals) -> Void) {
            signals.withLock { change(&$0) }
            wakeUp.yield()
        }

        func put(_ progress: RunProgress) {
            put { signals in
                let known = signals.progress.firstIndex { $0.run.jobID == progress.run.jobID }
                if let known {
                    signals.progress[known] = progress
                } else if signals.progress.count < JobEventStream.maximumProgress {
                    signals.progress.append(progress)
                }
            }
        }

        func take() -> Signals? {
            let taken = signals.withLock { signals in
                defer { signals = Signals() }
                return signals
            }
            return taken == Signals() ? nil : taken
        }

        func finish() {
            wakeUp.finish()
        }
    }
}
