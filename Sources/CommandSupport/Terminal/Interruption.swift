@preconcurrency import Dispatch
import Foundation
import Synchronization

/// Receives Ctrl-C and SIGTERM, so that a command can clean up before it ends. A second signal terminates the process
/// immediately.
package final class Interruption: Sendable {
    /// The numbers of the received signals, for one task.
    package let signals: AsyncStream<Int32>

    private static let numbers = [SIGINT, SIGTERM]
    private let sources: [any DispatchSourceSignal]
    private let continuation: AsyncStream<Int32>.Continuation

    package init() {
        let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
        (self.signals, self.continuation) = (signals, continuation)
        let count = Counter()
        sources = Self.numbers.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if count.value.add(1, ordering: .relaxed).newValue > 1 { _exit(128 + number) }
                continuation.yield(number)
            }
            source.activate()
            return source
        }
    }

    /// Restores the default: a signal terminates the process.
    package func end() {
        for source in sources { source.cancel() }
        for number in Self.numbers { signal(number, SIG_DFL) }
        continuation.finish()
    }

    private final class Counter: Sendable {
        let value = Atomic(0)
    }
}
