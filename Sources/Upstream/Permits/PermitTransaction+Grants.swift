import Model
import PermitStorage
import Storage

extension PermitTransaction {
    // MARK: Releasing

    func applyReleases(in transaction: WriteTransaction, clock: PermitClock) throws {
        let name = key.description
        for release in releases {
            let freeAt: MonotonicInstant
            switch release.end {
            case .unused(let time): freeAt = time
            case .ended(let end): freeAt = end.at.advanced(by: limit.window)
            }
            try transaction.permits.releasePermit(
                name, slot: release.slot, grantNumber: release.grantNumber, freeAt: freeAt)
            if case .unused = release.end, let taken = release.share {
                try transaction.permits.returnShare(taken)
            }
            for quota in quotas { try apply(release, to: quota, in: transaction, clock: clock) }
        }
    }

    private func apply(
        _ release: Release, to quota: PermitQuota, in transaction: WriteTransaction, clock: PermitClock
    ) throws {
        let name = key.description
        guard case .ended(let end) = release.end, end.countsForQuotas else {
            return try transaction.permits.removePermitGrant(
                name, quota: quota.name, slot: release.slot, grantNumber: release.grantNumber)
        }
        let windowEnd = end.at.advanced(by: quota.window)
        let reset = quota.endsAtReset ? end.reset : nil
        try transaction.permits.endPermitGrant(
            name, quota: quota.name, slot: release.slot, grantNumber: release.grantNumber,
            weight: quota.unit == .weight ? end.weight.map { max(0, $0) } : nil, arrivedBy: end.at,
            countsUntil: min(windowEnd, reset ?? windowEnd))
        // The provider has counted all requests that had arrived when this one was granted, and those granted together
        // with it.
        if let reset, reset < windowEnd {
            try transaction.permits.endPermitGrants(
                of: name, quota: quota.name, arrivedBy: release.grantedAt, at: reset, clock: clock)
        }
    }

    // MARK: Granting

    func grant(
        in transaction: WriteTransaction, clock: PermitClock, wallNow: Timestamp, _ outcome: inout Outcome
    ) throws {
        let (name, now) = (key.description, clock.now)
        let elsewhere = try transaction.permits.waitingCalls(for: name, besides: process, boot: boot, now: now)
        let plan = PermitPlan(
            try situation(in: transaction, clock: clock, elsewhere: elsewhere), limit: limit, process: process,
            commitAllowance: commitAllowance, now: now)
        for grant in plan.grants {
            var taken: ShareCharge?
            if let share = grant.call.share {
                taken = try transaction.permits.chargeShare(share, now: wallNow)
                guard taken != nil else {
                    outcome.refused[grant.call.id] = CallShare.end(ofDayOf: wallNow)
                    continue
                }
            }
            let number = try transaction.permits.grantPermit(
                name, slot: grant.slot, holder: process, busyUntil: grant.busyUntil)
            for quota in quotas {
                try transaction.permits.addPermitGrant(
                    name, quota: quota.name, slot: grant.slot, grantNumber: number, boot: boot,
                    weight: quota.share(ofWeight: grant.call.weight), holder: process,
                    arrivedBy: grant.hardDeadline, countsUntil: grant.hardDeadline.advanced(by: quota.window))
            }
            outcome.grants[grant.call.id] = (grant.slot, number, taken)
        }
        if let start = plan.backgroundStart {
            try transaction.permits.setPermitBackgroundStart(of: name, to: start, boot: boot)
        }
        for urgency in UpstreamRequest.Urgency.allCases {
            try recordServed(of: plan, urgency, elsewhere: elsewhere, in: transaction, now: now)
        }
        outcome.nextLook = plan.nextLook
        if let shortage = plan.shortages[.interactive] {
            try wait(for: shortage, .interactive, in: transaction, clock: clock, wallNow: wallNow, &outcome)
        } else if let shortage = plan.shortages[.background] {
            try wait(for: shortage, .background, in: transaction, clock: clock, wallNow: wallNow, &outcome)
        }
    }

