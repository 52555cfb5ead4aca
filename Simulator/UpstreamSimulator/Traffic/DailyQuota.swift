import Model

/// The number of requests that a key may make within a fixed time after its first one.
///
/// The window opens with the first counted request and closes ``length`` later,
/// whatever happens in between: it does not slide.
package struct DailyQuota: Sendable {
    /// The state of the quota after an admitted request.
    package struct Status: Sendable, Equatable {
        package var limit: Int
        package var available: Int
        package var resetsAt: Timestamp
    }

    package enum Verdict: Sendable, Equatable {
        case granted(Status)
        case exhausted(resetsAt: Timestamp)
    }

    /// The number of requests that one window allows.
    package var limit: Int
    /// How long after its first request a window ends.
    package var length: Duration

    private var window: (opened: Timestamp, used: Int)?

    package init(limit: Int = 5_000, length: Duration = .seconds(86_400)) {
        self.limit = limit
        self.length = length
    }

    /// Requests counted in the current window, without refused ones.
    package var used: Int { window?.used ?? 0 }

    /// Counts one request, or refuses it.
    package mutating func admit(at now: Timestamp) -> Verdict {
        var open = window ?? (opened: now, used: 0)
        if open.opened.advanced(by: length) <= now {
            open = (opened: now, used: 0)
        }
        defer { window = open }
        let resetsAt = open.opened.advanced(by: length)
        guard open.used < limit else { return .exhausted(resetsAt: resetsAt) }
        open.used += 1
        return .granted(Status(limit: limit, available: limit - open.used, resetsAt: resetsAt))
    }
}
