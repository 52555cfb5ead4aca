import Foundation
import TestProcesses

extension ServiceProcess {
    /// Resident memory, in bytes (proc(5)).
    var residentBytes: Int {
        get throws {
            let pages = try String(contentsOfFile: "/proc/\(processID)/statm", encoding: .utf8).split(separator: " ")
            guard pages.count > 1, let resident = Int(pages[1]) else {
                throw UnexpectedAnswer(description: "/proc/\(processID)/statm: \(pages)")
            }
            return resident * Int(sysconf(Int32(_SC_PAGESIZE)))
        }
    }
}

/// How many files this process and those it starts may have open.
enum OpenFiles {
    private static var limit: rlimit {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit
    }

    /// Whether the system allows so many.
    static func areAllowed(_ count: Int) -> Bool { limit.rlim_max >= rlim_t(count) }

    /// Raises what is in force to what the system allows.
    static func raise() {
        var raised = limit
        raised.rlim_cur = raised.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised)
    }
}
