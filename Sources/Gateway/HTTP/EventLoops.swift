import NIOCore
import NIOPosix
import Synchronization

/// The event loops that carry all of the gateway's connections.
package enum EventLoops {
    /// Calls `answer` once every loop has turned.
    package static func probe(_ answer: @escaping @Sendable () -> Void) {
        // What Hummingbird uses unless it is given others.
        let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
        let silent = Counter(loops.count)
        for loop in loops {
            loop.execute {
                if silent.reachesZero() { answer() }
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
