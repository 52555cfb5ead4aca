import Model

/// How one transfer ended, and whether the upstream may have seen its request.
package struct Exchange: Sendable {
    package enum Outcome: Sendable {
        case answered(UpstreamResponse)
        case failed(UpstreamError)
        /// The admission said no at the moment of sending: nothing left this process.
        case notAdmitted
        case cancelled
    }

    package var outcome: Outcome
    /// True once the admission let the request go; false proves that it never left.
    package var mayHaveLeft: Bool
    /// When the transport saw the end, on its own thread.
    package var endedAt: MonotonicInstant
}
