import Foundation
import Platform
import TestSupport
import Testing

@testable import Pictures

/// What picture-helper may still do while it reads a file: it may have been taken over by that file.
@Suite(
    "The sandbox of picture-helper", .enabled(if: !Seccomp.isMissing, "\(Seccomp.whyNot)"),
    .timeLimit(.minutes(2)))
struct PictureSandboxTests {
    private func end(of act: String) async throws -> FilterProcess.End {
        try await HelperProcess.run(Executable.product("sandbox-probe"), [act]).end
    }

    @Test("Reading, computing and writing are possible, and memory ends at a limit")
    func allowedCalls() async throws {
        #expect(try await end(of: "nothing") == .exited(0))
        #expect(try await end(of: "write") == .exited(0))
        #expect(try await end(of: "memory") == .exited(1), "more than 256 MiB")
    }

    @Test(
        "Any other system call kills the process",
        arguments: [
            "open", "socket", "fork", "exec", "kill", "duplicate", "writeError", "readOutput", "executableMemory",
            "mappedFile", "protection", "trace", "foreignCall",
        ])
    func killingCalls(act: String) async throws {
        #expect(try await end(of: act) == .killed(signal: SIGSYS))
    }

    @Test(
        "Once it has confined itself, the program opens no file and no socket, whatever it reads",
        .enabled(if: Executable.tool("strace") != nil, "strace is not installed: apt-get install strace"),
        arguments: ["orientation-6.jpg", "cmyk.jpg", "lossy.webp", "transparent.webp", "animated.webp", "still.gif"])
    func tracedCalls(name: String) async throws {
        let folder = try TemporaryFolder()
        let log = folder.file("strace.txt")
        let run = try await HelperProcess.run(
            try #require(Executable.tool("strace")), ["-f", "-o", log, Executable.product("picture-helper")],
            input: try SampleScene.file(name))
        #expect(run.end == .exited(["animated.webp", "still.gif"].contains(name) ? 3 : 0))
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.contains("PR_SET_SECCOMP") })
        let calls = lines[(start + 1)...].compactMap { $0.firstMatch(of: /^[0-9]+ +([a-z0-9_]+)\(/)?.1 }
        #expect(calls.contains("read") && calls.contains("exit_group"))
        let allowed: Set<Substring> = [
            "read", "write", "brk", "mmap", "munmap", "mremap", "madvise", "futex", "rt_sigreturn", "exit_group",
        ]
        #expect(Set(calls).subtracting(allowed) == [])
    }
}
