import Foundation

/// The processor time of threads. Waiting for a processor does not count.
package enum ProcessorTime {
    /// What this thread has used so far.
    package static func used() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// What a body returns, and what this thread used for it.
    package static func measure<Value>(_ body: () throws -> Value) rethrows -> (value: Value, time: Duration) {
        let start = used()
        let value = try body()
        return (value, used() - start)
    }
}
