import Dispatch
import Foundation

/// Threads that bear their names in `top -H`, in a debugger and in core dumps.
package enum NamedThread {
    /// Starts a thread.
    ///
    /// - Parameter name: at most 15 bytes, which is what Linux keeps (pthread_setname_np(3)).
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let isKnown = DispatchSemaphore(value: 0)
        let thread = Thread {
            // Foundation learns from start() which thread of the system this is, and drops a name set before.
            isKnown.wait()
            Thread.current.name = name
            body()
        }
        thread.start()
        isKnown.signal()
    }
}
