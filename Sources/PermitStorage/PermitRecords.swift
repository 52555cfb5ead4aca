import Model

/// One slot of a key.
package struct PermitSlotRecord: Sendable, Equatable {
    /// The index of the slot, below the number of requests that are allowed in a window.
    package var slot: Int
    /// A moment of the current boot; the slot is free after it.
    package var busyUntil: MonotonicInstant
    /// Increases with every grant of the slot. A release must have the same number.
    package var grantNumber: Int64
    /// The process whose request is under way; `nil` once it was answered, or if it was never sent.
    package var holder: String?

    package init(slot: Int, busyUntil: MonotonicInstant, grantNumber: Int64, holder: String?) {
        self.slot = slot
        self.busyUntil = busyUntil
        self.grantNumber = grantNumber
        self.holder = holder
    }
}

/// Calls of one person and urgency that wait in one process.
package struct WaitingCalls: Sendable, Equatable {
    /// 1 for interactive calls, 0 for background ones.
    package var urgency: Int
    /// The person's pseudonym (`UserPseudonym`).
    package var person: String
    /// The number of calls; at least 1.
    package var calls: Int
    /// The weight of the first call.
    package var weight: Int
    /// When these calls stop counting unless the process has renewed them.
    package var liveUntil: MonotonicInstant

    package init(urgency: Int, person: String, calls: Int, weight: Int, liveUntil: MonotonicInstant) {
        self.urgency = urgency
        self.person = person
        self.calls = calls
        self.weight = weight
        self.liveUntil = liveUntil
    }
}

/// A limit of a key besides its slots: an amount of requests, or of weight, in a window.
package struct PermitQuotaRecord: Sendable, Equatable {
    package var name: String
    /// The unit that is counted: the raw value of `PermitQuota.Unit`.
    package var unit: String
    /// The most units in a window.
    package var amount: Int
    package var window: Duration

    package init(name: String, unit: String, amount: Int, window: Duration) {
        self.name = name
        self.unit = unit
        self.amount = amount
        self.window = window
    }
}

/// Until when nothing is sent with a key, and why: the raw value of `UpstreamError.PauseReason`.
package struct PermitPause: Sendable, Equatable {
    package var until: Timestamp
    package var reason: String

    package init(until: Timestamp, reason: String) {
        self.until = until
        self.reason = reason
    }
}

/// The state of one key, for operators.
package struct PermitStatus: Sendable, Equatable {
    /// `provider:fingerprint`.
    package var key: String
    package var provider: String
    /// The number of slots.
    package var requests: Int
    /// The length of the window.
    package var window: Duration
    package var free: Int
    package var busy: Int
    /// `nil` unless the key is paused at present.
    package var pause: PermitPause?
    /// Interactive calls that wait in all processes.
    package var waiting: Int
    package var quotas: [Quota]

    /// One quota of the key and how much of it is used.
    package struct Quota: Sendable, Equatable {
        package var quota: PermitQuotaRecord
        /// The amount used, which may exceed the limit if requests weighed more than estimated.
        package var used: Int

        package init(_ quota: PermitQuotaRecord, used: Int) {
            self.quota = quota
            self.used = used
        }
    }

    package init(
        key: String, provider: String, requests: Int, window: Duration, free: Int, busy: Int, pause: PermitPause?,
        waiting: Int, quotas: [Quota] = []
    ) {
        self.key = key
        self.provider = provider
        self.requests = requests
        self.window = window
        self.free = free
        self.busy = busy
        self.pause = pause
        self.waiting = waiting
        self.quotas = quotas
    }
}
