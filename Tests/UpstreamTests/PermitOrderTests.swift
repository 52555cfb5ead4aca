import Model
import Storage
import Testing

@testable import Upstream

@Suite("Whose turn it is")
struct PermitOrderTests {
    private func calls(_ people: String...) -> [PermitSettlement.Call] {
        people.enumerated().map { .init(id: UInt64($0), person: $1, totalTimeout: .seconds(1)) }
    }

    private func claim(_ person: String, _ calls: Int, weight: Int = 7) -> PermitClaim {
        PermitClaim(
            urgency: 1, person: person, calls: calls, weight: weight, liveUntil: MonotonicInstant(microseconds: 0))
    }

    /// The calls' numbers, -1 for one elsewhere.
    private func numbers(_ order: PermitOrder) -> [Int] {
        order.entries.map { entry in
            switch entry {
            case .own(let call): Int(call.id)
            case .elsewhere: -1
            }
        }
    }

    private func turns(_ people: String...) -> [String: MonotonicInstant] {
        Dictionary(uniqueKeysWithValues: people.enumerated().map { ($1, MonotonicInstant(microseconds: Int64($0))) })
    }

    @Test("people take turns, and each one's calls keep their order")
    func roundRobin() {
        let order = PermitOrder(calls("a", "a", "a", "b", "c", "b"), limit: 10)
        #expect(numbers(order) == [0, 3, 4, 1, 5, 2])
        #expect(numbers(PermitOrder(calls("a", "a", "a", "b"), limit: 2)) == [0, 3])
    }

    @Test("who never was served comes first, then who was longest ago")
    func turns() {
        let order = PermitOrder(calls("a", "b", "c", "c"), turns: turns("b", "a"), limit: 10)
        #expect(numbers(order) == [2, 1, 0, 3])
    }

    @Test("a call of somebody else in another process has its place in between, one of the same person comes after")
    func elsewhere() {
        let own = calls("a", "a", "a")
        #expect(numbers(PermitOrder(own, claims: [claim("b", 1)], limit: 10)) == [0, -1, 1, 2])
        #expect(numbers(PermitOrder(own, claims: [claim("b", 1)], turns: turns("a"), limit: 10)) == [-1, 0, 1, 2])
        #expect(numbers(PermitOrder(own, claims: [claim("b", 5)], turns: turns("b", "a"), limit: 4)) == [-1, 0, -1, 1])
        #expect(numbers(PermitOrder(own, claims: [claim("a", 2)], limit: 10)) == [0, 1, 2, -1, -1])
    }
}
