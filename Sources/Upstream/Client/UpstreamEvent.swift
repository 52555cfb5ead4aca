import Model

/// What happened in an upstream call, for metrics and logs. Nothing in it is secret.
package struct UpstreamEvent: Sendable {
    package enum Kind: Sendable {
        /// A request was sent (or could not be): its status, or what went wrong.
        case attempted(Attempt)
        /// Nothing passes with this key until then, then one probe.
        case circuitOpened(PermitKey, until: Timestamp)
        /// The probe came through, and calls with this key pass again.
        case circuitClosed(PermitKey)
        /// The provider asked for no requests with this key for that long, or (`nil`) until its quota starts anew.
        case keyPaused(for: Duration?, reason: UpstreamError.PauseReason)
        /// A retry was not made: too large a share of the requests were retries.
        case retryBudgetSpent
        /// A call got its permit, and is about to be sent.
        case permitGranted
        /// A permit went back because no connection stood within its second.
        case permitMissed
    }

    package struct Attempt: Sendable {
        /// 1 for a call's first.
        package var number: Int
        package var status: Int?
        package var error: UpstreamError?
        /// Of the answer's body, after decompression.
        package var responseBytes = 0
        /// From the handing over to the transport to the answer's last byte.
        package var duration: Duration
        /// For the breaker and the permit.
        package var waited: Duration
    }

    package var provider: String
    package var kind: Kind
}
