import Model

/// How one transfer ended, and whether the upstream may have seen its request.
package struct Exchange: Sendable {
    package enum Outcome: Sendable {
        case answered(UpstreamResponse)
        case failed(UpstreamError)
        /// The admission refused the request when it was about to be sent: it never left this process.
        case notAdmitted
        case cancelled
    }

    package var outcome: Outcome
    /// Whether the admission allowed the request. `false` proves that it never left this process.
    package var mayHaveLeft: Bool
    /// When the transport's thread noticed the end.
    package var endedAt: MonotonicInstant
}
