import Model
import Platform

/// The pause before another attempt: exponential backoff with full jitter
/// (aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter), so that jobs that failed together are not
/// retried together.
package enum RetryBackoff {
    static let base = Duration.seconds(1).dividedInTests
    static let cap = Duration.seconds(300).dividedInTests

    /// The pause after an attempt (from 1): a random time of at most 1 s, 2 s, 4 s … 300 s.
    package static func pause(
        afterAttempt attempt: Int, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let doublings = min(max(attempt - 1, 0), 20)
        let ceiling = min(cap, base * (1 << doublings))
        return .microseconds(Int64.random(in: 0...ceiling.microseconds, using: &generator))
    }
}
