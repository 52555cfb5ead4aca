import Composition
import Domains
import Foundation
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("One gateway and one schema for a database", .timeLimit(.minutes(20)))
struct OneGatewayTests {
    @Test("A second gateway with another endpoint is refused before it touches anything, and names the first")
    func otherEndpoint() async throws {
        try await Installation.run { installation in
            let (gateway, _) = try await installation.startAll()
            let ada = try await installation.addUser(isAdmin: true)
            let job = try await ada.submit(Echo.job(1, sleepMs: 600_000))
            try await ada.job(job.id, reaches: "running")
            let second = try installation.start(
                "api-gateway",
                environment: [
                    "BACKLINE_HTTP_PORT": "0",
                    "BACKLINE_MESSAGING_ENDPOINT": "ipc://\(installation.folder)/other/gateway.ipc",
                ])
            #expect(try await second.waitForEnd() == .exited(1))
            #expect(second.errors.contains("has a gateway: process \(gateway.processID)"), "\(second.errors.lines)")
            #expect(!second.errors.contains("queue loaded"))
            let same = try await ada.job(job.id)
            #expect(same.state == "running" && same.attempt == 1)
            _ = try await ada.post("/v1/jobs/\(job.id)/cancel")
        }
    }

    @Test("Processes end when a later version migrates their database, with a message, and write nothing more")
    func newerSchema() async throws {
        try await Installation.run { installation in
            var processes = [try await installation.startGateway()]
            for kind in Installation.Worker.allCases { processes.append(try await installation.startWorker(kind)) }
            try await installation.connected(workers: 3)
            let newer = Schema(of: .all).version + 1
            try await installation.withDatabase { database in
                try await database.write {
                    try $0.run(
                        """
                        INSERT INTO schema_migrations (domain, number, name, applied_at) VALUES ('later', 1, 'new', 0)
                        """)
                }
            }
            for process in processes {
                #expect(try await process.waitForEnd() == .exited(1), "\(process.name)")
                #expect(
                    process.errors.contains("schema \(newer), newer than \(Schema(of: .all).version)"),
                    "\(process.name)")
            }
        }
    }

    @Test("migrate does not change the schema while a gateway runs, and names its process")
    func migrateBesideGateway() async throws {
        try await Installation.run { installation in
            #expect(try await installation.command("migrate").end == .exited(0))
            let holder = try ChildProcess(
                Executable.product("storage-probe"), ["gateway", installation.databasePath], hasInput: true)
            try await holder.waitForOutput("gateway")
            #expect(try await installation.command("migrate").end == .exited(0), "there is nothing to migrate")
            try await installation.withDatabase { database in
                try await database.write {
                    try $0.forgetLatestMigrations(of: "curation")
                }
            }
            for arguments in [["migrate"], ["user", "add", "ada"]] {
                let refused = try installation.start("backline", arguments)
                #expect(try await refused.waitForEnd() == .exited(75))
                #expect(refused.errors.contains("process \(holder.processID)"))
            }
            let schema = try await installation.withDatabase { try await $0.schemaVersion() }
            #expect(schema == Schema(of: .all).version - 1)
        }
    }

    @Test("compact refuses to run beside a gateway, and shrinks the file when nothing runs")
    func compactBesideAGateway() async throws {
        try await Installation.run { installation in
            let gateway = try await installation.startGateway()
            let ada = try await installation.addUser()
            let refused = try await installation.command("compact")
            #expect(refused.end == .exited(75))
            #expect(refused.errors.contains("process \(gateway.processID)"))
            // The gateway is that of another database.
            let missing = "\(installation.folder)/missing.sqlite"
            for arguments in [["compact"], ["backup", "\(installation.folder)/copy"]] {
                let command = try installation.start(
                    "backline", arguments, environment: ["BACKLINE_DATABASE_PATH": missing])
                #expect(try await command.waitForEnd() == .exited(66))
                #expect(command.errors.contains("There is no database at \(missing)."), "\(command.errors.lines)")
                #expect(command.errors.contains("set database.path"), "\(command.errors.lines)")
                #expect(!command.errors.contains("Stop "), "\(command.errors.lines)")
            }
            gateway.terminate()
            try await gateway.waitForEnd()
            let compacted = try await installation.command("compact", "--json")
            #expect(compacted.end == .exited(0), "\(compacted.errors.lines)")
            #expect(compacted.output.contains("bytesAfter"))
            try await installation.startGateway()
            #expect(try await ada.get("/v1/jobs").status == 200)
        }
    }

    @Test("A page that resumes with an event id from before a restore reads everything again")
    func restoredHistory() async throws {
        try await Installation.run { installation in
            let gateway = try await installation.startGateway()
            let ada = try await installation.addUser()
            _ = try await ada.submit(Echo.job(1))
            let copy = "\(installation.folder)/copy"
            #expect(try await installation.command("backup", copy).end == .exited(0))
            // This exists only in the former history.
            let lost = try await ada.submit(Echo.job(2))
            let before = try await EventStream.open(ada, lastEventID: "0")
            let seen = try #require(try await before.job(lost.id, reaches: "queued").id)
            before.close()
            gateway.terminate()
            try await gateway.waitForEnd()
            #expect(try await installation.command("restore", copy).end == .exited(0))
            try await installation.startGateway()
            let resumed = try await EventStream.open(ada, lastEventID: seen)
            let reset = try #require(try await resumed.first("a reset") { $0.name == "reset" }.id)
            resumed.close()
            // From now on it resumes in the new history.
            let kept = try await ada.submit(Echo.job(3))
            let later = try await EventStream.open(ada, lastEventID: reset)
            try await later.job(kept.id, reaches: "queued")
            #expect(later.events.allSatisfy { $0.name == "job" && $0.job?.id == kept.id })
            later.close()
        }
    }
}
