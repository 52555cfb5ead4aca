import Foundation
import Synchronization

/// A process that a test starts. If it still runs when this object is released, it is killed.
///
/// It uses `posix_spawn`: Foundation's `Process` watches its children with `select`, which
/// cannot count beyond 1,024 open files, and a test run with many processes and connections has those.
package final class ChildProcess: Sendable {
    /// How it ended.
    package enum End: Sendable, Equatable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    /// What the thread that waits for the process shares with this object, which it must not keep.
    private final class State: Sendable {
        let end = Mutex<End?>(nil)
    }

    package let name: String
    package let processID: Int32
    /// Its standard output.
    package let output: LineLog
    /// Its standard error, which is the log of a service.
    package let errors: LineLog
    private let state = State()
    private let isMeantToEnd = Mutex(false)
    /// The writing end of its standard input; `nil` after ``closeInput()``.
    private let input: Mutex<FileHandle?>

    /// - Parameters:
    ///   - hasInput: whether its standard input is a pipe for ``write(_:)``, instead of `/dev/null`.
    ///   - environment: the whole environment. Only the paths of programs and libraries, and the folder for recorded
    ///     statements (`docs/testing.md`), are inherited.
    ///   - folder: the working folder.
    package init(
        _ executable: String, _ arguments: [String] = [], name: String? = nil, hasInput: Bool = false,
        environment: [String: String] = [:], folder: String = "/"
    ) throws {
        let inherited = ProcessInfo.processInfo.environment.filter {
            ["PATH", "LD_LIBRARY_PATH", "BACKLINE_TEST_STATEMENTS"].contains($0.key)
        }
        let spawned = try SpawnedProcess(
            executable, arguments, hasInput: hasInput,
            environment: inherited.merging(environment) { _, given in given }, folder: folder)
        self.name = name ?? URL(fileURLWithPath: executable).lastPathComponent
        processID = spawned.processID
        input = Mutex(spawned.input.map { FileHandle(fileDescriptor: $0, closeOnDealloc: true) })
        (output, errors) = (LineLog(), LineLog())
        let thread = Thread { [state, output, errors] in
            output.read(spawned.output, alongside: errors, spawned.errors)
            spawned.waitForEnd()
            // Set before the system may give the id to another process.
            state.end.withLock { $0 = spawned.reap() }
        }
        thread.start()
    }

    deinit {
        send(SIGKILL)
    }

    /// Runs a program to its end.
    package static func run(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], folder: String = "/"
    ) async throws -> ChildProcess {
        let process = try ChildProcess(executable, arguments, environment: environment, folder: folder)
        try await process.waitForEnd()
        return process
    }

    /// How it ended; `nil` while it runs. Once this is set, all of its output has been read.
    package var end: End? { state.end.withLock { $0 } }

    package var isRunning: Bool { end == nil }

    /// Whether it ended although no test requested that.
    package var hasCrashed: Bool { !isRunning && !isMeantToEnd.withLock { $0 } }

    // MARK: Input

    /// Writes to the process's standard input. Blocks while the pipe is full.
    package func write(_ text: String) throws {
        try input.withLock { try $0?.write(contentsOf: Data(text.utf8)) }
    }

    /// Closes the process's standard input.
    package func closeInput() {
        input.withLock { input in
            try? input?.close()
            input = nil
        }
    }

    // MARK: Signals

    package func terminate() { end(with: SIGTERM) }

    /// `kill -9`.
    package func kill() { end(with: SIGKILL) }

    /// Sends `SIGSTOP`, which stops it like a sleeping machine does; ``resume()`` continues it. On a busy machine its
    /// threads run on for a while (``isStopped``).
    package func pause() { send(SIGSTOP) }

    /// Whether all of its threads have stopped.
    package var isStopped: Bool {
        let folder = "/proc/\(processID)/task"
        guard let threads = try? FileManager.default.contentsOfDirectory(atPath: folder), !threads.isEmpty else {
            return false
        }
        return threads.allSatisfy { thread in
            // The state follows the name, which may have parentheses itself (proc_pid_stat(5)).
            let status = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)
            return status?.split(separator: ")").last?.hasPrefix(" T") == true
        }
    }

    package func resume() { send(SIGCONT) }

    private func end(with signal: Int32) {
        isMeantToEnd.withLock { $0 = true }
        send(signal)
    }

    private func send(_ signal: Int32) {
        state.end.withLock { end in
            if end == nil { Glibc.kill(processID, signal) }
        }
    }

    // MARK: Waiting

    /// Waits until it has ended.
    @discardableResult
    package func waitForEnd() async throws -> End {
        isMeantToEnd.withLock { $0 = true }
        return try await eventually("the end of \(name)") { end }
    }

    /// Waits until it has printed a number of lines to its standard output.
    ///
    /// - Returns: all lines so far.
    /// - Throws: ``WaitTimeout`` if it ends before that.
    @discardableResult
    package func waitForOutput(lines count: Int) async throws -> [String] {
        try await eventually("\(count) lines from \(name)") { () -> [String]? in
            let hasEnded = !isRunning
            let lines = output.lines
            if lines.count >= count { return lines }
            if hasEnded { throw endedEarly("\(lines.count) of \(count) lines") }
            return nil
        }
    }

    /// Waits for a line of its standard output that contains a text.
    ///
    /// - Throws: ``WaitTimeout`` if it ends before that.
    @discardableResult
    package func waitForOutput(_ text: String) async throws -> String {
        try await eventually("'\(text)' in the output of \(name)") { () -> String? in
            let hasEnded = !isRunning
            if let line = output.lines.first(where: { $0.contains(text) }) { return line }
            if hasEnded { throw endedEarly("no '\(text)'") }
            return nil
        }
    }

    /// Waits for a line of its log that contains a text.
    ///
    /// - Throws: ``WaitTimeout`` if it ends before that.
    package func waitForLog(_ text: String) async throws {
        try await eventually("'\(text)' in the log of \(name)") {
            let hasEnded = !isRunning
            if errors.contains(text) { return true }
            if hasEnded { throw endedEarly("no '\(text)'") }
            return false
        }
    }

    private func endedEarly(_ what: String) -> WaitTimeout {
        let end = end.map { "\($0)" } ?? "running"
        return WaitTimeout(description: "\(name) ended (\(end)) after \(what): \(errors.lines.suffix(5))")
    }

    /// Kills it in any state, and returns once it has ended.
    package func destroy() async {
        kill()
        // A cancelled test also cleans up.
        _ = try? await Task { try await waitForEnd() }.value
    }
}
