import Model

/// One slot of a key: busy until that moment of its boot.
package struct PermitSlotRecord: Sendable, Equatable {
    /// 0 ..< the number of requests allowed in a window.
    package var slot: Int
    package var busyUntil: MonotonicInstant
    /// Rises with every grant of the slot; a release must name it.
    package var grantNumber: Int64
    /// The process whose request is under way; `nil` once it was answered, or never left.
    package var holder: String?

    package init(slot: Int, busyUntil: MonotonicInstant, grantNumber: Int64, holder: String?) {
        self.slot = slot
        self.busyUntil = busyUntil
        self.grantNumber = grantNumber
        self.holder = holder
    }
}

/// Calls of one person that wait in a process.
package struct PermitClaim: Sendable, Equatable {
    /// 1 for interactive calls, 0 for background ones.
    package var urgency: Int
    /// A pseudonym.
    package var person: String
    /// 1 or more.
    package var calls: Int
    /// Of the first of them.
    package var weight: Int
    /// Until when the process must have been heard of again to count on.
    package var liveUntil: MonotonicInstant

    package init(urgency: Int, person: String, calls: Int, weight: Int, liveUntil: MonotonicInstant) {
        self.urgency = urgency
        self.person = person
        self.calls = calls
        self.weight = weight
        self.liveUntil = liveUntil
    }
}

/// What a key's requests are counted by besides its slots.
package struct PermitQuotaRecord: Sendable, Equatable {
    package var name: String
    /// What is counted, in a word of the writer's.
    package var unit: String
    package var amount: Int
    package var window: Duration

    package init(name: String, unit: String, amount: Int, window: Duration) {
        self.name = name
        self.unit = unit
        self.amount = amount
        self.window = window
    }
}

/// Until when nothing is sent with a key, and why, in a word of the writer's.
package struct PermitPause: Sendable, Equatable {
    package var until: Timestamp
    package var reason: String

    package init(until: Timestamp, reason: String) {
        self.until = until
        self.reason = reason
    }
}

/// The state of one key for people to read.
package struct PermitStatus: Sendable, Equatable {
    /// `provider:fingerprint`.
    package var key: String
    package var provider: String
    /// Slots, and the length of the window.
    package var requests: Int
    package var window: Duration
    package var free: Int
    package var busy: Int
    /// `nil` unless requests are paused at present.
    package var pause: PermitPause?
    /// Interactive calls that wait, in all processes.
    package var waiting: Int
    /// What else its requests are counted by.
    package var quotas: [Quota]

    package struct Quota: Sendable, Equatable {
        package var quota: PermitQuotaRecord
        /// May be more than the amount, where requests weighed more than was estimated.
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
