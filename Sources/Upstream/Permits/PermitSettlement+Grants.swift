import Model
import Storage

extension PermitSettlement {
    // MARK: Giving back

    func giveBack(in transaction: WriteTransaction, clock: PermitClock) throws {
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
            for quota in quotas { try giveBack(release, of: quota, in: transaction, clock: clock) }
        }
    }

    private func giveBack(
        _ release: Release, of quota: PermitQuota, in transaction: WriteTransaction, clock: PermitClock
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
        // What had arrived when this one was granted was counted together with it, or earlier.
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
        let claims = try transaction.permits.permitClaims(for: name, besides: process, boot: boot, now: now)
        let plan = PermitPlan(
            try situation(in: transaction, clock: clock, claims: claims), limit: limit, process: process, now: now)
        for grant in plan.grants {
            var taken: TakenShare?
            if let share = grant.call.share {
                taken = try transaction.permits.takeShare(share, now: wallNow)
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
            try noteTurns(of: plan, urgency, claims: claims, in: transaction, now: now)
        }
        outcome.nextLook = plan.nextLook
        if let shortage = plan.shortages[.interactive] {
            try wait(for: shortage, .interactive, in: transaction, clock: clock, wallNow: wallNow, &outcome)
        } else if let shortage = plan.shortages[.background] {
            try wait(for: shortage, .background, in: transaction, clock: clock, wallNow: wallNow, &outcome)
        }
    }

    private func situation(
        in transaction: WriteTransaction, clock: PermitClock, claims: [PermitClaim]
    ) throws -> PermitPlan.Situation {
        let (name, now) = (key.description, clock.now)
        let demand = claims.filter { $0.urgency == UpstreamRequest.Urgency.interactive.rawValue }
        return PermitPlan.Situation(
            slots: try transaction.permits.permitSlots(of: name, requests: limit.requests),
            rooms: try quotas.map { quota in
                PermitPlan.Room(
                    quota: quota,
                    used: try transaction.permits.permitWeight(of: name, quota: quota.name, at: clock))
            },
            interactive: try order(.interactive, claims: claims, in: transaction, now: now),
            background: try order(.background, claims: claims, in: transaction, now: now),
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
        _ urgency: UpstreamRequest.Urgency, claims: [PermitClaim], in transaction: WriteTransaction,
        now: MonotonicInstant
    ) throws -> PermitOrder {
        let calls = calls(urgency)
        // Where a process has not looked for longer than it meant to, or will not for a while, nothing is left to it.
        let claims = claims.filter { claim in
            let look = claim.liveUntil.advanced(by: .zero - Self.claimGrace)
            return claim.urgency == urgency.rawValue && abs(now.duration(to: look).microseconds)
                <= Self.lookMargin.microseconds
        }
        let isShared = Set(calls.map(\.person) + claims.map(\.person)).count > 1
        let turns =
            isShared
            ? try transaction.permits.permitTurns(of: key.description, urgency: urgency.rawValue, boot: boot) : [:]
        return PermitOrder(calls, claims: claims, turns: turns, limit: limit.requests + 1)
    }

    /// Where nobody else waits, nobody need know who was served.
    private func noteTurns(
        of plan: PermitPlan, _ urgency: UpstreamRequest.Urgency, claims: [PermitClaim],
        in transaction: WriteTransaction, now: MonotonicInstant
    ) throws {
        let served = plan.grants.filter { $0.urgency == urgency }.map(\.call.person)
        let others = claims.filter { $0.urgency == urgency.rawValue }.map(\.person)
        guard !served.isEmpty, Set(calls(urgency).map(\.person) + others).count > 1 else { return }
        try transaction.permits.notePermitTurns(
            of: key.description, urgency: urgency.rawValue, people: served, boot: boot, now: now)
    }

    /// When there may be room in a quota, and who is told that it takes too long.
    private func wait(
        for shortage: PermitPlan.Shortage, _ urgency: UpstreamRequest.Urgency, in transaction: WriteTransaction,
        clock: PermitClock, wallNow: Timestamp, _ outcome: inout Outcome
    ) throws {
        let (name, now) = (key.description, clock.now)
        let quota = shortage.quota
        let room =
            try transaction.permits.permitRoom(for: shortage.lack, of: name, quota: quota.name, at: clock)
            ?? now.advanced(by: Self.weightInterval)
        outcome.nextLook = room.advanced(by: .microseconds(1))
        let underWay = try transaction.permits.permitWeightUnderWay(of: name, quota: quota.name, at: clock)
        if underWay > 0 {
            // It may turn out lighter, or never to have left.
            outcome.nextLook = min(room, now.advanced(by: Self.weightInterval)).advanced(by: .microseconds(1))
        }
        if quota.window > PermitQuota.shortWindow, underWay < shortage.lack {
            outcome.exhausted = Exhausted(
                quota: quota, isOfBackground: urgency == .background, share: shortage.share, until: room,
                onWallClock: wallNow.advanced(by: now.duration(to: room)))
        }
    }
}
