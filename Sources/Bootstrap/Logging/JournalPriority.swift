import Foundation
import Logging

/// The priorities of lines for journald, by which `journalctl --priority warning` selects them.
enum JournalPriority {
    /// Whether standard error leads to journald: `JOURNAL_STREAM` names its device and inode (systemd.exec(5)). A
    /// process that inherited the variable, and writes elsewhere, has another file there.
    static func isWanted(environment: [String: String], descriptor: Int32 = STDERR_FILENO) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"] else { return false }
        var status = stat()
        return fstat(descriptor, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
    }

    /// What journald reads at the beginning of a line, and removes: sd-daemon(3).
    static func prefix(of level: Logger.Level) -> String {
        switch level {
        case .trace, .debug: "<7>"
        case .info: "<6>"
        case .notice: "<5>"
        case .warning: "<4>"
        case .error: "<3>"
        case .critical: "<2>"
        }
    }
}
