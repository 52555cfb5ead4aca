import CLinux
import Dispatch
import Foundation

/// Threads with a name in `top -H`, in debuggers and in core dumps.
package enum NamedThread {
    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: at most 15 bytes (pthread_setname_np(3)).
    ///   - niceness: a value below zero gives it a higher priority (sched(7)) if `RLIMIT_NICE` or `CAP_SYS_NICE` allows
    ///     it; otherwise the thread has the normal priority. Threads that it starts begin at zero.
    package static func start(_ name: String, niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void) {
        let isKnown = DispatchSemaphore(value: 0)
        let thread = Thread {
            // After start(): Foundation drops a name that was set before it.
            isKnown.wait()
            Thread.current.name = name
            // sched_setscheduler(2) would not work: systemd's RestrictRealtime= refuses it with the flag for child
            // threads.
            if niceness != 0 { _ = clinux_set_thread_niceness(niceness) }
            body()
        }
        thread.start()
        isKnown.signal()
    }
}
