import Foundation
import TestSupport

/// The processor time that reading an input may take: 50 ms, plus one second for each MB.
package enum ProcessorBudget {
    package static func of(_ bytes: Int) -> Duration { .milliseconds(50) + .microseconds(bytes) }

    /// Reads an input, and reads it again if that took longer than its budget: the first time may include one-time
    /// initialization.
    ///
    /// - Returns: the time of the fastest read as a multiple of the budget.
    package static func share(of parser: HostileParser, _ input: [UInt8], readings: Int = 3) -> Double {
        var best = Double.infinity
        for _ in 0..<readings where best > 1 {
            best = min(best, ProcessorTime.measure { parser.run(input) }.time / of(input.count))
        }
        return best
    }
}
