import Foundation
import Model

/// The wrong wall clock of a history's processes: the file that `BACKLINE_TEST_CLOCK_OFFSET_FILE` names.
struct WallClock {
    let path: String
    private(set) var offsetSeconds = 0
    /// The furthest that it was ever ahead of the correct time.
    private var furthest = 0

    init(path: String) throws {
        self.path = path
        try write()
    }

    mutating func set(offsetSeconds: Int) throws {
        self.offsetSeconds = offsetSeconds
        furthest = max(furthest, offsetSeconds)
        try write()
    }

    /// Sets it as far ahead as it ever was, so that every scheduled job becomes due.
    mutating func catchUp() throws {
        try set(offsetSeconds: furthest)
    }

    /// The wrong clock's time plus `milliseconds`, in RFC 3339.
    func text(inMilliseconds delay: Int) -> String {
        Timestamp.now().advanced(by: .seconds(offsetSeconds) + .milliseconds(delay)).description
    }

    /// Written in place and always of one length, so that no reader sees half a number.
    private func write() throws {
        let microseconds = Int64(offsetSeconds) * 1_000_000
        let digits = String(microseconds.magnitude)
        let text = (microseconds < 0 ? "-" : "+") + String(repeating: "0", count: 18 - digits.count) + digits + "\n"
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(file) }
        _ = text.withCString { pwrite(file, $0, text.utf8.count, 0) }
    }
}
