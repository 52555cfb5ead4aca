import Model
import Storage

/// One write transaction of a process about one key: what it gives back, what it learnt, and what it would like.
struct PermitSettlement: Sendable {
    struct Release: Sendable {
        let slot: Int
        let grantNumber: Int64
        let freeAt: MonotonicInstant
    }

    /// A wish to pause the key.
    enum Pause: Sendable {
        case requested(until: MonotonicInstant)
        /// `nil` stands for the reset that is stored, else an hour.
        case quotaExhausted(until: Timestamp?)
    }

    struct Call: Sendable {
        let id: UInt64
        /// How long its answer may take.
        let totalTimeout: Duration
    }

    struct Outcome: Sendable {
        /// By the id of the call.
        var grants: [UInt64: (slot: Int, grantNumber: Int64)] = [:]
        /// When the grants were made: inside the transaction, so a moment before it was durable.
        var at: MonotonicInstant
        var pause: (pause: PermitPause, until: MonotonicInstant)?
        var nextLook: MonotonicInstant?
        var saidDemand = false
    }

    static let pauseWithoutReset = Duration.seconds(3_600)
    /// How much later than planned a process may look again and still be counted on.
    static let demandGrace = Duration.seconds(1)

    let key: PermitKey
    let limit: PermitLimit
    let process: String
    let boot: String
    let isRegistered: Bool
    let releases: [Release]
    let pauses: [Pause]
    let quotaReset: Timestamp?
    /// More of each than there are slots are of no use here; `waitingInteractive` counts them all.
    let interactive: [Call]
    let background: [Call]
    let waitingInteractive: Int
    /// Whether other processes were told of waiting calls.
    let hasSaidDemand: Bool

    func perform(in transaction: WriteTransaction) throws -> Outcome {
        let now = MonotonicInstant.now()
        let name = key.description
        // The gateway deletes keys that nobody uses.
        if try !isRegistered || !transaction.permits.knowsPermitKey(name) {
            try transaction.permits.registerPermitKey(
                name, provider: key.provider, requests: limit.requests, window: limit.window, boot: boot)
            // Requests of before the restart may have arrived until just now.
            try transaction.permits.adoptPermitSlots(of: name, boot: boot, busyUntil: now.advanced(by: limit.window))
        }
        for release in releases {
            try transaction.permits.releasePermit(
                name, slot: release.slot, grantNumber: release.grantNumber, freeAt: release.freeAt)
        }
        if let quotaReset { try transaction.permits.setPermitQuotaReset(of: name, to: quotaReset) }

        var outcome = Outcome(at: now)
        outcome.pause = try pause(in: transaction, now: now)
        if let pause = outcome.pause {
            outcome.nextLook = pause.until.advanced(by: .microseconds(1))
        } else if !interactive.isEmpty || !background.isEmpty {
            try grant(in: transaction, now: now, &outcome)
        }
        try sayDemand(in: transaction, now: now, &outcome)
        return outcome
    }

    private func grant(in transaction: WriteTransaction, now: MonotonicInstant, _ outcome: inout Outcome) throws {
        let name = key.description
        let plan = PermitPlan(
            slots: try transaction.permits.permitSlots(of: name, requests: limit.requests), limit: limit,
            process: process,
            interactive: interactive.map(\.totalTimeout), background: background.map(\.totalTimeout),
            demand: try transaction.permits.permitDemand(for: name, besides: process, boot: boot, now: now), now: now)
        let served = interactive.prefix(plan.interactiveShare) + background.prefix(plan.backgroundShare)
        for (call, grant) in zip(served, plan.grants) {
            let number = try transaction.permits.grantPermit(
                name, slot: grant.slot, holder: process, busyUntil: grant.busyUntil)
            outcome.grants[call.id] = (grant.slot, number)
        }
        outcome.nextLook = plan.nextLook
    }

    /// The pause in force, after the wishes of this settlement. The longest one wins.
    private func pause(
        in transaction: WriteTransaction, now: MonotonicInstant
    ) throws -> (pause: PermitPause, until: MonotonicInstant)? {
        let name = key.description
        let wallNow = Timestamp.now()
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

    /// Tells the other processes how many interactive calls still wait here, while it is known when this one looks.
    private func sayDemand(in transaction: WriteTransaction, now: MonotonicInstant, _ outcome: inout Outcome) throws {
        let granted = interactive.count { outcome.grants[$0.id] != nil }
        let left = waitingInteractive - granted
        if left > 0, outcome.pause == nil, let nextLook = outcome.nextLook {
            try transaction.permits.setPermitDemand(
                for: key.description, process: process, waiting: left, boot: boot,
                liveUntil: nextLook.advanced(by: Self.demandGrace), now: now)
            outcome.saidDemand = true
        } else if hasSaidDemand {
            try transaction.permits.removePermitDemand(for: key.description, process: process)
        }
    }
}
