import Model
import Storage

/// How many requests may arrive at a provider in any interval of a length.
package struct PermitLimit: Sendable, Equatable {
    /// 1 or more.
    package let requests: Int
    /// Longer than zero.
    package let window: Duration

    package init(requests: Int, window: Duration) {
        precondition(requests > 0 && window > .zero, "a limit allows at least one request in some time")
        self.requests = requests
        self.window = window
    }
}

/// The right to send one request, once, within a second.
struct Permit: Sendable {
    /// Within what time of its grant a permit's request starts to be written.
    static let startLimit = Duration.seconds(1)

    let slot: Int
    let grantNumber: Int64
    let grantedAt: MonotonicInstant
    /// When the call first met a pause while it waited for this permit.
    let pausedSince: MonotonicInstant?
    /// What it counts as of its person's share.
    var share: TakenShare?

    /// Whether the request may still start.
    func isValid(at now: MonotonicInstant) -> Bool {
        now <= grantedAt.advanced(by: Self.startLimit)
    }
}
