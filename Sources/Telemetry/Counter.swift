import Synchronization

/// A number that only rises while the process runs. Adding is one atomic operation.
package final class Counter: Sendable {
    private let total = Atomic<Int>(0)

    package init() {}

    package func add(_ amount: Int = 1) {
        total.wrappingAdd(amount, ordering: .relaxed)
    }

    package var value: Int { total.load(ordering: .relaxed) }
}
