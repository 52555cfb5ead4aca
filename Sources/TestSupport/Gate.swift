import Dispatch

/// Holds a thread of the code under test until the test opens it for good. Never wait on it in a task.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func wait() {
        semaphore.wait()
        // The same thread may come again, when its write is run a second time.
        semaphore.signal()
    }

    package func open() { semaphore.signal() }
}
