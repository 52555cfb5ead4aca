import Foundation
import JobStorage
import Storage
import Synchronization
import TestProcesses
import TestSupport
import Testing

@Suite("backline backup and restore", .timeLimit(.minutes(20)))
struct BackupCommandTests {
    /// What `--json` prints.
    private struct Copy: Decodable {
        var path: String
        var users: Int
        var jobs: Int
        var replaced: String?
    }

    @Test("Backups made while jobs are written are intact, contain all jobs accepted before, and can be restored")
    func underLoad() async throws {
        try await Installation.run { installation in
            let (gateway, workers) = try await installation.startAll()
            let ada = try await installation.addUser()
            let isEnough = Flag()
            let load = Task {
                var accepted: [String] = []
                while !isEnough.isSet { accepted += try await ada.submitBatch(Echo.batch(0..<40)) }
                return accepted
            }
            var copies: [(path: String, before: [String])] = []
            for number in 0..<4 {
                let before = try await ada.allJobs().map(\.id)
                let path = "\(installation.folder)/copy-\(number)"
                let copy = try await installation.backline("backup", path, "--json")
                #expect(copy.status == 0, "\(copy.errors)")
                #expect(try copy.decode(Copy.self).jobs >= before.count)
                copies.append((path, before))
            }
            isEnough.set()
            let accepted = try await load.value
            try await ada.allEnded()
            for process in [gateway] + workers {
                process.terminate()
                #expect(try await process.waitForEnd() == .exited(0))
            }
            for copy in copies {
                let restored = try await installation.backline("restore", copy.path, "--json")
                #expect(restored.status == 0, "\(restored.errors)")
                let inside = try await jobs(in: installation.databasePath)
                #expect(Set(copy.before).isSubset(of: inside.ids) && inside.ids.isSubset(of: Set(accepted)))
                // Every batch is either completely in the backup or not at all.
                #expect(inside.ids.count % 40 == 0)
                #expect(inside.counted == inside.ids.count, "counters and rows are from the same moment")
                try FileManager.default.removeItem(atPath: try #require(try restored.decode(Copy.self).replaced))
            }
            // Unfinished jobs of the backup are finished after the restore.
            _ = try await installation.startAll()
            let ended = try await ada.allEnded()
            let all = try await jobs(in: installation.databasePath).ids
            #expect(ended == JobSummary(succeeded: all.count))
            try await installation.expectTrueCounters()
        }
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)

        var isSet: Bool { value.load(ordering: .relaxed) }

        func set() { value.store(true, ordering: .relaxed) }
    }

    private func jobs(in path: String) async throws -> (ids: Set<String>, counted: Int) {
        let database = try await onThread { try ReadOnlyDatabase.open(path: path) }
        defer { database.close() }
        return try await database.read { reader in
            (
                Set(try reader.rows("SELECT id FROM jobs").map { try $0["id"] as String }),
                try reader.jobs.jobCountsByKind().values.flatMap(\.values).reduce(0, +)
            )
        }
    }

    @Test("A restore is refused while a process of Backline runs, which it names, and nothing changes")
    func restoreWhileRunning() async throws {
        try await Installation.run { installation in
            let (gateway, workers) = try await installation.startAll()
            let ada = try await installation.addUser()
            let copy = "\(installation.folder)/copy"
            #expect(try await installation.backline("backup", copy).status == 0)
            let later = try await ada.submit(Echo.job(1), wait: 30)
            let both = try await installation.backline("restore", copy)
            #expect(both.status == 75)
            #expect(both.errors.joined().contains("api-gateway (process \(gateway.processID))"))
            #expect(both.errors.joined().contains("concert-worker-1 (process \(workers[0].processID))"))
            gateway.terminate()
            try await gateway.waitForEnd()
            let one = try await installation.backline("restore", copy)
            #expect(one.status == 75 && !one.errors.joined().contains("api-gateway"))
            workers[0].terminate()
            try await workers[0].waitForEnd()
            let names = try FileManager.default.contentsOfDirectory(atPath: installation.folder)
            #expect(!names.contains { $0.contains("replaced") || $0.contains("partial") })
            try await installation.startGateway()
            #expect(try await ada.job(later.id).state == "succeeded")
        }
    }

    @Test("A restore is refused while another program has the database open, which it names")
    func restoreWhileAnotherProgramReads() async throws {
        try await Installation.run { installation in
            #expect(try await installation.backline("migrate").status == 0)
            let copy = "\(installation.folder)/copy"
            #expect(try await installation.backline("backup", copy).status == 0)
            let python = try #require(Executable.tool("python3"))
            let script = """
                import sqlite3, sys, time
                c = sqlite3.connect(sys.argv[1]); c.execute('SELECT COUNT(*) FROM jobs').fetchone()
                print('open', flush=True); time.sleep(600)
                """
            let reader = try ChildProcess(
                python, ["-c", script, installation.databasePath], folder: installation.folder)
            try await reader.waitForOutput("open")
            let refused = try await installation.backline("restore", copy)
            #expect(refused.status == 75)
            #expect(refused.errors.joined().contains("process \(reader.processID)"))
            await reader.destroy()
            #expect(try await installation.backline("restore", copy).status == 0)
        }
    }

    @Test("A held lock prevents a restore but not a backup; existing and wrong files have exit statuses of their own")
    func exitStatuses() async throws {
        try await Installation.run { installation in
            #expect(try await installation.backline("backup", "copy").status == 66, "there is no database yet")
            #expect(try await installation.backline("migrate").status == 0)
            let holder = try await ChildProcess.holdingLock(of: installation.databasePath + ".lock")
            #expect(try await installation.backline("backup", "copy").status == 0)
            let busy = try await installation.backline("restore", "copy")
            #expect(busy.status == 75 && busy.errors.joined().contains("\(holder.processID)"))
            await holder.destroy()
            #expect(try await installation.backline("backup", "copy").status == 73)
            #expect(try await installation.backline("backup", "copy", "--force").status == 0)
            #expect(try await installation.backline("backup", installation.databasePath, "--force").status == 73)
            #expect(try await installation.backline("backup", "no/such/folder/copy").status == 73)
            #expect(try await installation.backline("restore", "nothing").status == 66)
            let names = try FileManager.default.contentsOfDirectory(atPath: installation.folder)
            #expect(!names.contains { $0.contains("partial") })
        }
    }
}
