import Composition
import Domains
import Foundation
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("Starting processes", .timeLimit(.minutes(20)))
struct StartupTests {
    @Test("A second gateway on the same endpoint is refused, and the first keeps working")
    func secondGateway() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser()
            let second = try installation.start("api-gateway", environment: ["BACKLINE_HTTP_PORT": "0"])
            #expect(try await second.waitForEnd() == .exited(1))
            #expect(second.errors.contains("could not start"))
            #expect(second.errors.contains(installation.endpoint))
            #expect(!second.output.contains("listening"))
            #expect(try await ada.submit(Echo.job(), wait: 30).state == "succeeded")
        }
    }

    @Test("A second gateway on the same port is refused, and the first keeps working")
    func samePort() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser()
            let port = try #require(ada.baseURL.split(separator: ":").last)
            let second = try installation.start(
                "api-gateway",
                environment: [
                    "BACKLINE_HTTP_PORT": "\(port)", "BACKLINE_DATABASE_PATH": "\(installation.folder)/other.sqlite",
                    "BACKLINE_MESSAGING_ENDPOINT": "ipc://\(installation.folder)/other/gateway.ipc",
                ])
            #expect(try await second.waitForEnd() == .exited(1))
            let report = second.errors.lines.first { $0.contains("could not start") }
            #expect(
                report?.contains(
                    "Another program already listens at 127.0.0.1:\(port) ('ss -ltnp' lists it). Stop it, or change "
                        + "http.port.") == true, "\(second.errors.lines)")
            #expect(try await ada.submit(Echo.job(), wait: 30).state == "succeeded")
        }
    }

    // An address for documentation (RFC 5737), which no machine has.
    @Test("A gateway with an address of another machine says which setting to change")
    func foreignAddress() async throws {
        try await Installation.run { installation in
            let gateway = try installation.start(
                "api-gateway", environment: ["BACKLINE_HTTP_HOST": "192.0.2.1", "BACKLINE_HTTP_PORT": "7318"])
            #expect(try await gateway.waitForEnd() == .exited(1))
            let report = gateway.errors.lines.first { $0.contains("could not start") }
            #expect(
                report?.contains(
                    "Nothing can listen at 192.0.2.1:7318, because this machine does not have the address 192.0.2.1. "
                        + "Set http.host to one of its own addresses") == true, "\(gateway.errors.lines)")
        }
    }

    @Test("Workers that start first wait for the schema and the gateway, then work")
    func workersFirst() async throws {
        try await Installation.run { installation in
            var workers: [ChildProcess] = []
            for kind in Installation.Worker.allCases { workers.append(try installation.start(kind.rawValue)) }
            for worker in workers { try await worker.waitForLog("waiting for the database to be migrated") }
            #expect(try await installation.command("migrate").end == .exited(0))
            for worker in workers { try await worker.waitForLog("ready") }
            try await installation.startGateway()
            try await installation.connected(workers: 3)
            #expect(try await installation.addUser().submit(Echo.job(), wait: 30).state == "succeeded")
        }
    }

    @Test("A worker that is stopped while it waits for the schema exits like one that has worked")
    func stoppedWhileWaiting() async throws {
        try await Installation.run { installation in
            for kind in Installation.Worker.allCases {
                let worker = try installation.start(kind.rawValue)
                try await worker.waitForLog("waiting for the database to be migrated")
                worker.terminate()
                #expect(try await worker.waitForEnd() == .exited(0), "\(worker.errors.lines)")
            }
        }
    }

    @Test("No process starts with too few file descriptors, and each says how many it needs")
    func fewDescriptors() async throws {
        let tool = try #require(OpenFiles.tool, "util-linux' prlimit is not installed.")
        try await Installation.run { installation in
            for program in ["api-gateway", "concert-worker", "sync-worker", "ai-worker"] {
                let process = try installation.start(
                    program, environment: ["BACKLINE_HTTP_PORT": "0"], through: [tool, "--nofile=100:100"])
                #expect(try await process.waitForEnd() == .exited(78), "\(program)")
                #expect(
                    process.errors.lines == [
                        "\(program): this process may have only 100 files and connections open at once, and needs 128. "
                            + "Raise its limit: LimitNOFILE under systemd, 'ulimit -n' elsewhere."
                    ])
            }
        }
    }

    @Test("No process accepts a database of a later version")
    func newerSchema() async throws {
        try await Installation.run { installation in
            #expect(try await installation.command("migrate").output.contains("migrated"))
            #expect(try await installation.command("migrate").output.contains("up to date"))
            try await installation.withDatabase { database in
                _ = try await database.write {
                    try $0.run(
                        """
                        INSERT INTO schema_migrations (domain, number, name, applied_at) VALUES ('later', 1, 'new', 0)
                        """)
                }
            }
            let newer = Schema(of: .all).version + 1
            for program in ["api-gateway", "concert-worker", "sync-worker", "ai-worker"] {
                let process = try installation.start(program, environment: ["BACKLINE_HTTP_PORT": "0"])
                #expect(try await process.waitForEnd() == .exited(1), "\(program)")
                #expect(process.errors.contains("schema \(newer), newer than"), "\(program): \(process.errors.lines)")
            }
            let migrate = try await installation.command("migrate")
            #expect(migrate.end != .exited(0))
            #expect(migrate.errors.contains("schema \(newer), newer than"))
        }
    }

    @Test("No process accepts a database of an unreleased version, and each says what to do")
    func unreleasedSchema() async throws {
        try await Installation.run { installation in
            #expect(try await installation.command("migrate").end == .exited(0))
            // Unreleased versions numbered the migrations of all domains together.
            try RawSQLite(path: installation.databasePath).run(
                """
                DROP TABLE schema_migrations;
                CREATE TABLE schema_migrations (
                    number BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL);
                INSERT INTO schema_migrations (number, name, applied_at) VALUES (51, 'planned runs', 0);
                """)
            for program in ["api-gateway", "sync-worker"] {
                let process = try installation.start(program, environment: ["BACKLINE_HTTP_PORT": "0"])
                #expect(try await process.waitForEnd() == .exited(1), "\(program)")
                #expect(process.errors.contains("An unreleased version of Backline"), "\(process.errors.lines)")
            }
            for arguments in [["migrate"], ["user", "list"], ["doctor"]] {
                let process = try installation.start("backline", arguments)
                #expect(try await process.waitForEnd() == .exited(1), "\(arguments)")
                let logs = [process.errors, process.output]
                #expect(logs.contains { $0.contains("/v1/library/export") }, "\(arguments)")
            }
        }
    }

    @Test(
        "A migration that is killed at any step is completed by the next one",
        .enabled(Comment(rawValue: Tracing.whyNot)) { await Tracing.isPossible() })
    func killedMigration() async throws {
        try await Installation.run { installation in
            let (strace, path) = (try #require(Executable.tool("strace")), installation.databasePath)
            var schemas: Set<[[String?]]> = []
            var killed = 0
            for number in 1... {
                let process = try installation.start(
                    "backline", ["migrate"],
                    through: [
                        strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync", "-e",
                        "inject=fdatasync:signal=SIGKILL:when=\(number)",
                    ])
                let end = try await process.waitForEnd()
                #expect(try await installation.command("migrate").end == .exited(0), "\(number)")
                let file = try RawSQLite(path: path)
                #expect(try file.rows("PRAGMA integrity_check") == [["ok"]], "\(number)")
                schemas.insert(try file.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"))
                if end == .exited(0) { break }
                killed += 1
                for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            }
            // Each migration commits a transaction of its own.
            #expect(killed >= Schema(of: .all).version && schemas.count == 1, "\(killed)")
        }
    }

    @Test(
        "A wrong configuration prevents the start, and all problems are named",
        arguments: ["api-gateway", "concert-worker", "sync-worker", "ai-worker"])
    func wrongConfiguration(program: String) async throws {
        try await Installation.run { installation in
            let process = try installation.start(program, environment: ["BACKLINE_WORKER_CONCURRENCY": "many"])
            #expect(try await process.waitForEnd() == .exited(78))
            #expect(process.errors.contains("BACKLINE_WORKER_CONCURRENCY") && process.errors.contains("many"))
        }
    }

    @Test("A job of a kind or version that no worker knows waits for one that does")
    func unknownKinds() async throws {
        try await Installation.run { installation in
            var (gateway, _) = try await installation.startAll()
            let ada = try await installation.addUser()
            let template = try await ada.submit(Echo.job(1), wait: 30)
            let (later, unknown) = ("ffff0000-0000-7000-8000-000000000001", "ffff0000-0000-7000-8000-000000000002")
            try await installation.insertJob(id: later, kind: "diagnostics.echo", version: 9, like: template.id)
            try await installation.insertJob(id: unknown, kind: "future.kind", version: 1, like: template.id)
            // Other jobs are not delayed by these, now and after a restart.
            for _ in 0..<2 {
                #expect(try await ada.submit(Echo.job(2), wait: 30).state == "succeeded")
                #expect(try await ada.job(later).state == "queued")
                #expect(try await ada.job(unknown).kind == "future.kind")
                gateway.terminate()
                try await gateway.waitForEnd()
                gateway = try await installation.startGateway()
            }
            let worker = try await ScriptedWorker.connect(
                to: installation, name: "later-1", kinds: [.init(kind: "diagnostics.echo", version: 9)], credit: 1)
            let handed = try await worker.nextJob()
            #expect(handed.run.jobID == later && handed.version == 9)
            #expect(handed.payload == #"{"n":1}"#)
            #expect(try await ada.post("/v1/jobs/\(unknown)/cancel").status == 200)
            await worker.close()
        }
    }

    @Test("No other account can reach the database, the lock or the socket")
    func filesOfOtherAccounts() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            _ = try await installation.addUser().submit(Echo.job(), wait: 30)
            let files = try FileManager.default.subpathsOfDirectory(atPath: installation.folder)
            #expect(files.contains("data.sqlite-wal") && files.contains("run/gateway.ipc"))
            for file in files {
                let mode = try FileMode.of("\(installation.folder)/\(file)")
                // A file in a folder that others cannot enter may have any mode.
                let isReachable = !file.hasPrefix("run/") && !file.hasPrefix("workers/")
                if isReachable { #expect(mode & 0o077 == 0, "\(file) \(String(mode, radix: 8))") }
            }
        }
    }

    @Test("Two workers cannot have one name")
    func sameName() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let name = ["BACKLINE_WORKER_NAME": "the-one"]
            let first = try await installation.startWorker(.concert, environment: name)
            let second = try installation.start("sync-worker", environment: name)
            #expect(try await second.waitForEnd() == .exited(1))
            #expect(second.errors.contains("the-one"))
            first.kill()
            try await first.waitForEnd()
            // The kernel releases the lock on the name, however the process ended.
            _ = try await installation.startWorker(.sync, environment: name)
        }
    }
}
