import Dispatch
import Foundation

/// Threads that bear their names in `top -H`, in a debugger and in core dumps.
package enum NamedThread {
    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: at most 15 bytes, which is what Linux keeps (pthread_setname_np(3)).
    ///   - niceness: below zero it gets a processor before other threads (setpriority(2)), if `RLIMIT_NICE` or
    ///     `CAP_SYS_NICE` allows that; else it takes its turn with them.
    package static func start(_ name: String, niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void) {
        let isKnown = DispatchSemaphore(value: 0)
        let thread = Thread {
            // Foundation learns from start() which thread of the system this is, and drops a name set before.
            isKnown.wait()
            Thread.current.name = name
            if niceness != 0 { setNiceness(niceness) }
            body()
        }
        thread.start()
        isKnown.signal()
    }

    /// Of the calling thread alone: Linux counts niceness by thread, and those that it starts begin at zero again.
    private static func setNiceness(_ niceness: Int32) {
        var parameters = sched_param()
        let startsOthersAtZero: Int32 = 0x4000_0000  // SCHED_RESET_ON_FORK of sched(7), which Glibc's module leaves out
        guard sched_setscheduler(0, SCHED_OTHER | startsOthersAtZero, &parameters) == 0 else { return }
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
    }
}
