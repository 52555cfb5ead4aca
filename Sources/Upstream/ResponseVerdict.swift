import Model

/// What an answer means for its call and for its key. Each provider classifies its own answers.
package enum ResponseVerdict: Hashable, Sendable {
    /// The call ends with this answer.
    case success
    /// A failure that may pass. A duration is how long the provider asks to wait; it pauses the whole key.
    case retryable(after: Duration?)
    /// The key's quota is used up until then. `nil` when the answer does not say: then until the reset that an earlier
    /// answer announced, or else for an hour.
    case pauseKey(until: Timestamp?)
    /// The call ends with this answer: a retry would get the same.
    case final

    /// The verdict for providers that have no rules of their own: 408, 429 and 5xx may pass; `Retry-After` is
    /// respected.
    package static func standard(_ response: UpstreamResponse) -> ResponseVerdict {
        switch response.status {
        case 200..<300: .success
        case 408, 429, 500...599: .retryable(after: RetryAfter.duration(in: response))
        default: .final
        }
    }
}
