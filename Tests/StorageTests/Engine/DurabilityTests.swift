import Foundation
import Testing
import TestSupport

@Suite("Durability")
struct DurabilityTests {
    @Test(
        "A hundred writes, one after the other, reach the disk a hundred times",
        .enabled(if: Executable.tool("strace") != nil, "strace is not installed: apt-get install strace"),
        .timeLimit(.minutes(1)))
    func countsSyncs() async throws {
        try await withDatabase { _, folder in
            let summary = folder.file("strace.txt")
            let probe = try ChildProcess(
                try #require(Executable.tool("strace")),
                [
                    "-f", "-c", "-e", "trace=fdatasync,fsync", "-o", summary, Executable.product("StorageProbe"),
                    "write", folder.file("test.sqlite"), "100",
                ])
            #expect(await probe.waitForExit() == 0)
            #expect(probe.lines.elements == ["100"])
            var calls = 0
            for line in try String(contentsOfFile: summary, encoding: .utf8).split(separator: "\n") {
                // "% time  seconds  usecs/call  calls  [errors]  syscall"
                let fields = line.split(separator: " ")
                guard fields.count > 4, fields.last == "fdatasync" || fields.last == "fsync" else { continue }
                calls += Int(fields[3]) ?? 0
            }
            #expect(calls >= 100)
        }
    }
}
