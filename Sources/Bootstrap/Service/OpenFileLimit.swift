import Foundation

/// How many files and connections this process may have open at once: `RLIMIT_NOFILE` of getrlimit(2).
package enum OpenFileLimit {
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

    package static var current: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        return Int(clamping: limit.rlim_cur)
    }
}
