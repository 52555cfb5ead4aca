import Foundation
import Synchronization

/// A process that a test started.
final class ServiceProcess: Sendable {
    /// How it ended.
    enum End: Sendable, Equatable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    private final class Life: Sendable {
        private let ending = Mutex<End?>(nil)

        var end: End? {
            get { ending.withLock { $0 } }
            set { ending.withLock { $0 = newValue } }
        }
    }

    let name: String
    let processID: Int32
    /// What it writes to standard output.
    let output = LineLog()
    /// What it writes to standard error: the log of a service.
    let errors = LineLog()
    private let process: Process
    private let life = Life()
    private let isMeantToEnd = Mutex(false)

    /// - Parameters:
    ///   - environment: all of it; nothing is inherited but where programs and libraries are found.
    ///   - folder: where it starts.
    init(
        _ executable: String, _ arguments: [String] = [], name: String? = nil, environment: [String: String] = [:],
        folder: String
    ) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let inherited = ProcessInfo.processInfo.environment.filter { ["PATH", "LD_LIBRARY_PATH"].contains($0.key) }
        process.environment = inherited.merging(environment) { _, given in given }
        let (outputPipe, errorPipe) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = outputPipe
        process.standardError = errorPipe
        process.terminationHandler = { [life] process in
            let status = process.terminationStatus
            life.end = process.terminationReason == .uncaughtSignal ? .killed(signal: status) : .exited(status)
        }
        try process.run()
        self.name = name ?? URL(fileURLWithPath: executable).lastPathComponent
        processID = process.processIdentifier
        output.read(outputPipe)
        errors.read(errorPipe)
    }

    /// How it ended; `nil` while it runs.
    var end: End? { life.end }

    var isRunning: Bool { end == nil }

    /// Whether it ended although no test asked it to.
    var hasCrashed: Bool { !isRunning && !isMeantToEnd.withLock { $0 } }

    // MARK: Signals

    func terminate() { endWith(SIGTERM) }

    /// `kill -9`.
    func kill() { endWith(SIGKILL) }

    /// Stops it as a debugger or a machine that sleeps does; ``resume()`` lets it go on.
    func pause() { send(SIGSTOP) }

    func resume() { send(SIGCONT) }

    private func endWith(_ signal: Int32) {
        isMeantToEnd.withLock { $0 = true }
        send(signal)
    }

    private func send(_ signal: Int32) {
        if isRunning { Glibc.kill(processID, signal) }
    }

    // MARK: Waiting

    /// Waits until it has ended, and all it wrote was read.
    @discardableResult
    func waitForEnd() async throws -> End {
        isMeantToEnd.withLock { $0 = true }
        return try await eventually("the end of \(name)") { output.isComplete && errors.isComplete ? end : nil }
    }

    /// Waits for a line of its log.
    func waitForLog(_ text: String) async throws {
        try await eventually("'\(text)' in the log of \(name)") {
            if errors.contains(text) { return true }
            guard isRunning else {
                throw WaitedInVain(description: "\(name) ended without '\(text)': \(errors.lines.suffix(5))")
            }
            return false
        }
    }

    /// Ends it whatever state it is in, and returns when it is gone.
    func destroy() async {
        guard isRunning else { return }
        kill()
        // A test that was cancelled must clean up all the same.
        _ = try? await Task { try await waitForEnd() }.value
    }
}
