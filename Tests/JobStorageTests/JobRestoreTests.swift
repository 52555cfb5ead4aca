import Domains
import JobStorage
import Storage
import TestSupport
import Testing

@Suite("Jobs in restored databases")
struct JobRestoreTests {
    @Test("Unfinished jobs get run numbers that no worker had; finished ones and their attempts do not change")
    func runNumbersAfterARestore() async throws {
        let folder = try TemporaryFolder()
        let (path, backup) = (folder.file("data.sqlite"), folder.file("backup"))
        let database = try Database.open(path: path, schema: Schema(of: .tested))
        try await database.migrate()
        let ids = try await database.write { transaction in
            let jobs = (0..<3).map { _ in JobInsertion.sample() }
            for (job, state) in zip(jobs, ["queued", "running", "succeeded"]) {
                try transaction.jobs.insert(job)
                let end: Int64? = state == "succeeded" ? 1 : nil
                try transaction.run(
                    "UPDATE jobs SET state = \(state), run = 7, finished_at = \(end) WHERE id = \(job.id)")
            }
            return jobs.map(\.id)
        }
        _ = try await DatabaseBackup.write(path, to: backup, replaces: false, schema: database.schema)
        database.close()
        _ = try await DatabaseRestore.put(backup, inPlaceOf: path, schema: database.schema, marks: [.jobs])
        let restored = try ReadOnlyDatabase.open(path: path)
        defer { restored.close() }
        let runs = try await restored.read { reader in
            try ids.map { id in try #require(try reader.row("SELECT run FROM jobs WHERE id = \(id)")?["run"] as Int?) }
        }
        #expect(runs == [1_000_007, 1_000_007, 7])
    }
}
