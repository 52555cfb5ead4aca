import Dispatch

/// Blocks a thread of the code under test until the test opens the gate permanently. Never wait for it in a task.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func wait() {
        semaphore.wait()
        // The thread may pass a second time, when its write runs again.
        semaphore.signal()
    }

    package func open() { semaphore.signal() }
}
