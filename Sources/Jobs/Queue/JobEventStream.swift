import Contracts
import Synchronization

/// What an event stream has to tell one user's client.
///
/// However slow the client is, only so much is kept for it: that rows have changed, which is told once, and
/// the latest progress of some jobs. What the rows hold is read when the client takes it.
package struct JobEventStream: AsyncSequence, Sendable {
    /// What has come together since the last one; never nothing.
    package struct Signals: Sendable, Equatable {
        /// Rows of this user may have changed.
        package var hasChanged = false
        /// The latest of each job.
        package var progress: [RunProgress] = []
        /// Nothing happened for a while; a proxy in between must not take the connection for dead.
        package var isKeepAlive = false
    }

    /// The most jobs whose progress is kept; that of further ones is not told.
    static let maximumProgress = 64

    let mailbox: Mailbox
    private let wakeUps: AsyncStream<Void>

    /// - Parameter onEnd: called when nobody listens any more.
    init(onEnd: @escaping @Sendable () -> Void) {
        let (wakeUps, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.onTermination = { _ in onEnd() }
        self.wakeUps = wakeUps
        mailbox = Mailbox(wakeUp: continuation)
    }

    /// Its reader has told everything up to a change; what a look at the table finds is news only beyond it.
    package func hasRead(through change: Int64) {
        mailbox.hasRead(through: change)
    }

    /// Ends it, whoever listens. What it returns does not keep the stream open by itself.
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

    /// Where signals wait for the stream.
    final class Mailbox: Sendable {
        private let signals = Mutex(Signals())
        private let read = Mutex<Int64>(0)
        private let wakeUp: AsyncStream<Void>.Continuation

        init(wakeUp: AsyncStream<Void>.Continuation) {
            self.wakeUp = wakeUp
        }

        /// The last change that is told.
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