    private func situation(
        in transaction: WriteTransaction, clock: PermitClock, elsewhere: [WaitingCalls]
    ) throws -> PermitPlan.Situation {
        let (name, now) = (key.description, clock.now)
        let demand = elsewhere.filter { $0.urgency == UpstreamRequest.Urgency.interactive.rawValue }
        return PermitPlan.Situation(
            slots: try transaction.permits.permitSlots(of: name, requests: limit.requests),
            quotaUses: try quotas.map { quota in
                PermitPlan.QuotaUse(
                    quota: quota,
                    used: try transaction.permits.permitWeight(of: name, quota: quota.name, at: clock))
            },
            interactive: try order(.interactive, elsewhere: elsewhere, in: transaction, now: now),
            background: try order(.background, elsewhere: elsewhere, in: transaction, now: now),
            demand: demand.reduce(0) { $0 + $1.calls }, demandEnd: demand.map(\.liveUntil).min(),
            backgroundStart: background.isEmpty
                ? nil : try transaction.permits.permitBackgroundStart(of: name, boot: boot))
    }

    private func calls(_ urgency: UpstreamRequest.Urgency) -> [Call] {
        switch urgency {
        case .interactive: interactive
        case .background: background
        }
    }

    private func order(
        _ urgency: UpstreamRequest.Urgency, elsewhere: [WaitingCalls], in transaction: WriteTransaction,
        now: MonotonicInstant
    ) throws -> PermitOrder {
        let calls = calls(urgency)
        // Nothing is left to a process that has missed its look, or whose next look is far away.
        let elsewhere = elsewhere.filter { waiting in
            let look = waiting.liveUntil.advanced(by: .zero - Self.announcementGrace)
            return waiting.urgency == urgency.rawValue
                && now.duration(to: look).microseconds.magnitude
                    <= Self.lookMargin.microseconds.magnitude
        }
        let isShared = Set(calls.map(\.person) + elsewhere.map(\.person)).count > 1
        let lastServed =
            isShared
            ? try transaction.permits.permitsLastServed(
                of: key.description, urgency: urgency.rawValue, boot: boot)
            : [:]
        return PermitOrder(calls, elsewhere: elsewhere, lastServed: lastServed, limit: limit.requests + 1)
    }

    /// Stores who was served. The order only matters while several people wait.
    private func recordServed(
        of plan: PermitPlan, _ urgency: UpstreamRequest.Urgency, elsewhere: [WaitingCalls],
        in transaction: WriteTransaction, now: MonotonicInstant
    ) throws {
        let served = plan.grants.filter { $0.urgency == urgency }.map(\.call.person)
        let others = elsewhere.filter { $0.urgency == urgency.rawValue }.map(\.person)
        guard !served.isEmpty, Set(calls(urgency).map(\.person) + others).count > 1 else { return }
        try transaction.permits.recordPermitsServed(
            of: key.description, urgency: urgency.rawValue, people: served, boot: boot, now: now)
    }

    /// Sets when to check the quota for room again and, for a long window, which calls do not fit.
    private func wait(
        for shortage: PermitPlan.Shortage, _ urgency: UpstreamRequest.Urgency, in transaction: WriteTransaction,
        clock: PermitClock, wallNow: Timestamp, _ outcome: inout Outcome
    ) throws {
        let (name, now) = (key.description, clock.now)
        let quota = shortage.quota
        let room =
            try transaction.permits.permitRoom(for: shortage.shortfall, of: name, quota: quota.name, at: clock)
            ?? now.advanced(by: Self.weightInterval)
        outcome.nextLook = room.advanced(by: .microseconds(1))
        let underWay = try transaction.permits.permitWeightUnderWay(of: name, quota: quota.name, at: clock)
        if underWay > 0 {
            // A request under way may turn out to be lighter, or to have never been sent.
            outcome.nextLook = min(room, now.advanced(by: Self.weightInterval)).advanced(by: .microseconds(1))
        }
        if quota.window > PermitQuota.shortWindow, underWay < shortage.shortfall {
            outcome.exhausted = ExhaustedQuota(
                quota: quota, isBackgroundOnly: urgency == .background, share: shortage.share, until: room,
                untilOnWallClock: wallNow.advanced(by: now.duration(to: room)))
        }
    }
}
