import Model
import PermitStorage

/// A limit of a key in addition to its ``PermitLimit``: a number of requests, or an amount of weight, per window.
package struct PermitQuota: Sendable, Equatable {
    package enum Unit: String, Sendable {
        /// Each request counts 1.
        case requests
        /// Each request counts its weight: an estimate until its answer reports the weight.
        case weight
    }

    /// The longest window that calls simply wait for. If a quota with a longer window does not have room in time, calls
    /// fail with the time at which it will.
    package static let shortWindow = Duration.seconds(3_600)

    /// Unique among the quotas of a key; identifies the quota in the database and in messages.
    package let name: String
    package let unit: Unit
    /// At least 1.
    package let amount: Int
    /// Longer than zero.
    package let window: Duration
    /// Whether the provider's answers say when the quota resets, after which earlier requests no longer count.
    package let endsAtReset: Bool

    package init(name: String, unit: Unit, amount: Int, window: Duration, endsAtReset: Bool = false) {
        precondition(amount > 0 && window > .zero, "a quota allows something in some time")
        self.name = name
        self.unit = unit
        self.amount = amount
        self.window = window
        self.endsAtReset = endsAtReset
    }

    /// How much of the quota a request of this weight uses.
    func share(ofWeight weight: Int) -> Int {
        switch unit {
        case .requests: 1
        case .weight: weight
        }
    }

    var record: PermitQuotaRecord {
        PermitQuotaRecord(name: name, unit: unit.rawValue, amount: amount, window: window)
    }
}
