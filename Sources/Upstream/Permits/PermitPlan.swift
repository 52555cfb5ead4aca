import Model
import PermitStorage

/// Decides which calls get which free slots, and when to look again. It is pure: ``PermitTransaction`` reads its input
/// and writes its decisions.
struct PermitPlan: Equatable {
    struct Grant: Equatable {
        let call: PermitTransaction.Call
        let urgency: UpstreamRequest.Urgency
        let slot: Int
        /// The latest moment at which the request may arrive.
        let hardDeadline: MonotonicInstant
        /// The hard deadline plus a window.
        let busyUntil: MonotonicInstant
    }

    /// How much of a quota is used.
    struct QuotaUse: Equatable {
        let quota: PermitQuota
        var used: Int

        /// How much usage must expire before a call fits; `nil` if it fits now. A call that is larger than its class's
        /// part of the quota fits when nothing is used.
        func shortfall(_ weight: Int, _ urgency: UpstreamRequest.Urgency) -> Int? {
            let share = quota.share(ofWeight: weight)
            guard used > 0 || share > quota.amount, share > 0 else { return nil }
            let reserve = urgency == .interactive ? 0 : InteractiveReserve.of(quota.amount)
            let shortfall = used + share - (quota.amount - reserve)
            return shortfall > 0 ? min(shortfall, max(1, used)) : nil
        }
    }

    /// A quota that has no room for the next call of a class.
    struct Shortage: Equatable {
        let quota: PermitQuota
        /// How much usage must expire.
        let shortfall: Int
        /// How much the call would use.
        let share: Int
    }

    /// What a plan is made from.
    struct Situation {
        var slots: [PermitSlotRecord]
        var quotaUses: [QuotaUse] = []
        var interactive: PermitOrder
        var background: PermitOrder
        /// The number of interactive calls of other processes; background calls leave a slot to each of them.
        /// ``interactive`` also contains those of them that may be served before calls of this process.
        var demand = 0
        /// When the first of those calls is disregarded unless its process has renewed it.
        var demandEnd: MonotonicInstant?
        /// The earliest moment at which the next background call may begin.
        var backgroundStart: MonotonicInstant?
    }

    /// When to look again after a slot was left to another process.
    static let yieldedSlotRetry = Duration.milliseconds(20)

    private(set) var grants: [Grant] = []
    /// For each class, the quota that its first waiting call is waiting for, if any.
    private(set) var shortages: [UpstreamRequest.Urgency: Shortage] = [:]
    /// When the next slot may become free for a call that is still waiting.
    private(set) var nextLook: MonotonicInstant?
    /// When the next background call may begin, if this plan grants one.
    private(set) var backgroundStart: MonotonicInstant?

    private let limit: PermitLimit
    private let now: MonotonicInstant
    private let commitAllowance: Duration
    private var free: [Int]
    private var quotaUses: [QuotaUse]
    /// The number of slots left to interactive calls of other processes.
    private var reserved = 0

    /// - Parameter commitAllowance: the time that grants allow for their commit.
    init(
        _ situation: Situation, limit: PermitLimit, process: String, commitAllowance: Duration = .zero,
        now: MonotonicInstant
    ) {
        self.limit = limit
        self.now = now
        self.commitAllowance = commitAllowance
        // Strictly later: two arrivals exactly a window apart fall into one interval of that length.
        free = situation.slots.filter { $0.busyUntil < now }.map(\.slot).sorted()
        quotaUses = situation.quotaUses
        let hasServedInteractive = grantInteractive(situation.interactive)
        let backgroundWaits = grantBackground(situation, isAllowed: hasServedInteractive)
        planNextLook(
            situation, process: process, interactiveWaits: !hasServedInteractive, backgroundWaits: backgroundWaits)
    }

    /// - Returns: whether no interactive call is left waiting.
    private mutating func grantInteractive(_ order: PermitOrder) -> Bool {
        for entry in order.entries {
            guard fits(entry, .interactive) else { return false }
            // The highest numbers first: background calls may only use the lower ones.
            guard let slot = free.popLast() else { return false }
            grant(entry, slot, .interactive)
        }
        return true
    }

    /// - Returns: whether any background call is left waiting.
    private mutating func grantBackground(_ situation: Situation, isAllowed: Bool) -> Bool {
        let entries = situation.background.entries
        guard isAllowed, !entries.isEmpty else { return !entries.isEmpty }
        let pace = BackgroundSpacing(limit)
        if let start = situation.backgroundStart, start > now { return true }
        var begun = 0
        // The highest free slots are left to the interactive calls of other processes.
        let left = free.dropLast(min(free.count, max(0, situation.demand - reserved)))
        for (entry, slot) in zip(entries, left.filter { $0 < pace.slots }.prefix(pace.batch)) {
            guard fits(entry, .background) else { break }
            grant(entry, slot, .background)
            free.removeAll { $0 == slot }
            begun += 1
        }
        if begun > 0 { backgroundStart = now.advanced(by: pace.interval(after: begun)) }
        return begun < entries.count
    }

    private mutating func fits(_ entry: PermitOrder.Entry, _ urgency: UpstreamRequest.Urgency) -> Bool {
        for use in quotaUses {
            guard let shortfall = use.shortfall(entry.weight, urgency) else { continue }
            shortages[urgency] = Shortage(
                quota: use.quota, shortfall: shortfall, share: use.quota.share(ofWeight: entry.weight))
            return false
        }
        return true
    }

    private mutating func grant(_ entry: PermitOrder.Entry, _ slot: Int, _ urgency: UpstreamRequest.Urgency) {
        for index in quotaUses.indices {
            quotaUses[index].used += quotaUses[index].quota.share(ofWeight: entry.weight)
        }
        guard case .own(let call) = entry else {
            reserved += 1
            return
        }
        let hardDeadline = now.advanced(by: commitAllowance + Permit.startLimit + call.totalTimeout)
        grants.append(
            Grant(
                call: call, urgency: urgency, slot: slot, hardDeadline: hardDeadline,
                busyUntil: hardDeadline.advanced(by: limit.window)))
    }

    private mutating func planNextLook(
        _ situation: Situation, process: String, interactiveWaits: Bool, backgroundWaits: Bool
    ) {
        guard interactiveWaits || backgroundWaits else { return }
        let usable = interactiveWaits ? limit.requests : BackgroundSpacing(limit).slots
        var looks = grants.filter { $0.slot < usable }.map(\.busyUntil)
        for slot in situation.slots where slot.busyUntil >= now && slot.slot < usable {
            let isElsewhere = slot.holder != nil && slot.holder != process
            // A request of another process may be answered at any moment from now on; its slot is then free a window
            // later. This process notices when one of its own requests is answered.
            looks.append(isElsewhere ? min(slot.busyUntil, now.advanced(by: limit.window)) : slot.busyUntil)
        }
        if reserved > 0 { looks.append(now.advanced(by: Self.yieldedSlotRetry)) }
        if situation.demand > reserved, let end = situation.demandEnd { looks.append(end) }
        let start = backgroundStart ?? situation.backgroundStart
        if !interactiveWaits, let start, start > now {
            // If no slot is free now, wait for both: the start time and the first slot.
            let next = free.contains { $0 < usable } ? start : max(start, looks.min() ?? start)
            nextLook = next.advanced(by: .microseconds(1))
        } else {
            nextLook = looks.min()?.advanced(by: .microseconds(1))
        }
    }
}
