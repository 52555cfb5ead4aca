import Composition
import Domains
import Foundation
import Model
import Storage
import TestSupport
import Testing

@testable import Commands

@Suite("doctor: database")
struct DatabaseCheckTests {
    @Test("A database with the current schema is fine, even with --deep")
    func currentSchema() async throws {
        try await withDatabase { _, folder in
            var context = try DoctorContext.sample(folder)
            context.isDeep = true
            let findings = await DoctorCheck.database.findings(in: context)
            #expect(findings.worst == .ok && findings.count == 3, "\(findings.text)")
        }
    }

    @Test("A missing or damaged database is a problem, and an older one a warning")
    func missingDamagedOrOlderDatabase() async throws {
        try await withDatabase { database, folder in
            let missing = await DoctorCheck.database.findings(in: try .sample(folder, database: "none.sqlite"))
            #expect(missing.worst == .problem && missing.text.contains("backline migrate"))

            try await database.write {
                try $0.forgetLatestMigrations(of: "library", "listening", "curation")
            }
            let older = await DoctorCheck.database.findings(in: try .sample(folder))
            let found = Schema(of: .all).version - 3
            #expect(older.worst == .warning && older.text.contains("schema \(found), but this program needs"))
            // Checks that read rows of the current tables do not fail.
            for check in [DoctorCheck.permits, .clock] {
                #expect(await check.findings(in: try .sample(folder)).worst == .ok, "\(check.name)")
            }

            try Data("this is no database at all".utf8).write(to: URL(fileURLWithPath: folder.file("noise")))
            let noise = await DoctorCheck.database.findings(in: try .sample(folder, database: "noise"))
            #expect(noise.worst == .problem && noise.text.contains("backline restore"))
        }
    }

    @Test("A schema of a later, of an unreleased or of no version is a problem, with what to do")
    func otherSchemas() async throws {
        try await withDatabase { database, folder in
            let file = try RawSQLite(path: database.path)
            func findings() async throws -> [Finding] {
                await DoctorCheck.database.findings(in: try .sample(folder))
            }
            try file.run(
                "INSERT INTO schema_migrations (domain, number, name, applied_at) VALUES ('later', 1, 'new', 0)")
            let newer = try await findings()
            let found = Schema(of: .all).version + 1
            #expect(newer.worst == .problem && newer.text.contains("schema \(found), but this program knows"))
            try file.run("DELETE FROM schema_migrations WHERE domain = 'jobs'")
            let mixed = try await findings()
            #expect(mixed.worst == .problem && mixed.text.contains("has the migration later 1 (new) but lacks jobs 1"))
            #expect(mixed.text.contains("backline restore"))
            try file.run(
                """
                DROP TABLE schema_migrations;
                CREATE TABLE schema_migrations (
                    number BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL);
                """)
            let unreleased = try await findings()
            #expect(unreleased.worst == .problem && unreleased.text.contains("unreleased version"))
            #expect(unreleased.text.contains("/v1/library/export"))
        }
    }

    @Test("A write-ahead log without a recent checkpoint is a warning")
    func fullLog() async throws {
        try await withDatabase { database, folder in
            let bytes = [UInt8](repeating: 1, count: 1 << 20)
            try await database.write { try $0.run("CREATE TABLE filler (content BLOB)") }
            for _ in 0..<85 { try await database.write { try $0.run("INSERT INTO filler VALUES (\(bytes))") } }
            let findings = await DoctorCheck.database.findings(in: try .sample(folder))
            #expect(findings.worst == .warning)
            #expect(findings.text.contains("write-ahead log is 8") && findings.text.contains("start it"))
        }
        #expect(DoctorCheck.logFinding(2 << 30, isGatewayThere: true).severity == .problem)
        #expect(DoctorCheck.logFinding(2 << 30, isGatewayThere: true).advice?.contains("long read") == true)
    }

    @Test("A damaged page is found when all pages are read")
    func damagedPage() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.sqlite")
        let database = try Database.open(path: path, schema: Schema(of: .all))
        try await database.migrate()
        // The file ends with pages of this table, which the check reads only with --deep.
        try await database.write { transaction in
            try transaction.run("CREATE TABLE rows_at_the_end (number BIGINT NOT NULL, text TEXT NOT NULL)")
            for number in 0..<200 {
                let text = String(repeating: "x", count: 100)
                try transaction.run("INSERT INTO rows_at_the_end (number, text) VALUES (\(number), \(text))")
            }
        }
        try await database.checkpoint(truncates: true)
        database.close()
        let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: UInt64(size - 4_096))
        try file.write(contentsOf: Data(repeating: 0xFF, count: 64))
        try file.close()
        var context = try DoctorContext.sample(folder)
        #expect(await DoctorCheck.database.findings(in: context).worst == .ok)
        context.isDeep = true
        #expect(await DoctorCheck.database.findings(in: context).worst == .problem)
    }

    @Test("A lock that another process holds is reported with the process; a free one is fine")
    func writeLock() async throws {
        try await withDatabase { database, folder in
            let context = try DoctorContext.sample(folder)
            #expect(await DoctorCheck.writeLock.findings(in: context).worst == .ok)
            let holder = try await ChildProcess.holdingLock(of: database.path + ".lock")
            let held = await DoctorCheck.writeLock.findings(in: context)
            #expect(held.worst == .problem && held.text.contains("Process \(holder.processID) (sleep)"))
            holder.pause()
            while !ProcessState(holder.processID).isStopped { await Task.yield() }
            let stopped = await DoctorCheck.writeLock.findings(in: context)
            #expect(stopped.text.contains("kill -CONT \(holder.processID)"))
            await holder.destroy()
            #expect(await DoctorCheck.writeLock.findings(in: context).worst == .ok)
        }
    }
}
