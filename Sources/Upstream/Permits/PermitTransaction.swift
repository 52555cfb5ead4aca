import Model
import PermitStorage
import Storage

/// One write transaction of a process for one key: releases permits, stores pauses and resets, and grants permits to
/// waiting calls.
struct PermitTransaction: Sendable {
    /// A permit that is released.
    struct Release: Sendable {
        enum End: Sendable {
            /// The request was never sent.
            case unused(at: MonotonicInstant)
            case ended(RequestEnd)
        }

        let slot: Int
        let grantNumber: Int64
        let grantedAt: MonotonicInstant
        /// What the grant counted towards its person's daily share.
        var share: ShareCharge?
        let end: End
    }

    /// A request to pause the key.
    enum PauseRequest: Sendable {
        case requested(until: MonotonicInstant)
        /// If `nil`: until the stored reset, or for ``pauseWithoutReset`` when none is stored.
        case quotaExhausted(until: Timestamp?)
    }

    struct Call: Sendable, Equatable {
        let id: UInt64
        /// The pseudonym of the person for whom the call is made.
        var person = PermitQueue.nobody
        /// How much of weight-counting quotas it uses.
        var weight = 0
        /// The daily share that it counts towards.
        var share: CallShare?
        /// The most time from the start of the request to the end of its answer.
        let totalTimeout: Duration
    }

    struct Outcome: Sendable {
        /// Permits by the id of the call.
        var grants: [UInt64: (slot: Int, grantNumber: Int64, share: ShareCharge?)] = [:]
        /// The ids of calls whose person has used up their daily share, with the time at which the day ends.
        var refused: [UInt64: Timestamp] = [:]
        /// When the grants were made: within the transaction, so before its commit.
        var at: MonotonicInstant
        var pause: (pause: PermitPause, until: MonotonicInstant)?
        /// A quota with a long window that has no room for some calls.
        var exhausted: ExhaustedQuota?
        var nextLook: MonotonicInstant?
        var hasAnnouncedCalls = false
    }

    /// A quota with a long window, and the calls for which it has no room.
    struct ExhaustedQuota: Sendable {
        let quota: PermitQuota
        /// Whether interactive calls still fit.
        let isBackgroundOnly: Bool
        /// Calls that use less of the quota may fit.
        let share: Int
        /// When there may be room again.
        let until: MonotonicInstant
        let untilOnWallClock: Timestamp

        func concerns(_ call: Call, _ urgency: UpstreamRequest.Urgency) -> Bool {
            (urgency == .background || !isBackgroundOnly) && quota.share(ofWeight: call.weight) >= share
        }
    }

    /// How long a used-up quota pauses the key when the provider has announced no reset.
    static let pauseWithoutReset = Duration.seconds(3_600)
    /// How much later than planned a process may look again before its waiting calls are disregarded.
    static let announcementGrace = Duration.seconds(1)
    /// A slot is left to a call of another process only if that process plans to look, or planned to, within this time.
    static let lookMargin = Duration.milliseconds(100)
    /// How often to look while answers in other processes may make room in a quota.
    static let weightInterval = Duration.seconds(1)

    let key: PermitKey
    let limit: PermitLimit
    var quotas: [PermitQuota] = []
    let process: String
    let boot: String
    let isRegistered: Bool
    let releases: [Release]
    let pauses: [PauseRequest]
    let quotaReset: Timestamp?
    /// All waiting calls, in the order of their arrival.
    let interactive: [Call]
    let background: [Call]
    /// Whether the database lists calls of this process as waiting.
    let hasAnnouncedCalls: Bool
    /// The time that grants allow for their commit.
    var commitAllowance = Duration.zero

