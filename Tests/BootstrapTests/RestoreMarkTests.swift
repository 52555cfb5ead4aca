import Composition
import Bootstrap
import Domains
import JobStorage
import Model
import PermitStorage
import Storage
import TestSupport
import Testing

@Suite("What a restore changes")
struct RestoreMarkTests {
    @Test("After a restore, no run of a job has a number from before it, and every slot is that of an earlier boot")
    func runsAndSlotsAfterARestore() async throws {
        let folder = try TemporaryFolder()
        let (path, backup) = (folder.file("data.sqlite"), folder.file("backup"))
        let database = try Database.open(path: path, schema: Schema(of: .all))
        try await database.migrate()
        try await database.write { transaction in
            try transaction.jobs.insert(
                JobInsertion(
                    id: UUIDv7.next(), userID: "u", kind: "k", version: 1, payload: "{}", priority: 0,
                    maximumAttempts: 1, createdAt: .now(), runAt: .now()))
            try transaction.permits.registerPermitKey(
                "key", provider: "p", requests: 2, window: .seconds(1), boot: "this boot")
        }
        _ = try await DatabaseBackup.write(path, to: backup, replaces: false, schema: Schema(of: .all))
        database.close()
        _ = try await DatabaseRestore.put(
            backup, inPlaceOf: path, schema: Schema(of: .all), marks: [Domain].all.restoreMarks)
        let restored = try ReadOnlyDatabase.open(path: path)
        defer { restored.close() }
        let (runs, boots) = try await restored.read { reader in
            (
                try reader.rows("SELECT run FROM jobs").map { try $0["run"] as Int },
                try reader.rows("SELECT boot FROM permit_slots").map { try $0["boot"] as String }
            )
        }
        #expect(runs == [RestoreMark.leap] && boots == ["", ""])
    }
}
