import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("Durability", .timeLimit(.minutes(20)))
struct ReplyDurabilityTests {
    @Test(
        "Each of a hundred accepted jobs was synced to disk before its response",
        .enabled(Comment(rawValue: Tracing.whyNot)) { await Tracing.isPossible() })
    func acceptedJobsAreSynced() async throws {
        try await Installation.run { installation in
            let gateway = try await installation.startGateway()
            let ada = try await installation.addUser()
            let strace = try #require(Executable.tool("strace"))
            let trace = "\(installation.folder)/trace"
            let tracer = try ChildProcess(
                strace, ["-f", "-e", "trace=fdatasync,fsync", "-o", trace, "-p", "\(gateway.processID)"],
                folder: installation.folder)
            try await tracer.waitForLog("attached")
            func syncs() throws -> Int {
                let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
                // strace writes a call on two lines when a call of another thread interrupts it.
                return calls.count { $0.contains("sync(") && !$0.contains("resumed") }
            }
            var tooEarly: [Int] = []
            for n in 0..<100 {
                let before = try syncs()
                _ = try await ada.submit(Echo.job(n))
                if try syncs() == before { tooEarly.append(n) }
            }
            #expect(tooEarly.isEmpty, "jobs that were answered before they were durable")
            #expect(try syncs() >= 100)
            await tracer.destroy()
        }
    }
}
