import Model

/// How a request ended that had left under a permit, as far as its key's limits are concerned.
struct PermittedEnd: Sendable {
    /// When the whole answer was here, or the connection had ended.
    let at: MonotonicInstant
    /// What the answer says that it weighed; `nil` leaves what was estimated.
    var weight: Int?
    /// When the provider starts counting anew that has counted this request: its own word, measured from its own clock.
    var reset: MonotonicInstant?
    /// False for a credential that the provider does not know: it counts nothing for it.
    var countsForQuotas = true
}
