import NIOCore
import NIOPosix
import Synchronization

/// The event loops that serve all HTTP connections.
package enum EventLoops {
    /// Calls `answer` once every loop has run a task, which shows the watchdog that none hangs.
    package static func probe(_ answer: @escaping @Sendable () -> Void) {
        // Hummingbird's default group.
        let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
        let unanswered = Counter(loops.count)
        for loop in loops {
            loop.execute {
                if unanswered.reachesZero() { answer() }
            }
        }
    }

    private final class Counter: Sendable {
        private let value: Atomic<Int>

        init(_ value: Int) {
            self.value = Atomic(value)
        }

        func reachesZero() -> Bool {
            value.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
        }
    }
}
