import Foundation
import TestProcesses
import TestSupport
import Testing

/// The open files of a process, and how many it may have.
struct OpenFiles {
    /// The util-linux tool for limits; `nil` if it is not installed.
    static let tool = Executable.tool("prlimit")

    private static var ownLimit: rlimit {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit
    }

    /// Whether the system allows this process, and those that it starts, this many files.
    static func areAllowed(_ count: Int) -> Bool { ownLimit.rlim_max >= rlim_t(count) }

    /// Raises this process's limit to what the system allows.
    static func raise() {
        var raised = ownLimit
        raised.rlim_cur = raised.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised)
    }

    let processID: Int32

    init(of process: ChildProcess) {
        processID = process.processID
    }

    var count: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/fd").count) ?? 0 }

    /// - Parameter limit: new files get lower numbers than this; open files remain open.
    func setLimit(_ limit: Int) async throws {
        let process = try await ChildProcess.run(
            try #require(Self.tool), ["--pid", "\(processID)", "--nofile=\(limit):4096"])
        guard process.end == .exited(0) else {
            throw UnexpectedAnswer(description: "prlimit: \(process.errors.lines)")
        }
    }

    /// User and system CPU time that the process has used (proc(5)).
    var processorTime: Duration {
        let text = FileHandle(forReadingAtPath: "/proc/\(processID)/stat").map {
            String(decoding: $0.readDataToEndOfFile(), as: UTF8.self)
        }
        // Fields 14 and 15, counted from the one after the name's closing bracket, which is the third.
        let fields = text?.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return .zero }
        return .milliseconds((user + system) * 1_000 / Int(sysconf(Int32(_SC_CLK_TCK))))
    }
}
