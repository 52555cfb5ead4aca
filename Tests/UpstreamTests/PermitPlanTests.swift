import Model
import Storage
import Testing

@testable import Upstream

@Suite("Which slots go to whom")
struct PermitPlanTests {
    private let now = MonotonicInstant(microseconds: 1_000_000_000)
    private let limit = PermitLimit(requests: 3, window: .seconds(1))

    private func slot(_ number: Int, busyFor duration: Duration, holder: String? = nil) -> PermitSlotRecord {
        PermitSlotRecord(slot: number, busyUntil: now.advanced(by: duration), grantNumber: 1, holder: holder)
    }

    private func plan(
        _ slots: [PermitSlotRecord], interactive: Int = 0, background: Int = 0, demand: PermitDemand = PermitDemand()
    ) -> PermitPlan {
        PermitPlan(
            slots: slots, limit: limit, process: "me",
            interactive: Array(repeating: .seconds(10), count: interactive),
            background: Array(repeating: .seconds(20), count: background), demand: demand, now: now)
    }

    @Test("a granted slot is busy for a second, the request's timeout and a window")
    func hardDeadline() {
        let plan = plan([slot(0, busyFor: .seconds(-1))], interactive: 1)
        #expect(plan.grants == [.init(slot: 0, busyUntil: now.advanced(by: .seconds(12)))])
        #expect(plan.nextLook == nil)
    }

    @Test("a slot is free after the moment it is busy until, not at it")
    func boundary() {
        #expect(plan([slot(0, busyFor: .zero)], interactive: 1).grants.isEmpty)
        #expect(plan([slot(0, busyFor: .microseconds(-1))], interactive: 1).grants.count == 1)
        #expect(plan([slot(0, busyFor: .zero)], interactive: 1).nextLook == now.advanced(by: .microseconds(1)))
    }

    @Test("interactive calls are served first, each with its own timeout")
    func urgency() {
        let plan = plan((0..<3).map { slot($0, busyFor: .seconds(-1)) }, interactive: 1, background: 5)
        #expect(plan.interactiveShare == 1)
        #expect(plan.backgroundShare == 2)
        #expect(plan.grants.map { now.duration(to: $0.busyUntil) } == [.seconds(12), .seconds(22), .seconds(22)])
    }

    @Test("background calls leave slots to interactive calls of other processes; interactive ones do not")
    func demand() {
        let free = (0..<3).map { slot($0, busyFor: .seconds(-1)) }
        let demand = PermitDemand(waiting: 2, firstEnd: now.advanced(by: .seconds(5)))
        #expect(plan(free, background: 3, demand: demand).grants.count == 1)
        #expect(plan(free, interactive: 3, demand: demand).grants.count == 3)
        let withheld = plan([slot(0, busyFor: .seconds(-1))], background: 1, demand: demand)
        #expect(withheld.grants.isEmpty)
        // Should those processes have been killed, their claim ends.
        #expect(withheld.nextLook == now.advanced(by: .seconds(5) + .microseconds(1)))
    }

    @Test("the next look is when the next slot may be free")
    func nextLook() {
        func look(_ slots: [PermitSlotRecord]) -> Duration? {
            plan(slots, interactive: 1).nextLook.map { now.duration(to: $0) - .microseconds(1) }
        }
        // Answered: known exactly.
        #expect(
            look([slot(0, busyFor: .milliseconds(300)), slot(1, busyFor: .milliseconds(200))]) == .milliseconds(200))
        // Under way here: this process will hear of the answer.
        #expect(look([slot(0, busyFor: .seconds(12), holder: "me")]) == .seconds(12))
        // Under way elsewhere: an answer from now on frees it a window later at the soonest.
        #expect(look([slot(0, busyFor: .seconds(12), holder: "you")]) == .seconds(1))
        #expect(look([slot(0, busyFor: .milliseconds(400), holder: "you")]) == .milliseconds(400))
    }
}
