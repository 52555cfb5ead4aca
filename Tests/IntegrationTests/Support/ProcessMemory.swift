import Foundation
import TestProcesses
import TestSupport

/// The memory of a process (proc(5), status).
struct ProcessMemory {
    /// Resident bytes.
    let resident: Int
    /// Bytes of writable data, which `RLIMIT_DATA` limits.
    let data: Int

    init(of process: ChildProcess) {
        let text = FileHandle(forReadingAtPath: "/proc/\(process.processID)/status").map {
            String(decoding: $0.readDataToEndOfFile(), as: UTF8.self)
        }
        func kibibytes(_ key: String) -> Int {
            let line = text?.split(separator: "\n").first { $0.hasPrefix(key + ":") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        resident = kibibytes("VmRSS") << 10
        data = kibibytes("VmData") << 10
    }
}
