import Model
import Storage

/// Which free slots go to whom, and when it makes sense to look again. No I/O: `PermitQueue` carries it out.
struct PermitPlan: Equatable {
    struct Grant: Equatable {
        let slot: Int
        /// The hard deadline of the request, and a window after it.
        let busyUntil: MonotonicInstant
    }

    /// One for each served call: first ``interactiveShare`` interactive ones, then ``backgroundShare`` others.
    private(set) var grants: [Grant] = []
    let interactiveShare: Int
    let backgroundShare: Int
    /// When the next slot may be free, if calls go on waiting.
    private(set) var nextLook: MonotonicInstant?

    /// - Parameters:
    ///   - interactive: the waiting calls' total timeouts, first come first.
    ///   - background: served from what interactive calls here and elsewhere leave.
    ///   - demand: the interactive calls that wait in other processes.
    init(
        slots: [PermitSlotRecord], limit: PermitLimit, process: String, interactive: [Duration],
        background: [Duration], demand: PermitDemand, now: MonotonicInstant
    ) {
        // A slot is free only after the moment it is busy until: two arrivals exactly a window apart share one.
        let free = slots.filter { $0.busyUntil < now }
        interactiveShare = min(free.count, interactive.count)
        backgroundShare = min(max(0, free.count - interactiveShare - demand.waiting), background.count)
        let timeouts = interactive.prefix(interactiveShare) + background.prefix(backgroundShare)
        for (slot, timeout) in zip(free, timeouts) {
            let hardDeadline = now.advanced(by: Permit.startLimit + timeout)
            grants.append(Grant(slot: slot.slot, busyUntil: hardDeadline.advanced(by: limit.window)))
        }
        guard grants.count < interactive.count + background.count else { return }
        var looks = grants.map(\.busyUntil)
        for slot in slots where slot.busyUntil >= now {
            let isElsewhere = slot.holder != nil && slot.holder != process
            // What another process has under way may be answered from now on, so be free a window from now at the
            // soonest. What this process has under way, it will hear of.
            looks.append(isElsewhere ? min(slot.busyUntil, now.advanced(by: limit.window)) : slot.busyUntil)
        }
        if free.count > grants.count, let firstEnd = demand.firstEnd { looks.append(firstEnd) }
        nextLook = looks.min()?.advanced(by: .microseconds(1))
    }
}
