import Foundation
import Synchronization

/// A process that a test started.
///
/// It uses `posix_spawn`: Foundation's `Process` watches its children with `select`, which
/// cannot count beyond 1,024 open files, and a test run with many processes and connections has those.
package final class ServiceProcess: Sendable {
    /// How it ended.
    package enum End: Sendable, Equatable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    private struct State {
        var end: End?
        var isMeantToEnd = false
    }

    package let name: String
    package let processID: Int32
    /// Its standard output.
    package let output: LineLog
    /// Its standard error, which is the log of a service.
    package let errors: LineLog
    private let state = Mutex(State())

    /// - Parameters:
    ///   - environment: the whole environment. Only the paths of programs and libraries, and the folder for recorded
    ///     statements (`docs/testing.md`), are inherited.
    ///   - folder: the working folder.
    package init(
        _ executable: String, _ arguments: [String] = [], name: String? = nil, environment: [String: String] = [:],
        folder: String
    ) throws {
        let inherited = ProcessInfo.processInfo.environment.filter {
            ["PATH", "LD_LIBRARY_PATH", "BACKLINE_TEST_STATEMENTS"].contains($0.key)
        }
        let spawned = try SpawnedProcess(
            executable, arguments, environment: inherited.merging(environment) { _, given in given }, folder: folder)
        self.name = name ?? URL(fileURLWithPath: executable).lastPathComponent
        processID = spawned.processID
        (output, errors) = (LineLog(), LineLog())
        let thread = Thread { [self] in
            output.read(spawned.output, alongside: errors, spawned.errors)
            spawned.waitForEnd()
            // Set before the system may give the id to another process.
            state.withLock { $0.end = spawned.reap() }
        }
        thread.start()
    }

    /// How it ended; `nil` while it runs. Once this is set, all of its output has been read.
    package var end: End? { state.withLock(\.end) }

    package var isRunning: Bool { end == nil }

    /// Whether it ended although no test requested that.
    package var hasCrashed: Bool { state.withLock { $0.end != nil && !$0.isMeantToEnd } }

    // MARK: Signals

    package func terminate() { send(SIGTERM, isEnd: true) }

    /// `kill -9`.
    package func kill() { send(SIGKILL, isEnd: true) }

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

    private func send(_ signal: Int32, isEnd: Bool = false) {
        state.withLock { state in
            if isEnd { state.isMeantToEnd = true }
            if state.end == nil { Glibc.kill(processID, signal) }
        }
    }

    // MARK: Waiting

    /// Waits until it has ended.
    @discardableResult
    package func waitForEnd() async throws -> End {
        state.withLock { $0.isMeantToEnd = true }
        return try await eventually("the end of \(name)") { end }
    }

    /// Waits for a line of its log.
    package func waitForLog(_ text: String) async throws {
        try await eventually("'\(text)' in the log of \(name)") {
            let hasEnded = !isRunning
            if errors.contains(text) { return true }
            if hasEnded {
                throw WaitTimeout(description: "\(name) ended without '\(text)': \(errors.lines.suffix(5))")
            }
            return false
        }
    }

    /// Kills it in any state, and returns once it has ended.
    package func destroy() async {
        kill()
        // A cancelled test also cleans up.
        _ = try? await Task { try await waitForEnd() }.value
    }
}
