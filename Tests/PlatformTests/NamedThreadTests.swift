import Foundation
import Platform
import Testing

@Suite("Named threads")
struct NamedThreadTests {
    /// Whether this process has `CAP_SYS_NICE` (capabilities(7)).
    private static let mayGoFirst: Bool = {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let effective = status.firstMatch(of: #/CapEff:\s+([0-9a-f]+)/#).flatMap { UInt64($0.1, radix: 16) }
        return (effective ?? 0) & (1 << 23) != 0
    }()

    /// The results of `body` on a new thread, and on a thread that this one starts.
    private func onThreads<Finding: Sendable>(
        niceness: Int32 = 0, _ body: @escaping @Sendable () -> Finding
    ) async -> (thread: Finding, child: Finding) {
        await withCheckedContinuation { continuation in
            NamedThread.start("backline-test", niceness: niceness) {
                let own = body()
                Thread { continuation.resume(returning: (own, body())) }.start()
            }
        }
    }

    private static func niceness() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    @Test("The system knows a thread by its name")
    func nameOfAThread() async {
        let names = await onThreads {
            try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        }
        #expect(names.thread == "backline-test\n")
    }

    @Test(
        "A thread gets a higher priority on request, and the threads that it starts do not",
        .enabled(if: mayGoFirst, "it takes CAP_SYS_NICE"))
    func goesFirst() async {
        let found = await onThreads(niceness: -5) { Self.niceness() }
        #expect(found.thread == -5 && found.child == 0)
    }

    @Test("A thread has the niceness of its process by default, and needs no capability for a lower priority")
    func nicenessOfAThread() async {
        let ofProcess = Self.niceness()
        #expect(await onThreads { Self.niceness() }.thread == ofProcess)
        #expect(await onThreads(niceness: 19) { Self.niceness() }.thread == 19)
    }
}
