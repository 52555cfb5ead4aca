import Model

/// What an answer means for the call, its key and the calls to come. Each provider decides it for its own answers.
package enum ResponseVerdict: Hashable, Sendable {
    /// Handed to the caller.
    case success
    /// Trouble that may pass. A duration is the provider's word for when to come back, and pauses the whole key.
    case retryable(after: Duration?)
    /// The key's allowance is used up until then; `nil` when this answer does not say, for the reset that an
    /// earlier answer told of, else an hour from now.
    case pauseKey(until: Timestamp?)
    /// Handed to the caller: sending it again would bring the same answer.
    case final

    /// For providers without rules of their own: 429 and 5xx may pass, `Retry-After` is believed.
    package static func standard(_ response: UpstreamResponse) -> ResponseVerdict {
        switch response.status {
        case 200..<300: .success
        case 408, 429, 500...599: .retryable(after: RetryAfter.duration(in: response))
        default: .final
        }
    }
}
