import Model
import PermitStorage
import Testing

@testable import Upstream

@Suite("Plans of grants")
struct PermitPlanTests {
    private let now = MonotonicInstant(microseconds: 1_000_000_000)
    private let limit = PermitLimit(requests: 3, window: .seconds(1))

    private func slot(_ number: Int, busyFor duration: Duration, holder: String? = nil) -> PermitSlotRecord {
        PermitSlotRecord(slot: number, busyUntil: now.advanced(by: duration), grantNumber: 1, holder: holder)
    }

    private func calls(_ count: Int, timeout: Duration) -> PermitOrder {
        PermitOrder((0..<count).map { .init(id: UInt64($0), totalTimeout: timeout) }, limit: 100)
    }

    private func plan(
        _ slots: [PermitSlotRecord], limit: PermitLimit? = nil, interactive: Int = 0, background: Int = 0,
        demand: Int = 0, demandEnd: Duration? = nil, backgroundStart: Duration? = nil
    ) -> PermitPlan {
        PermitPlan(
            PermitPlan.Situation(
                slots: slots, interactive: calls(interactive, timeout: .seconds(10)),
                background: calls(background, timeout: .seconds(20)), demand: demand,
                demandEnd: demandEnd.map { now.advanced(by: $0) },
                backgroundStart: backgroundStart.map { now.advanced(by: $0) }),
            limit: limit ?? self.limit, process: "me", now: now)
    }

    private func free(_ count: Int) -> [PermitSlotRecord] { (0..<count).map { slot($0, busyFor: .seconds(-1)) } }

    @Test("A granted slot is busy for a second, the request's timeout and a window")
    func hardDeadline() {
        let plan = plan([slot(0, busyFor: .seconds(-1))], interactive: 1)
        #expect(plan.grants.map(\.hardDeadline) == [now.advanced(by: .seconds(11))])
        #expect(plan.grants.map(\.busyUntil) == [now.advanced(by: .seconds(12))])
        #expect(plan.nextLook == nil)
    }

    @Test("A slot is free after the moment it is busy until, not at it")
    func edgeOfASlot() {
        #expect(plan([slot(0, busyFor: .zero)], interactive: 1).grants.isEmpty)
        #expect(plan([slot(0, busyFor: .microseconds(-1))], interactive: 1).grants.count == 1)
        #expect(plan([slot(0, busyFor: .zero)], interactive: 1).nextLook == now.advanced(by: .microseconds(1)))
    }

    @Test("Interactive calls are served first, each with its own timeout")
    func interactiveCallsFirst() {
        let plan = plan(free(3), interactive: 1, background: 5)
        #expect(plan.grants.map(\.urgency) == [.interactive, .background])
        #expect(plan.grants.map { now.duration(to: $0.busyUntil) } == [.seconds(12), .seconds(22)])
    }

    @Test(
        "A quarter of the slots, at least one of two, is withheld from background calls",
        arguments: [
            (1, 1), (2, 1), (3, 2), (4, 3), (5, 3), (8, 6), (90, 67),
        ])
    func withheldSlots(requests: Int, share: Int) {
        // So short that all of them may start together.
        let limit = PermitLimit(requests: requests, window: .milliseconds(10))
        let first = plan(free(requests), limit: limit, background: requests)
        #expect(first.grants.map(\.slot) == Array(0..<share))
        // Interactive calls get the reserved slots, whatever is busy below them.
        let rest = free(requests).suffix(requests - share)
        #expect(plan(Array(rest), limit: limit, interactive: requests).grants.count == requests - share)
        #expect(plan(Array(rest), limit: limit, background: requests).grants.isEmpty)
        #expect(plan(free(requests), limit: limit, interactive: requests).grants.count == requests)
    }

    @Test("Background calls start one after the other, spread over the window; interactive calls are not delayed")
    func spacingOfBackgroundCalls() {
        let limit = PermitLimit(requests: 90, window: .seconds(30))
        let first = plan(free(90), limit: limit, background: 60)
        #expect(first.grants.map(\.slot) == [0])
        #expect(first.backgroundStart == now.advanced(by: .microseconds(30_000_000 / 67)))
        #expect(first.nextLook == first.backgroundStart?.advanced(by: .microseconds(1)))
        let next = plan(free(90), limit: limit, interactive: 2, background: 60, backgroundStart: .milliseconds(300))
        #expect(next.grants.map(\.urgency) == [.interactive, .interactive])
        #expect(next.nextLook == now.advanced(by: .milliseconds(300) + .microseconds(1)))
        #expect(plan(free(90), limit: limit, background: 60, backgroundStart: .zero).grants.count == 1)
    }

    @Test("With a short interval, several background calls start together; fewer of them delay the next ones less")
    func shortIntervals() {
        let limit = PermitLimit(requests: 1_000, window: .seconds(1))
        let many = plan(free(1_000), limit: limit, background: 60)
        #expect(many.grants.count == 15)
        #expect(many.backgroundStart == now.advanced(by: .milliseconds(20)))
        let few = plan(free(1_000), limit: limit, background: 3)
        #expect(few.grants.count == 3)
        #expect(few.backgroundStart == now.advanced(by: .milliseconds(4)))
    }

    @Test("Background calls leave slots to interactive calls of other processes; interactive calls do not")
    func slotsForOtherProcesses() {
        #expect(plan(free(3), background: 3, demand: 2, demandEnd: .seconds(5)).grants.map(\.slot) == [0])
        #expect(plan(free(3), interactive: 3, demand: 2, demandEnd: .seconds(5)).grants.count == 3)
        let withheld = plan(free(1), background: 1, demand: 2, demandEnd: .seconds(5))
        #expect(withheld.grants.isEmpty)
        // If those processes were killed, their calls are disregarded then.
        #expect(withheld.nextLook == now.advanced(by: .seconds(5) + .microseconds(1)))
    }

    @Test("The next look is when the next slot may become free")
    func nextLook() {
        func look(_ slots: [PermitSlotRecord]) -> Duration? {
            plan(slots, interactive: 1).nextLook.map { now.duration(to: $0) - .microseconds(1) }
        }
        // An answered request: its end is exactly known.
        #expect(
            look([slot(0, busyFor: .milliseconds(300)), slot(1, busyFor: .milliseconds(200))]) == .milliseconds(200))
        // A request of this process, which is notified of the answer.
        #expect(look([slot(0, busyFor: .seconds(12), holder: "me")]) == .seconds(12))
        // A request of another process: an answer from now on frees the slot a window later at the earliest.
        #expect(look([slot(0, busyFor: .seconds(12), holder: "you")]) == .seconds(1))
        #expect(look([slot(0, busyFor: .milliseconds(400), holder: "you")]) == .milliseconds(400))
        // A background call does not wait for a slot that is withheld from it.
        let kept = plan([slot(1, busyFor: .seconds(3)), slot(2, busyFor: .seconds(1))], background: 1)
        #expect(kept.nextLook == now.advanced(by: .seconds(3) + .microseconds(1)))
    }
}
