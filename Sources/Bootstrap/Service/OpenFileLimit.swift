import Foundation

/// The process's limit on open files and connections: `RLIMIT_NOFILE` of getrlimit(2).
package enum OpenFileLimit {
    /// A process does not start with a lower limit. It is more than any process has open without clients.
    ///
    /// A process without a free descriptor does more than fail to open files. libdispatch, which runs Swift's tasks,
    /// reads a file in /proc every second to see whether its threads are busy, and terminates the process (SIGILL) when
    /// that file cannot be opened (`src/event/workqueue.c` of swift-corelibs-libdispatch).
    package static let minimum = 128

    /// Raises the soft limit to the hard limit: many systems start processes with 1,024 and allow far more.
    package static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = limit.rlim_max
        // If this fails, the process keeps the limit that it has.
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The message for the operator that says why this process does not start; `nil` when the limit is high enough.
    package static var complaint: String? {
        guard current < minimum else { return nil }
        return "this process may have only \(current) files and connections open at once, and needs \(minimum). "
            + "Raise its limit: LimitNOFILE under systemd, 'ulimit -n' elsewhere."
    }

    /// The soft limit; 1,024 if it cannot be read.
    package static var current: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        return Int(clamping: limit.rlim_cur)
    }
}
