import Model
import Storage

/// Which free slots go to whom, and when it makes sense to look again. No I/O: `PermitSettlement` carries it out.
struct PermitPlan: Equatable {
    struct Grant: Equatable {
        let call: PermitSettlement.Call
        let urgency: UpstreamRequest.Urgency
        let slot: Int
        /// Until when the request may arrive.
        let hardDeadline: MonotonicInstant
        /// A window after that.
        let busyUntil: MonotonicInstant
    }

    /// What is left of a quota.
    struct Room: Equatable {
        let quota: PermitQuota
        var used: Int

        /// What a call lacks, or `nil` if it fits. One that is larger than the share of its class fits into nothing
        /// used.
        func lack(_ weight: Int, _ urgency: UpstreamRequest.Urgency) -> Int? {
            let share = quota.share(ofWeight: weight)
            guard used > 0 || share > quota.amount, share > 0 else { return nil }
            let reserve = urgency == .interactive ? 0 : InteractiveReserve.of(quota.amount)
            let lack = used + share - (quota.amount - reserve)
            return lack > 0 ? min(lack, max(1, used)) : nil
        }
    }

    /// A quota that the next call of a class does not fit into.
    struct Shortage: Equatable {
        let quota: PermitQuota
        /// How much must no longer count.
        let lack: Int
        /// What the call would take up.
        let share: Int
    }

    /// All that it is made from.
    struct Situation {
        var slots: [PermitSlotRecord]
        var rooms: [Room] = []
        var interactive: PermitOrder
        var background: PermitOrder
        /// Interactive calls elsewhere that background calls leave a slot to: ``interactive`` has those of them that may
        /// come first.
        var demand = 0
        /// When the first of those must have been heard of again to count on.
        var demandEnd: MonotonicInstant?
        /// From when on the next background call may begin.
        var backgroundStart: MonotonicInstant?
    }

    /// How long a slot is left to another process before it is looked at anew.
    static let courtesy = Duration.milliseconds(20)

    private(set) var grants: [Grant] = []
    /// By class, when it is a quota that keeps its first call waiting.
    private(set) var shortages: [UpstreamRequest.Urgency: Shortage] = [:]
    /// When the next slot may be free for a call that goes on waiting.
    private(set) var nextLook: MonotonicInstant?
    /// When the next background call may begin, where one was granted.
    private(set) var backgroundStart: MonotonicInstant?

    private let limit: PermitLimit
    private let now: MonotonicInstant
    private var free: [Int]
    private var rooms: [Room]
    private var reserved = 0

    init(_ situation: Situation, limit: PermitLimit, process: String, now: MonotonicInstant) {
        self.limit = limit
        self.now = now
        // A slot is free only after the moment it is busy until: two arrivals exactly a window apart share one.
        free = situation.slots.filter { $0.busyUntil < now }.map(\.slot).sorted()
        rooms = situation.rooms
        let hasServedInteractive = grantInteractive(situation.interactive)
        let backgroundWaits = grantBackground(situation, isAllowed: hasServedInteractive)
        look(situation, process: process, interactiveWaits: !hasServedInteractive, backgroundWaits: backgroundWaits)
    }

    /// - Returns: whether none of them goes on waiting.
    private mutating func grantInteractive(_ order: PermitOrder) -> Bool {
        for entry in order.entries {
            guard fits(entry, .interactive) else { return false }
            // The highest ones first: the lower ones alone may serve background calls.
            guard let slot = free.popLast() else { return false }
            take(entry, slot, .interactive)
        }
        return true
    }

    /// - Returns: whether any of them goes on waiting.
    private mutating func grantBackground(_ situation: Situation, isAllowed: Bool) -> Bool {
        let entries = situation.background.entries
        guard isAllowed, !entries.isEmpty else { return !entries.isEmpty }
        let pace = BackgroundPace(limit)
        if let start = situation.backgroundStart, start > now { return true }
        var begun = 0
        // Slots that interactive calls of other processes wait for are left to them: the highest of those that are free.
        let left = free.dropLast(min(free.count, max(0, situation.demand - reserved)))
        for (entry, slot) in zip(entries, left.filter { $0 < pace.slots }.prefix(pace.batch)) {
            guard fits(entry, .background) else { break }
            take(entry, slot, .background)
            free.removeAll { $0 == slot }
            begun += 1
        }
        if begun > 0 { backgroundStart = now.advanced(by: pace.interval) }
        return begun < entries.count
    }

    private mutating func fits(_ entry: PermitOrder.Entry, _ urgency: UpstreamRequest.Urgency) -> Bool {
        for room in rooms {
            guard let lack = room.lack(entry.weight, urgency) else { continue }
            shortages[urgency] = Shortage(
                quota: room.quota, lack: lack, share: room.quota.share(ofWeight: entry.weight))
            return false
        }
        return true
    }

    private mutating func take(_ entry: PermitOrder.Entry, _ slot: Int, _ urgency: UpstreamRequest.Urgency) {
        for index in rooms.indices { rooms[index].used += rooms[index].quota.share(ofWeight: entry.weight) }
        guard case .own(let call) = entry else {
            reserved += 1
            return
        }
        let hardDeadline = now.advanced(by: Permit.startLimit + call.totalTimeout)
        grants.append(
            Grant(
                call: call, urgency: urgency, slot: slot, hardDeadline: hardDeadline,
                busyUntil: hardDeadline.advanced(by: limit.window)))
    }

    private mutating func look(
        _ situation: Situation, process: String, interactiveWaits: Bool, backgroundWaits: Bool
    ) {
        guard interactiveWaits || backgroundWaits else { return }
        let usable = interactiveWaits ? limit.requests : BackgroundPace(limit).slots
        var looks = grants.filter { $0.slot < usable }.map(\.busyUntil)
        for slot in situation.slots where slot.busyUntil >= now && slot.slot < usable {
            let isElsewhere = slot.holder != nil && slot.holder != process
            // What another process has under way may be answered from now on, so be free a window from now at the
            // soonest. What this process has under way, it will hear of.
            looks.append(isElsewhere ? min(slot.busyUntil, now.advanced(by: limit.window)) : slot.busyUntil)
        }
        if reserved > 0 { looks.append(now.advanced(by: Self.courtesy)) }
        if situation.demand > reserved, let end = situation.demandEnd { looks.append(end) }
        let start = backgroundStart ?? situation.backgroundStart
        if !interactiveWaits, let start, start > now {
            // A slot that is free already waits for it, one that is busy may be free by then.
            let next = free.contains { $0 < usable } ? start : max(start, looks.min() ?? start)
            nextLook = next.advanced(by: .microseconds(1))
        } else {
            nextLook = looks.min()?.advanced(by: .microseconds(1))
        }
    }
}

extension PermitOrder.Entry {
    var weight: Int {
        switch self {
        case .own(let call): call.weight
        case .elsewhere(let weight): weight
        }
    }
}
