import CLinux
import Dispatch
import Foundation

/// Threads that bear their names in `top -H`, in a debugger and in core dumps.
package enum NamedThread {
    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: at most 15 bytes, which is what Linux keeps (pthread_setname_np(3)).
    ///   - niceness: below zero it gets a processor before other threads (sched(7)), if `RLIMIT_NICE` or
    ///     `CAP_SYS_NICE` allows that; else it takes its turn with them. Threads that it starts begin at zero.
    package static func start(_ name: String, niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void) {
        let isKnown = DispatchSemaphore(value: 0)
        let thread = Thread {
            // Foundation learns from start() which thread of the system this is, and drops a name set before.
            isKnown.wait()
            Thread.current.name = name
            // Not sched_setscheduler(2): systemd's RestrictRealtime= refuses that with the flag for its threads.
            if niceness != 0 { _ = clinux_set_thread_niceness(niceness) }
            body()
        }
        thread.start()
        isKnown.signal()
    }
}
