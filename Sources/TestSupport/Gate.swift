import Dispatch

/// Holds a thread of the code under test until the test lets it go on. Never wait on it in a task.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func wait() { semaphore.wait() }
    package func open() { semaphore.signal() }
}
