import Synchronization

/// Gathers what handlers report on other threads, and lets a test wait until enough has come.
final class Collector<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiters: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        var nextWaiter = 0
        var isCancelled = false
    }

    private let state = Mutex(State())

    var elements: [Element] { state.withLock { $0.elements } }

    func append(_ element: Element) {
        let ready = state.withLock { state in
            state.elements.append(element)
            let satisfied = state.waiters.filter { $0.value.count <= state.elements.count }
            for id in satisfied.keys { state.waiters[id] = nil }
            return satisfied.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// All elements, as soon as there are `count` of them, or at once when the test's time limit cancels it.
    @discardableResult
    func wait(for count: Int) async -> [Element] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.isCancelled || state.elements.count >= count { return true }
                    state.waiters[state.nextWaiter] = (count, continuation)
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
