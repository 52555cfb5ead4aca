import Model

/// Why no usable answer came. No case carries a URL, a header or a body.
package enum UpstreamError: Error, Sendable, Equatable {
    /// The connection could not be made, was refused, or broke before the answer was complete.
    case connectionFailed(String)
    /// No complete answer within the time limit.
    case timedOut
    /// The answer was larger than the limit in bytes.
    case responseTooLarge(limit: Int)
    /// The provider (or its own word, such as `Retry-After`) asked to stay away until then.
    case paused(until: Timestamp, reason: PauseReason = .requested)
    /// The person for whom the call counts has used up their share of the day's calls with this credential; it begins
    /// anew then.
    case shareUsed(until: Timestamp)
    /// Too many recent failures: the circuit breaker lets nothing through until then.
    case circuitOpen(until: Timestamp)
    /// The configured base URL cannot be used, and why.
    case invalidBaseURL(String)
    /// The request cannot be put on the wire (a line break in a header, a malformed path), and why.
    case invalidRequest(String)

    package enum PauseReason: String, Sendable {
        /// The provider said when to come back (`Retry-After`), or that requests came too fast.
        case requested
        /// The provider's allowance, of the day for example, is used up.
        case quotaExhausted
    }
}

extension UpstreamError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .connectionFailed(let reason): "the connection failed: \(reason)"
        case .timedOut: "no complete answer came within the time limit"
        case .responseTooLarge(let limit): "the answer was larger than \(limit) bytes"
        case .paused(let until, .requested): "the provider asked for no requests before \(until)"
        case .paused(let until, .quotaExhausted): "the provider's quota is used up until \(until)"
        case .shareUsed(let until): "the person's share of the day's calls is used up until \(until)"
        case .circuitOpen(let until): "too many recent failures; no requests are made before \(until)"
        case .invalidBaseURL(let reason): "the base URL cannot be used: \(reason)"
        case .invalidRequest(let reason): "the request cannot be sent: \(reason)"
        }
    }
}
