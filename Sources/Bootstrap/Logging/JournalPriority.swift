import Foundation
import Logging

/// The priorities of lines for journald, by which `journalctl --priority warning` selects them.
enum JournalPriority {
    /// Whether standard error is connected to journald: `JOURNAL_STREAM` names its device and inode (systemd.exec(5)).
    /// A process that inherited the variable but writes elsewhere has a different file there.
    static func isWanted(environment: [String: String], descriptor: Int32 = STDERR_FILENO) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"] else { return false }
        var status = stat()
        return fstat(descriptor, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
    }

    /// The prefix of a line that journald reads and removes: sd-daemon(3).
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
