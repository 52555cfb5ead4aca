import Foundation

/// The time of a processor that reading an input may take: 50 ms, and one second for each MB.
package enum ProcessorBudget {
    package static func of(_ bytes: Int) -> Duration { .milliseconds(50) + .microseconds(bytes) }

    /// The time that this thread's processor has taken until now. Waiting for a processor does not count.
    package static func used() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Reads an input, again if it took longer than its budget: the first time may include what is made once.
    ///
    /// - Returns: how often the budget the time is that it took, at most, of its best reading.
    package static func share(of parser: HostileParser, _ input: [UInt8], readings: Int = 3) -> Double {
        var best = Double.infinity
        for _ in 0..<readings where best > 1 {
            let start = used()
            parser.run(input)
            best = min(best, (used() - start) / of(input.count))
        }
        return best
    }
}
