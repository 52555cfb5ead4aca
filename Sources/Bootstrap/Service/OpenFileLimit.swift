import Foundation

/// How many files and connections this process may have open at once: `RLIMIT_NOFILE` of getrlimit(2).
package enum OpenFileLimit {
    /// The fewest with which a process starts: more than any has open without clients.
    ///
    /// One that can open nothing at all does not only fail at what it opens. While there is work, libdispatch, which
    /// Swift's tasks run on, reads a file of /proc each second to see whether its threads are busy, and ends the
    /// process (SIGILL) when that cannot be opened (`src/event/workqueue.c` of swift-corelibs-libdispatch).
    package static let minimum = 128

    /// Raises the limit to the most that this process may give itself, which costs nothing until it is used: many
    /// systems start processes with 1,024 and allow them far more.
    package static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = limit.rlim_max
        // Refused, the process goes on with what it has.
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// What keeps this process from starting, said for whoever starts it; `nil` when the limit is high enough.
    package static var complaint: String? {
        guard current < minimum else { return nil }
        return "this process may have only \(current) files and connections open at once, and needs \(minimum). "
            + "Raise its limit: LimitNOFILE under systemd, 'ulimit -n' elsewhere."
    }

    package static var current: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        return Int(clamping: limit.rlim_cur)
    }
}
