import Foundation
import Synchronization

/// A process that a test starts. It is ended with this value.
package final class ChildProcess: Sendable {
    package let pid: Int32
    /// The lines that it has printed to its standard output so far.
    package let lines = Collector<String>()
    private let exit = Collector<Int32>()
    private let outputEnd = Collector<Void>()
    private let input: Mutex<FileHandle>

    /// Starts an executable; its standard input stays open until ``closeInput()``.
    package init(_ executable: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        let (standardInput, output) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        input = Mutex(standardInput.fileHandleForWriting)
        let reading = output.fileHandleForReading
        // A thread, since a readability handler can crash when its file ends (swift-corelibs-foundation).
        Thread.detachNewThread { [lines, outputEnd] in
            var pending = Data()
            while true {
                let data = reading.availableData
                guard !data.isEmpty else { break }
                pending.append(data)
                while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    lines.append(String(decoding: pending[..<end], as: UTF8.self))
                    pending = Data(pending[(end + 1)...])
                }
            }
            outputEnd.append(())
        }
        process.terminationHandler = { [exit] process in exit.append(process.terminationStatus) }
        try process.run()
        pid = process.processIdentifier
    }

    deinit {
        if exit.elements.isEmpty { Glibc.kill(pid, SIGKILL) }
    }

    /// Writes to the process's standard input.
    package func write(_ text: String) throws {
        try input.withLock { try $0.write(contentsOf: Data(text.utf8)) }
    }

    /// Closes the process's standard input.
    package func closeInput() {
        input.withLock { try? $0.close() }
    }

    package func signal(_ number: Int32) {
        if exit.elements.isEmpty { Glibc.kill(pid, number) }
    }

    /// Waits until it has ended and all of its output is read. Returns its exit status, or the signal that ended it.
    @discardableResult
    package func waitForExit() async -> Int32? {
        await outputEnd.wait(for: 1)
        return await exit.wait(for: 1).first
    }
}

/// Executables that a test may start.
package enum Executable {
    /// A product of this package, which is in the folder of the running test bundle.
    package static func product(_ name: String) -> String {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appending(path: name).path
    }

    /// A tool of the system; `nil` if it is not installed.
    package static func tool(_ name: String) -> String? {
        ["/usr/bin", "/bin", "/usr/local/bin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
