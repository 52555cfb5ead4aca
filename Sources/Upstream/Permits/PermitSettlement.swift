import Model
import Storage

/// One write transaction of a process about one key: what it gives back, what it learnt, and what it would like.
struct PermitSettlement: Sendable {
    /// A permit that is given back.
    struct Release: Sendable {
        enum End: Sendable {
            /// The request never left.
            case unused(at: MonotonicInstant)
            case ended(PermittedEnd)
        }

        let slot: Int
        let grantNumber: Int64
        let grantedAt: MonotonicInstant
        /// What the grant counted as.
        var share: TakenShare?
        let end: End
    }

    /// A wish to pause the key.
    enum Pause: Sendable {
        case requested(until: MonotonicInstant)
        /// `nil` stands for the reset that is stored, else an hour.
        case quotaExhausted(until: Timestamp?)
    }

    struct Call: Sendable, Equatable {
        let id: UInt64
        /// A pseudonym of who it is for.
        var person = PermitQueue.nobody
        /// What it takes up of quotas that count weight.
        var weight = 0
        /// The share that it takes from.
        var share: CallShare?
        /// How long its answer may take.
        let totalTimeout: Duration
    }

    struct Outcome: Sendable {
        /// By the id of the call.
        var grants: [UInt64: (slot: Int, grantNumber: Int64, share: TakenShare?)] = [:]
        /// Calls that would have been granted, but for their person's share, and when shares begin anew.
        var refused: [UInt64: Timestamp] = [:]
        /// When the grants were made: inside the transaction, so a moment before it was durable.
        var at: MonotonicInstant
        var pause: (pause: PermitPause, until: MonotonicInstant)?
        /// A quota of a long window that has no room for some calls.
        var exhausted: Exhausted?
        var nextLook: MonotonicInstant?
        var saidClaims = false
    }

    /// Calls that a quota has no room for until a moment that is far away.
    struct Exhausted: Sendable {
        let quota: PermitQuota
        /// Of background calls, else of all.
        let isOfBackground: Bool
        /// Of the quota: smaller ones may fit.
        let share: Int
        let until: MonotonicInstant
        let onWallClock: Timestamp

        func concerns(_ call: Call, _ urgency: UpstreamRequest.Urgency) -> Bool {
            (urgency == .background || !isOfBackground) && quota.share(ofWeight: call.weight) >= share
        }
    }

    static let pauseWithoutReset = Duration.seconds(3_600)
    /// How much later than planned a process may look again and still be counted on.
    static let claimGrace = Duration.seconds(1)
    /// How far a process's next look may be away, on either side, for interactive calls to leave a slot to its own.
    static let lookMargin = Duration.milliseconds(100)
    /// After how long what is under way elsewhere is looked at anew, since an answer may make room for more weight.
    static let weightInterval = Duration.seconds(1)

    let key: PermitKey
    let limit: PermitLimit
    var quotas: [PermitQuota] = []
    let process: String
    let boot: String
    let isRegistered: Bool
    let releases: [Release]
    let pauses: [Pause]
    let quotaReset: Timestamp?
    /// All that wait, those of each person in their order.
    let interactive: [Call]
    let background: [Call]
    /// Whether other processes were told of waiting calls.
    let saidClaims: Bool

    func perform(
        in transaction: WriteTransaction, now: MonotonicInstant = .now(), wallNow: Timestamp = .now()
    ) throws -> Outcome {
        let name = key.description
        // The gateway deletes keys that nobody uses.
        if try !isRegistered || !transaction.permits.knowsPermitKey(name) {
            try transaction.permits.registerPermitKey(
                name, provider: key.provider, requests: limit.requests, window: limit.window, boot: boot)
            // Requests of before the restart may have arrived until just now.
            try transaction.permits.adoptPermitSlots(of: name, boot: boot, busyUntil: now.advanced(by: limit.window))
            try transaction.permits.registerPermitQuotas(quotas.map(\.record), of: name)
        }
        let clock = try clock(in: transaction, now: now, wallNow: wallNow)
        try giveBack(in: transaction, clock: clock)
        if let quotaReset { try transaction.permits.setPermitQuotaReset(of: name, to: quotaReset) }

        var outcome = Outcome(at: now)
        outcome.pause = try pause(in: transaction, now: now, wallNow: wallNow)
        if let pause = outcome.pause {
            outcome.nextLook = pause.until.advanced(by: .microseconds(1))
        } else if !interactive.isEmpty || !background.isEmpty {
            try grant(in: transaction, clock: clock, wallNow: wallNow, &outcome)
        }
        try sayClaims(in: transaction, now: now, &outcome)
        return outcome
    }

    /// Keys without quotas need no clock but that of this boot.
    private func clock(
        in transaction: WriteTransaction, now: MonotonicInstant, wallNow: Timestamp
    ) throws -> PermitClock {
        guard !quotas.isEmpty else { return PermitClock(boot: boot, now: now) }
        let clock = try transaction.permits.permitClock(boot: boot, now: now, wallNow: wallNow)
        try transaction.permits.notePermitClock(clock, wallNow: wallNow)
        return clock
    }

    /// The pause in force, after the wishes of this settlement. The longest one wins.
    private func pause(
        in transaction: WriteTransaction, now: MonotonicInstant, wallNow: Timestamp
    ) throws -> (pause: PermitPause, until: MonotonicInstant)? {
        let name = key.description
        var current = try transaction.permits.permitPause(of: name, boot: boot, now: now, wallNow: wallNow)
            .map { (pause: $0.pause, until: now.advanced(by: $0.remaining)) }
        for wish in pauses {
            let until: MonotonicInstant
            let reason: UpstreamError.PauseReason
            switch wish {
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

    /// Tells the other processes which calls still wait here, while it is known when this one looks.
    private func sayClaims(in transaction: WriteTransaction, now: MonotonicInstant, _ outcome: inout Outcome) throws {
        var claims: [PermitClaim] = []
        if outcome.pause == nil, let nextLook = outcome.nextLook {
            let end = nextLook.advanced(by: Self.claimGrace)
            for (urgency, calls) in [(UpstreamRequest.Urgency.interactive, interactive), (.background, background)] {
                let left = calls.filter { call in
                    outcome.grants[call.id] == nil && outcome.exhausted?.concerns(call, urgency) != true
                }
                claims += PermitClaim.claims(of: left, urgency, liveUntil: end)
            }
        }
        guard !claims.isEmpty || saidClaims else { return }
        try transaction.permits.setPermitClaims(
            claims, for: key.description, process: process, boot: boot, now: now)
        outcome.saidClaims = !claims.isEmpty
    }
}

extension PermitClaim {
    fileprivate static func claims(
        of calls: [PermitSettlement.Call], _ urgency: UpstreamRequest.Urgency, liveUntil: MonotonicInstant
    ) -> [PermitClaim] {
        Dictionary(grouping: calls, by: \.person).sorted { $0.key < $1.key }.map { person, calls in
            PermitClaim(
                urgency: urgency.rawValue, person: person, calls: calls.count, weight: calls[0].weight,
                liveUntil: liveUntil)
        }
    }
}
