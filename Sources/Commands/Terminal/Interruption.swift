@preconcurrency import Dispatch
import Foundation
import Synchronization

/// Tells of Ctrl-C and SIGTERM, so that a search can be cancelled before the process ends. A second one ends it
/// at once.
final class Interruption: Sendable {
    /// The numbers of the signals that came. One task may listen.
    let signals: AsyncStream<Int32>

    private static let numbers = [SIGINT, SIGTERM]
    private let sources: [any DispatchSourceSignal]
    private let continuation: AsyncStream<Int32>.Continuation

    init() {
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

    /// From now on a signal ends the process again.
    func end() {
        for source in sources { source.cancel() }
        for number in Self.numbers { signal(number, SIG_DFL) }
        continuation.finish()
    }

    private final class Counter: Sendable {
        let value = Atomic(0)
    }
}
