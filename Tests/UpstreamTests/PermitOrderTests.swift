import Model
import PermitStorage
import Testing

@testable import Upstream

@Suite("The order of calls of one class")
struct PermitOrderTests {
    private func calls(_ people: String...) -> [PermitTransaction.Call] {
        people.enumerated().map { .init(id: UInt64($0), person: $1, totalTimeout: .seconds(1)) }
    }

    private func waiting(_ person: String, _ calls: Int, weight: Int = 7) -> WaitingCalls {
        WaitingCalls(
            urgency: 1, person: person, calls: calls, weight: weight, liveUntil: MonotonicInstant(microseconds: 0))
    }

    /// The ids of the calls; -1 for a call of another process.
    private func numbers(_ order: PermitOrder) -> [Int] {
        order.entries.map { entry in
            switch entry {
            case .own(let call): Int(call.id)
            case .elsewhere: -1
            }
        }
    }

    private func served(_ people: String...) -> [String: MonotonicInstant] {
        Dictionary(uniqueKeysWithValues: people.enumerated().map { ($1, MonotonicInstant(microseconds: Int64($0))) })
    }

    @Test("People are served round robin, and the calls of one person keep their order")
    func roundRobin() {
        let order = PermitOrder(calls("a", "a", "a", "b", "c", "b"), limit: 10)
        #expect(numbers(order) == [0, 3, 4, 1, 5, 2])
        #expect(numbers(PermitOrder(calls("a", "a", "a", "b"), limit: 2)) == [0, 3])
    }

    @Test("People who were never served come first, then those served least recently")
    func lastServed() {
        let order = PermitOrder(calls("a", "b", "c", "c"), lastServed: served("b", "a"), limit: 10)
        #expect(numbers(order) == [2, 1, 0, 3])
    }

    @Test("Calls of another process are part of the order: another person's in between, the same person's at the end")
    func callsOfAnotherProcess() {
        let own = calls("a", "a", "a")
        func order(_ other: WaitingCalls, _ lastServed: [String: MonotonicInstant] = [:], limit: Int = 10) -> [Int] {
            numbers(PermitOrder(own, elsewhere: [other], lastServed: lastServed, limit: limit))
        }
        #expect(order(waiting("b", 1)) == [0, -1, 1, 2])
        #expect(order(waiting("b", 1), served("a")) == [-1, 0, 1, 2])
        #expect(order(waiting("b", 5), served("b", "a"), limit: 4) == [-1, 0, -1, 1])
        #expect(order(waiting("a", 2)) == [0, 1, 2, -1, -1])
    }
}
