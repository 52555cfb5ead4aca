import Model
import PermitStorage

/// The right to send one request, once, within a second.
struct Permit: Sendable {
    /// How long after the process has learned of a permit's grant its request may begin to be written.
    static let startLimit = Duration.seconds(1)

    let slot: Int
    let grantNumber: Int64
    /// The time within the transaction, before its commit.
    let grantedAt: MonotonicInstant
    /// The latest moment at which the request may begin to be written. The hard deadline is at least the request's
    /// total timeout after that moment.
    let latestStart: MonotonicInstant
    /// When the call first encountered a pause while it waited for this permit; `nil` when it encountered none.
    let pausedSince: MonotonicInstant?
    /// What was counted towards the person's daily share.
    var share: ShareCharge?

    /// - Parameters:
    ///   - learnedAt: when the process learned of the grant, after the commit.
    ///   - allowance: the time for the commit that the hard deadline includes.
    init(
        slot: Int, grantNumber: Int64, grantedAt: MonotonicInstant, learnedAt: MonotonicInstant,
        allowance: Duration = .zero, pausedSince: MonotonicInstant?, share: ShareCharge? = nil
    ) {
        self.slot = slot
        self.grantNumber = grantNumber
        self.grantedAt = grantedAt
        latestStart = min(
            learnedAt.advanced(by: Self.startLimit), grantedAt.advanced(by: allowance + Self.startLimit))
        self.pausedSince = pausedSince
        self.share = share
    }

    /// Whether the request may still begin to be written.
    func isValid(at now: MonotonicInstant) -> Bool { now <= latestStart }
}

/// How a request that was sent under a permit ended, as it matters to the limits of its key.
struct RequestEnd: Sendable {
    /// When the whole answer had arrived, or the connection had ended.
    let at: MonotonicInstant
    /// The weight that the answer reports; `nil` retains the estimate.
    var weight: Int?
    /// When the quota that counted this request resets, as the provider announced it, measured from its own clock.
    var reset: MonotonicInstant?
    /// `false` for a credential that the provider does not know: the provider counts nothing for it.
    var countsForQuotas = true
}