    func perform(
        in transaction: WriteTransaction, now: MonotonicInstant = .now(), wallNow: Timestamp = .now()
    ) throws -> Outcome {
        let name = key.description
        // The gateway prunes unused keys.
        if try !isRegistered || !transaction.permits.knowsPermitKey(name) {
            try transaction.permits.registerPermitKey(
                name, provider: key.provider, requests: limit.requests, window: limit.window, boot: boot)
            // Requests of an earlier boot may have arrived until just now.
            try transaction.permits.adoptPermitSlots(of: name, boot: boot, busyUntil: now.advanced(by: limit.window))
            try transaction.permits.registerPermitQuotas(quotas.map(\.record), of: name)
        }
        let clock = try clock(in: transaction, now: now, wallNow: wallNow)
        try applyReleases(in: transaction, clock: clock)
        if let quotaReset { try transaction.permits.setPermitQuotaReset(of: name, to: quotaReset) }

        var outcome = Outcome(at: now)
        outcome.pause = try pause(in: transaction, now: now, wallNow: wallNow)
        if let pause = outcome.pause {
            outcome.nextLook = pause.until.advanced(by: .microseconds(1))
        } else if !interactive.isEmpty || !background.isEmpty {
            try grant(in: transaction, clock: clock, wallNow: wallNow, &outcome)
        }
        try announceWaitingCalls(in: transaction, now: now, &outcome)
        return outcome
    }

    /// Keys without quotas need only the clock of this boot.
    private func clock(
        in transaction: WriteTransaction, now: MonotonicInstant, wallNow: Timestamp
    ) throws -> PermitClock {
        guard !quotas.isEmpty else { return PermitClock(boot: boot, now: now) }
        let clock = try transaction.permits.permitClock(boot: boot, now: now, wallNow: wallNow)
        try transaction.permits.recordPermitClock(clock, wallNow: wallNow)
        return clock
    }

    /// The pause in effect, including those requested by this transaction. The longest one wins.
    private func pause(
        in transaction: WriteTransaction, now: MonotonicInstant, wallNow: Timestamp
    ) throws -> (pause: PermitPause, until: MonotonicInstant)? {
        let name = key.description
        var current = try transaction.permits.permitPause(of: name, boot: boot, now: now, wallNow: wallNow)
            .map { (pause: $0.pause, until: now.advanced(by: $0.remaining)) }
        for request in pauses {
            let until: MonotonicInstant
            let reason: UpstreamError.PauseReason
            switch request {
            case .requested(let instant): (until, reason) = (instant, .requested)
            case .quotaExhausted(let time):
                let stored = try transaction.permits.permitQuotaReset(of: name)
                let reset = [time, stored].compactMap { $0 }.first { $0 > wallNow }
                let rest = reset.map { min(wallNow.duration(to: $0), RetryAfter.longest) } ?? Self.pauseWithoutReset
                (until, reason) = (now.advanced(by: rest), .quotaExhausted)
            }
            guard until > max(now, current?.until ?? now) else { continue }
            let pause = PermitPause(until: wallNow.advanced(by: now.duration(to: until)), reason: reason.rawValue)
            try transaction.permits.setPermitPause(of: name, to: pause, until: until, boot: boot)
            current = (pause, until)
        }
        return current
    }

    /// Announces to the other processes which calls still wait in this one. The announcement is valid until this
    /// process should have looked again.
    private func announceWaitingCalls(
        in transaction: WriteTransaction, now: MonotonicInstant, _ outcome: inout Outcome
    ) throws {
        var waiting: [WaitingCalls] = []
        if outcome.pause == nil, let nextLook = outcome.nextLook {
            let end = nextLook.advanced(by: Self.announcementGrace)
            for (urgency, calls) in [(UpstreamRequest.Urgency.interactive, interactive), (.background, background)] {
                let left = calls.filter { call in
                    outcome.grants[call.id] == nil && outcome.exhausted?.concerns(call, urgency) != true
                }
                waiting += WaitingCalls.byPerson(left, urgency, liveUntil: end)
            }
        }
        guard !waiting.isEmpty || hasAnnouncedCalls else { return }
        try transaction.permits.setWaitingCalls(
            waiting, for: key.description, process: process, boot: boot, now: now)
        outcome.hasAnnouncedCalls = !waiting.isEmpty
    }
}

extension WaitingCalls {
    fileprivate static func byPerson(
        _ calls: [PermitTransaction.Call], _ urgency: UpstreamRequest.Urgency, liveUntil: MonotonicInstant
    ) -> [WaitingCalls] {
        Dictionary(grouping: calls, by: \.person).sorted { $0.key < $1.key }.map { person, calls in
            WaitingCalls(
                urgency: urgency.rawValue, person: person, calls: calls.count, weight: calls[0].weight,
                liveUntil: liveUntil)
        }
    }
}
