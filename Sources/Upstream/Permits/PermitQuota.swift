import Model
import Storage

/// What a key's requests are counted by besides its ``PermitLimit``: another span of time, or what they weigh.
package struct PermitQuota: Sendable, Equatable {
    package enum Unit: String, Sendable {
        case requests
        /// What a request says that it weighs, until its answer tells.
        case weight
    }

    /// The longest window that is simply waited for, and of which a restart of the machine may cost all.
    package static let shortWindow = Duration.seconds(3_600)

    /// Of its own among those of a key; it names the quota in the database and in messages.
    package let name: String
    package let unit: Unit
    /// 1 or more.
    package let amount: Int
    /// Longer than zero.
    package let window: Duration
    /// Whether the provider starts counting anew at a moment that its answers tell, so that what came before it no
    /// longer counts.
    package let endsAtReset: Bool

    package init(name: String, unit: Unit, amount: Int, window: Duration, endsAtReset: Bool = false) {
        precondition(amount > 0 && window > .zero, "a quota allows something in some time")
        self.name = name
        self.unit = unit
        self.amount = amount
        self.window = window
        self.endsAtReset = endsAtReset
    }

    /// How much of it a request takes up that weighs so much.
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

/// How much of a key is kept for interactive calls.
enum InteractiveReserve {
    /// A quarter, and one of two at least. A single one serves both.
    static func of(_ amount: Int) -> Int {
        amount < 2 ? 0 : (amount + 3) / 4
    }
}

/// How background calls are spread over the window of a limit.
struct BackgroundPace: Equatable {
    /// Shorter intervals than this would cost a transaction for each call.
    private static let shortestInterval = Duration.milliseconds(20)

    /// The slots that they may take: those with lower numbers than this.
    let slots: Int
    /// How many may begin together.
    let batch: Int
    /// How long after those the next ones may begin.
    let interval: Duration

    init(_ limit: PermitLimit) {
        slots = limit.requests - InteractiveReserve.of(limit.requests)
        let spacing = limit.window.microseconds / Int64(slots)
        batch = min(slots, max(1, Int(Self.shortestInterval.microseconds / max(1, spacing))))
        interval = .microseconds(limit.window.microseconds * Int64(batch) / Int64(slots))
    }
}
