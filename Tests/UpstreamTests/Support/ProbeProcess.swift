import Foundation

/// A running `permit-probe` (see `Tests/PermitProbe`).
final class ProbeProcess: Sendable {
    struct Settings: Encodable {
        var database: String
        var baseURL: String
        var calls: Int
        var requests: Int
        var windowMilliseconds: Int
        var timeoutMilliseconds = 1_000
        var isBackground = false
        var signalAfterGrant: Int32?
        var quotas: [Quota]?
        var heaviest: Int?

        struct Quota: Encodable {
            var name: String
            var isOfWeight: Bool
            var amount: Int
            var windowMilliseconds: Int
        }
    }

    let processID: Int32
    /// Its output, line by line, and its end.
    let lines: AsyncStream<String>
    private let input: FileHandle

    init(_ settings: Settings) throws {
        let process = Process()
        // The test runner is located beside the other products of the package.
        let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(fileURLWithPath: runner).deletingLastPathComponent().appending(path: "permit-probe")
        process.arguments = [String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)]
        let (output, input) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        processID = process.processIdentifier
        self.input = input.fileHandleForWriting
        let (lines, sink) = AsyncStream<String>.makeStream()
        self.lines = lines
        let reading = output.fileHandleForReading
        Thread {
            var text = ""
            while case let data = reading.availableData, !data.isEmpty {
                text += String(decoding: data, as: UTF8.self)
                while let end = text.firstIndex(of: "\n") {
                    sink.yield(String(text[..<end]))
                    text = String(text[text.index(after: end)...])
                }
            }
            sink.finish()
        }.start()
    }

    deinit {
        // The process still runs only after a failed test.
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(processID)/exe")
        if program?.hasSuffix("/permit-probe") == true { kill(processID, SIGKILL) }
    }

    func begin() {
        input.write(Data("\n".utf8))
    }

    func signal(_ number: Int32) {
        kill(processID, number)
    }

    /// Waits for a line that starts with `prefix`; `nil` when the process ended without printing one.
    func line(_ prefix: String) async -> String? {
        await lines.first { $0.hasPrefix(prefix) }
    }
}
