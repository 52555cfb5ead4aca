import CommandSupport
import Foundation
import Storage

extension DoctorCheck {
    /// Whether a process holds the write lock for too long.
    static let writeLock = DoctorCheck("write lock") { context in
        let state = await WriteLockState.probe(databasePath: context.databasePath, timeout: context.lockTimeout)
        return switch state {
        case .free: [.ok("No process holds it for long.")]
        case .missing: [.ok("Nobody has opened the database yet.")]
        case .unreadable(let reason):
            [
                .problem(
                    "The lock file \(context.databasePath).lock cannot be opened: \(reason).",
                    "Run as the account that Backline runs under.")
            ]
        case .passing(let process):
            [passingFinding(over: process.map(ProcessState.init))]
        case .held(let holder):
            [heldFinding(by: holder.flatMap { $0 > 0 ? ProcessState($0) : nil }, timeout: context.lockTimeout)]
        }
    }

    static func heldFinding(by process: ProcessState?, timeout: Duration) -> Finding {
        let time = HumanTime.text(timeout)
        guard let process else {
            return .problem(
                "A process that cannot be seen from here has held the write lock for more than \(time).",
                "Look in the other containers for a stopped or stuck process.")
        }
        let what = "Process \(process.id) (\(process.name)) has held the write lock for more than \(time)"
        if process.isStopped {
            return .problem("\(what), and is stopped.", "Continue it: kill -CONT \(process.id). Or end it.")
        }
        return .problem("\(what).", "If it is stuck or not Backline's, end it: kill \(process.id)")
    }
}

extension DoctorCheck {
    static func passingFinding(over process: ProcessState?) -> Finding {
        let effect = "The other processes skip it, and each of their writes that has to wait takes up to 0.1 s longer."
        guard let process else {
            return .warning(
                "A process that cannot be seen from here is next in line for the write lock but does not take it. "
                    + effect, "Look in the other containers for a stopped process.")
        }
        return .warning(
            "Process \(process.id) (\(process.name)) is next in line for the write lock but does not take it"
                + "\(process.isStopped ? ", since it is stopped" : ""). \(effect)",
            process.isStopped
                ? "Continue it: kill -CONT \(process.id). Or end it."
                : "If it is stuck or its container is paused, continue or end it: kill \(process.id)")
    }
}

/// The state of a process, from /proc (proc(5)).
struct ProcessState: Equatable {
    var id: Int32
    var name: String
    /// Whether a signal or a debugger has stopped it.
    var isStopped: Bool

    init(id: Int32, name: String, isStopped: Bool) {
        (self.id, self.name, self.isStopped) = (id, name, isStopped)
    }

    init(_ id: Int32) {
        self.id = id
        func line(_ file: String) -> String? {
            FileHandle(forReadingAtPath: "/proc/\(id)/\(file)").map {
                String(decoding: $0.readDataToEndOfFile(), as: UTF8.self)
            }
        }
        name = line("comm")?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
        // "4711 (a name) T 1 …": the name may contain anything, including parentheses.
        let status = line("stat") ?? ""
        let letter = status.lastIndex(of: ")").map { status[$0...].dropFirst(2).prefix(1) } ?? ""
        isStopped = letter == "T" || letter == "t"
    }
}
