import Model

/// Why there was no usable answer. No case contains a URL, a header or a body.
package enum UpstreamError: Error, Sendable, Equatable {
    /// The connection could not be made, was refused, or broke before the answer was complete.
    case connectionFailed(String)
    /// No complete answer came within the time limit.
    case timedOut
    /// The answer was larger than the limit in bytes.
    case responseTooLarge(limit: Int)
    /// The key is paused until then.
    case paused(until: Timestamp, reason: PauseReason = .requested)
    /// The person has used up their share of the day's calls with this credential; the next day begins then.
    case shareUsed(until: Timestamp)
    /// The circuit breaker is open until then, after too many failures.
    case circuitOpen(until: Timestamp)
    /// The time in which the request was allowed to begin has passed (``WriteAdmission``). Nothing was sent.
    case tooLate
    /// The configured base URL cannot be used. The text says why.
    case invalidBaseURL(String)
    /// The request cannot be sent, such as one with a line break in a header or a malformed path. The text says why.
    case invalidRequest(String)

    package enum PauseReason: String, Sendable {
        /// The provider asked to wait (`Retry-After`), or said that requests were too frequent.
        case requested
        /// A quota of the provider, such as the daily one, is used up.
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
        case .tooLate: "the request could not begin in time, and was not sent"
        case .circuitOpen(let until): "too many recent failures; no requests are made before \(until)"
        case .invalidBaseURL(let reason): "the base URL cannot be used: \(reason)"
        case .invalidRequest(let reason): "the request cannot be sent: \(reason)"
        }
    }
}
