import Model

/// What happened in an upstream call, for metrics and logs. It contains no secrets.
package struct UpstreamEvent: Sendable {
    package enum Kind: Sendable {
        /// A request was sent, or could not be sent.
        case attempted(Attempt)
        /// The circuit breaker lets no call with this key through until then; after that, it lets one probe through.
        case circuitOpened(PermitKey, until: Timestamp)
        /// The probe succeeded; calls with this key are let through again.
        case circuitClosed(PermitKey)
        /// No requests are sent with this key for that long or, if `nil`, until its quota resets.
        case keyPaused(for: Duration?, reason: UpstreamError.PauseReason)
        /// A retry was not made because too many of the latest requests were retries.
        case retryBudgetSpent
        /// A call got its permit and is about to be sent.
        case permitGranted
        /// A permit was returned unused: no connection was established within its second.
        case permitMissed
    }

    package struct Attempt: Sendable {
        /// 1 for the first attempt of a call.
        package var number: Int
        package var status: Int?
        package var error: UpstreamError?
        /// The size of the answer's body after decompression.
        package var responseBytes = 0
        /// The time from the handover to the transport to the last byte of the answer.
        package var duration: Duration
        /// How long the call waited for the breaker and the permit.
        package var waited: Duration
    }

    package var provider: String
    package var kind: Kind
}
