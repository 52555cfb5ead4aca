import Foundation
import TestSupport
import Testing

@Suite("Durability")
struct DurabilityTests {
    @Test(
        "A hundred consecutive writes are synced a hundred times",
        .enabled(if: Executable.tool("strace") != nil, "strace is not installed: apt-get install strace"),
        .timeLimit(.minutes(5)))
    func countsSyncs() async throws {
        try await withDatabase { _, folder in
            let summary = folder.file("strace.txt")
            let probe = try ChildProcess(
                try #require(Executable.tool("strace")),
                [
                    "-f", "-c", "-e", "trace=fdatasync,fsync", "-o", summary, Executable.product("storage-probe"),
                    "write", folder.file("test.sqlite"), "100",
                ])
            #expect(try await probe.waitForEnd() == .exited(0))
            #expect(probe.output.lines == ["100"])
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

    @Test("What a process reported as written still exists after it was killed", .timeLimit(.minutes(5)))
    func survivesKill() async throws {
        try await withDatabase { database, folder in
            let path = folder.file("test.sqlite")
            for round in 1...5 {
                let probe = try ChildProcess(Executable.product("storage-probe"), ["changes", path, "100000"])
                try await probe.waitForOutput(lines: 20 * round)
                await probe.destroy()
                let reported = try #require(probe.output.lines.last.flatMap(Int64.init))
                #expect(try await database.read { try $0.lastChange() } >= reported)
                // The process's lock is gone as well.
                #expect(try await database.write { try $0.nextChange() } > reported)
            }
            let integrity = try await database.read {
                try $0.row(.onlySQLite("PRAGMA integrity_check"))?["integrity_check"] as String?
            }
            #expect(integrity == "ok")
        }
    }
}
