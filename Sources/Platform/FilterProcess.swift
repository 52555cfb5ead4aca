import Foundation

/// A run of a program that turns its standard input into its standard output, such as a decoder that is kept apart
/// because its input is hostile.
///
/// The program gets no environment, no open file but its standard ones, and the signals as a new process has them. Its
/// standard error is dropped.
package struct FilterProcess: Sendable {
    package enum End: Sendable, Equatable {
        case exited(Int32)
        /// It ended by a signal, its own or another's.
        case killed(signal: Int32)
        /// It was killed because it took too long, or because it wrote more than it may.
        case stopped
    }

    package let end: End
    /// What it wrote before it ended.
    package let output: [UInt8]

    /// Starts a program and waits until it has ended. It blocks, so it needs a thread of its own.
    ///
    /// - Parameters:
    ///   - maximumOutput: the most bytes that it may write.
    ///   - timeout: after which it is killed.
    /// - Throws: ``StartFailure``.
    package init(
        running path: String, _ arguments: [String] = [], input: [UInt8], maximumOutput: Int, timeout: Duration
    ) throws(StartFailure) {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        let (socket, processID) = try Self.start(path, arguments)
        let output = Self.exchange(input, over: socket, maximumOutput: maximumOutput, until: deadline)
        close(socket)
        end = Self.wait(for: processID, isStopped: output == nil, until: deadline)
        self.output = output ?? []
    }

    /// Why a program could not be started.
    package struct StartFailure: Error, CustomStringConvertible {
        package let description: String

        init(_ action: String, _ code: Int32) {
            description = "\(action): \(String(cString: strerror(code)))"
        }
    }

    // MARK: Starting

    /// One socket is the process's standard input and output: unlike a pipe, it is written to without SIGPIPE.
    private static func start(
        _ path: String, _ arguments: [String]
    ) throws(StartFailure) -> (socket: Int32, processID: pid_t) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw StartFailure("no sockets", errno) }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Services ignore or block signals that the program must not ignore.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var processID: pid_t = 0
        let code = posix_spawn(&processID, path, &actions, &attributes, &words, &environment)
        guard code == 0 else {
            close(ends[0])
            throw StartFailure(path, code)
        }
        return (ends[0], processID)
    }

    // MARK: Input and output

    /// Sends the input and receives the output, both at once, until the process closes its end.
    ///
    /// - Returns: `nil` when it does not do so in time, or sends more than it may.
    private static func exchange(
        _ input: [UInt8], over socket: Int32, maximumOutput: Int, until deadline: ContinuousClock.Instant
    ) -> [UInt8]? {
        var rest = input[...]
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        if rest.isEmpty { shutdown(socket, Int32(SHUT_WR)) }
        while true {
            let events = POLLIN | (rest.isEmpty ? 0 : POLLOUT)
            var state = pollfd(fd: socket, events: Int16(events), revents: 0)
            let left = milliseconds(until: deadline)
            guard left > 0 else { return nil }
            guard poll(&state, 1, left) > 0 else { continue }
            if Int32(state.revents) & (POLLIN | POLLHUP | POLLERR) != 0 {
                let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { return output }
                if count > 0 { output += buffer[..<count] }
                guard output.count <= maximumOutput else { return nil }
            }
            if Int32(state.revents) & POLLOUT != 0, !rest.isEmpty {
                let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
                let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, min($0.count, 1 << 18), flags) }
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR && errno != EAGAIN {
                    // It reads no further, and may still answer.
                    rest = []
                }
                if rest.isEmpty { shutdown(socket, Int32(SHUT_WR)) }
            }
        }
    }

    private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return 0 }
        // Rounded up, so that it does not wait many times for nothing.
        let (seconds, attoseconds) = left.components
        return Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }

    // MARK: Ending

    /// Waits for the end, which follows that of the output at once unless the program misbehaves.
    private static func wait(
        for processID: pid_t, isStopped: Bool, until deadline: ContinuousClock.Instant
    ) -> End {
        var (status, isKilled): (Int32, Bool) = (0, isStopped)
        if isKilled { kill(processID, SIGKILL) }
        while true {
            let found = waitpid(processID, &status, isKilled ? 0 : WNOHANG)
            if found == processID { break }
            if found < 0, errno != EINTR { return .stopped }
            guard found == 0 else { continue }
            if ContinuousClock.now >= deadline {
                kill(processID, SIGKILL)
                isKilled = true
            } else {
                usleep(500)
            }
        }
        if isKilled { return .stopped }
        let signal = status & 0x7f
        return signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: signal)
    }
}
