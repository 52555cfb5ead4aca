import Foundation
import Synchronization

/// A process that could not be started, or something that it needs.
package struct SpawnFailure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}

/// A child process: its id and our ends of its pipes.
struct SpawnedProcess: Sendable {
    let processID: Int32
    /// The writing end of the pipe of its standard input; `nil` if it has none.
    let input: Int32?
    /// The reading ends of the pipes of its standard output and standard error.
    let output: Int32
    let errors: Int32

    /// Two processes that start at once must not inherit each other's pipes, which would then never end.
    private static let starting = Mutex<Void>(())

    /// - Parameter hasInput: whether its standard input is a pipe, instead of `/dev/null`.
    init(
        _ executable: String, _ arguments: [String], hasInput: Bool, environment: [String: String], folder: String
    ) throws {
        // `env -C` changes the folder and executes the program in the same process.
        let words = ["/usr/bin/env", "-C", folder, executable] + arguments
        self = try Self.starting.withLock { _ in
            try Self(words, hasInput: hasInput, environment: environment.map { "\($0.key)=\($0.value)" })
        }
    }

    private init(_ words: [String], hasInput: Bool, environment: [String]) throws {
        let (outputPipe, errorPipe) = (try Self.pipe(), try Self.pipe())
        let inputPipe = try hasInput ? Self.pipe() : nil
        Self.closeOpenFilesOnExec()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let inputPipe {
            posix_spawn_file_actions_adddup2(&actions, inputPipe.reading, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, outputPipe.writing, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errorPipe.writing, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The process must not inherit the signals that the test runner ignores or blocks.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var identifier: pid_t = 0
        let status = posix_spawn(&identifier, words[0], &actions, &attributes, &arguments, &variables)
        for case let end? in [outputPipe.writing, errorPipe.writing, inputPipe?.reading] { close(end) }
        guard status == 0 else {
            for case let end? in [outputPipe.reading, errorPipe.reading, inputPipe?.writing] { close(end) }
            throw SpawnFailure(description: "\(words) could not be started: \(String(cString: strerror(status)))")
        }
        processID = identifier
        (input, output, errors) = (inputPipe?.writing, outputPipe.reading, errorPipe.reading)
    }

    /// Files that tests have open would count toward the limits of the processes that they start.
    private static func closeOpenFilesOnExec() {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        for descriptor in descriptors.compactMap({ Int32($0) }) where descriptor > STDERR_FILENO {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else {
            throw SpawnFailure(description: "no pipe could be made: \(String(cString: strerror(errno)))")
        }
        return (ends[0], ends[1])
    }

    /// Blocks until the process has ended, without freeing its id.
    func waitForEnd() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// Frees the id of a process that has ended; returns how it ended.
    func reap() -> ChildProcess.End {
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
    }
}
