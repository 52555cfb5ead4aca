import Foundation
import Synchronization

/// What a process writes, line by line.
final class LineLog: Sendable {
    private let storage = Mutex<[String]>([])
    private let end = Mutex(false)

    /// Whether everything was read.
    var isComplete: Bool { end.withLock { $0 } }

    var lines: [String] { storage.withLock { $0 } }

    /// Reads a pipe to its end, on a thread of its own.
    func read(_ pipe: Pipe) {
        let handle = pipe.fileHandleForReading
        let thread = Thread { [self] in
            var rest = Data()
            while case let data = handle.availableData, !data.isEmpty {
                rest += data
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: rest[..<end], as: UTF8.self)
                    rest = Data(rest[rest.index(after: end)...])
                    storage.withLock { $0.append(line) }
                }
            }
            end.withLock { $0 = true }
        }
        thread.start()
    }

    func contains(_ text: String) -> Bool {
        storage.withLock { $0.contains { $0.contains(text) } }
    }

    /// How many lines contain `text`.
    func count(of text: String) -> Int {
        storage.withLock { $0.count { $0.contains(text) } }
    }
}
