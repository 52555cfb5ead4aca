import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite("Filter processes", .timeLimit(.minutes(2)))
struct FilterProcessTests {
    private func run(
        _ path: String, _ arguments: [String] = [], input: [UInt8] = [], maximumOutput: Int = 1 << 23,
        timeout: Duration = .seconds(60)
    ) async throws -> FilterProcess {
        try await onThread {
            try FilterProcess(running: path, arguments, input: input, maximumOutput: maximumOutput, timeout: timeout)
        }
    }

    @Test("It reads all of its input and returns all of its output, and more than fits into a socket")
    func wholeInputAndOutput() async throws {
        let input = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let copy = try await run("/bin/cat", input: input)
        #expect(copy.end == .exited(0) && copy.output == input)
        let nothing = try await run("/bin/cat")
        #expect(nothing.end == .exited(0) && nothing.output.isEmpty)
    }

    @Test("A program need not read its input, and answers all the same")
    func unreadInput() async throws {
        let input = [UInt8](repeating: 1, count: 5_000_000)
        let answer = try await run("/bin/sh", ["-c", "echo hello; exit 3"], input: input)
        #expect(answer.end == .exited(3) && answer.output == Array("hello\n".utf8))
    }

    @Test("It gets no environment, and standard error is dropped")
    func emptyEnvironment() async throws {
        #expect(try await run("/usr/bin/env").output.isEmpty)
        #expect(try await run("/bin/sh", ["-c", "echo lost >&2"]).output.isEmpty)
    }

    @Test("A signal that ends it is reported")
    func reportedSignal() async throws {
        #expect(try await run("/bin/sh", ["-c", "kill -SEGV $$"]).end == .killed(signal: SIGSEGV))
        // SIGPIPE, which services ignore, is as in any new process.
        #expect(try await run("/bin/sh", ["-c", "kill -PIPE $$"]).end == .killed(signal: SIGPIPE))
    }

    @Test(
        "It is stopped when it takes too long, also without its output, and when it writes too much",
        arguments: [["/bin/sleep", "600"], ["/bin/sh", "-c", "exec 0<&- 1>&-; exec /bin/sleep 600"]])
    func stoppedProgram(words: [String]) async throws {
        let began = ContinuousClock.now
        let run = try await run(words[0], Array(words.dropFirst()), timeout: .milliseconds(200))
        #expect(run.end == .stopped && began.duration(to: .now) < .seconds(60))
        let long = try await self.run("/bin/cat", input: [UInt8](repeating: 1, count: 1_000_000), maximumOutput: 10)
        #expect(long.end == .stopped && long.output.isEmpty)
    }

    @Test("A program that cannot be started is an error with its path")
    func missingProgram() async throws {
        await #expect {
            try await run("/nonexistent/program")
        } throws: { error in
            "\(error)" == "/nonexistent/program: No such file or directory"
        }
    }
}
