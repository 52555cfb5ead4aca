/// Why a command no longer follows something at the gateway.
package enum FollowingEnd: Equatable {
    /// It has ended.
    case over
    case timedOut
    /// The process got this signal (2 for Ctrl-C).
    case interrupted(Int32)
    case failed(GatewayError)
}
