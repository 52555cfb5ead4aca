import Synchronization

/// Collects what callbacks report on other threads, and lets a test wait until enough has arrived.
package final class Collector<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiters:
            [Int: (isSatisfied: @Sendable ([Element]) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
                [:]
        var nextWaiter = 0
        var isCancelled = false
    }

    private let state = Mutex(State())

    package init() {}

    package var elements: [Element] { state.withLock { $0.elements } }

    package func append(_ element: Element) {
        let ready = state.withLock { state in
            state.elements.append(element)
            let satisfied = state.waiters.filter { $0.value.isSatisfied(state.elements) }
            for id in satisfied.keys { state.waiters[id] = nil }
            return satisfied.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// All elements as soon as there are `count`, or at once when the test's time limit cancels it.
    @discardableResult
    package func wait(for count: Int) async -> [Element] {
        await wait { $0.count >= count }
    }

    /// All elements as soon as they satisfy a condition, or at once when the test's time limit cancels it.
    @discardableResult
    package func wait(until isSatisfied: @escaping @Sendable ([Element]) -> Bool) async -> [Element] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.isCancelled || isSatisfied(state.elements) { return true }
                    state.waiters[state.nextWaiter] = (isSatisfied, continuation)
                    state.nextWaiter += 1
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.isCancelled = true
                defer { state.waiters = [:] }
                return state.waiters.values.map(\.continuation)
            }
            for continuation in waiting { continuation.resume() }
        }
        return elements
    }
}
