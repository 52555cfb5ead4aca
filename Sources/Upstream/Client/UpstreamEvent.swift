import Model

/// What happened in an upstream call, for metrics and logs. Nothing in it is secret.
package struct UpstreamEvent: Sendable {
    package enum Kind: Sendable {
        /// A request was sent, or could not be.
        case attempted(Attempt)
        /// The circuit breaker lets no call with this key pass until then, and then one probe.
        case circuitOpened(PermitKey, until: Timestamp)
        /// The probe succeeded; calls with this key pass again.
        case circuitClosed(PermitKey)
        /// No requests are sent with this key for that long, or (`nil`) until its quota resets.
        case keyPaused(for: Duration?, reason: UpstreamError.PauseReason)
        /// A retry was not made because too many of the latest requests were retries.
        case retryBudgetSpent
        /// A call got its permit and is about to be sent.
        case permitGranted
        /// A permit went back unused: no connection was established within its second.
        case permitMissed
    }

    package struct Attempt: Sendable {
        /// 1 for the first attempt of a call.
        package var number: Int
        package var status: Int?
        package var error: UpstreamError?
        /// The size of the answer's body after decompression.
        package var responseBytes = 0
        /// From the handover to the transport to the last byte of the answer.
        package var duration: Duration
        /// How long the call waited for the breaker and the permit.
        package var waited: Duration
    }

    package var provider: String
    package var kind: Kind
}
