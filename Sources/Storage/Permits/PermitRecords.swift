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

/// Interactive calls that wait in other processes.
package struct PermitDemand: Sendable, Equatable {
    package var waiting: Int
    /// When the first of those processes must have been heard of again to count on; `nil` without any.
    package var firstEnd: MonotonicInstant?

    package init(waiting: Int = 0, firstEnd: MonotonicInstant? = nil) {
        self.waiting = waiting
        self.firstEnd = firstEnd
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

    package init(
        key: String, provider: String, requests: Int, window: Duration, free: Int, busy: Int, pause: PermitPause?,
        waiting: Int
    ) {
        self.key = key
        self.provider = provider
        self.requests = requests
        self.window = window
        self.free = free
        self.busy = busy
        self.pause = pause
        self.waiting = waiting
    }
}
