import JobStorage
import Model
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("backline jobs", .timeLimit(.minutes(20)))
struct JobCommandTests {
    @Test("A job is listed, shown and watched to its end, and filters exclude others")
    func lifeOfAJob() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser()
            let job = try await ada.submit(Echo.job(1, sleepMs: 800))
            let watch = try await installation.backline("jobs", "watch", job.id, as: ada)
            #expect(watch.status == 0)
            #expect(watch.output.last == "1 succeeded.")
            #expect(watch.output.contains { $0.contains("succeeded") && $0.contains(job.id) })

            let shown = try await installation.backline("jobs", "show", job.id, "--json", as: ada)
            let asked = try await ada.job(job.id)
            #expect(try shown.decode(JobView.self) == asked)
            let page = try await installation.backline("jobs", "list", "--json", "--state", "succeeded", as: ada)
            #expect(try page.decode(JobPage.self).items.map(\.id) == [job.id])
            for filter in [["--state", "failed"], ["--kind", "concerts.lookup"]] {
                let process = try installation.startBackline(["jobs", "list", "--ids"] + filter, as: ada)
                #expect(try await process.waitForEnd() == .exited(0))
                #expect(process.output.lines.isEmpty)
            }
            let ids = try await installation.backline("jobs", "list", "--ids", as: ada)
            #expect(ids.output == [job.id])
            let table = try await installation.backline("jobs", "list", as: ada)
            #expect(table.output.count == 2 && table.output[1].hasPrefix(job.id))
            #expect(!table.text.contains("\u{1B}"), "no colors without a terminal")
        }
    }

    @Test("A job is submitted with its payload, and kinds that people may not submit are refused")
    func submittedJob() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser()
            let submitted = try await installation.backline(
                "jobs", "submit", "diagnostics.echo", #"{"hello": "there"}"#, "--priority", "-5", as: ada)
            let id = String(try #require(submitted.output.first).prefix(36))
            #expect(submitted.status == 0 && submitted.output.count == 1)
            #expect(try await installation.backline("jobs", "watch", id, as: ada).status == 0)
            let job = try await ada.job(id)
            #expect(job.kind == "diagnostics.echo" && job.priority == -5 && job.result?["hello"]?.text == "there")
            let refused = try await installation.backline("jobs", "submit", "library.sync", as: ada)
            #expect(refused.status == 64)
            #expect(refused.errors.contains { $0.contains("'library.sync' cannot be submitted") })
        }
    }

    @Test("All jobs of several pages are listed once, newest first")
    func pagesOfJobs() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let ids = try await ada.submitBatch(Echo.batch(0..<450))
            let listed = try await installation.backline("jobs", "list", "--ids", "--limit", "1000", as: ada)
            #expect(listed.output == ids.sorted(by: >))
            let some = try await installation.backline("jobs", "list", "--json", "--limit", "250", as: ada)
            #expect(try some.decode(JobPage.self).items.map(\.id) == Array(ids.sorted(by: >).prefix(250)))
        }
    }

    @Test("Watching all jobs ends with the last of them, and its exit status shows that one was cancelled")
    func watchAll() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser(isAdmin: true)
            // These jobs run until they are cancelled.
            let ids = try await ada.submitBatch(Echo.batch(0..<3, sleepMs: 600_000))
            let watch = try installation.startBackline(["jobs", "watch", "--json"], as: ada)
            try await eventually("all jobs to be seen") { Set(watch.output.lines.compactMap(id)) == Set(ids) }
            // A job that is submitted meanwhile is also watched.
            let late = try await ada.submit(Echo.job(9, sleepMs: 10), wait: 30)
            let cancelled = try await installation.backline("jobs", "cancel", ids[0], ids[1], ids[2], as: ada)
            #expect(cancelled.status == 0 && cancelled.output == ids.map { "\($0)  cancelled" })
            #expect(try await watch.waitForEnd() == .exited(2))
            #expect(Set(watch.output.lines.compactMap(id)) == Set(ids + [late.id]))
            #expect(watch.output.lines.contains { $0.contains(ids[0]) && $0.contains(#""state":"cancelled""#) })
            #expect(try await ada.summary() == JobSummary(succeeded: 1, cancelled: 3))
        }
    }

    @Test("A watch continues after the gateway is killed and restarted")
    func gatewayDies() async throws {
        try await Installation.run { installation in
            let (gateway, _) = try await installation.startAll()
            let ada = try await installation.addUser()
            let job = try await ada.submit(Echo.job(1, sleepMs: 4_000))
            let watch = try installation.startBackline(["jobs", "watch", job.id], as: ada)
            try await eventually("the job to be seen") { watch.output.contains(job.id) }
            gateway.kill()
            try await gateway.waitForEnd()
            try await installation.startGateway()
            #expect(try await watch.waitForEnd() == .exited(0))
            #expect(watch.output.lines.last == "1 succeeded.")
        }
    }

    @Test("A failed job ends its watch with 1, is requeued, and then succeeds")
    func requeuedJob() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let job = try await ada.submit(Echo.job(1))
            try await fail(job, in: installation)
            let watch = try await installation.backline("jobs", "watch", job.id, as: ada)
            #expect(watch.status == 1)
            let shown = try await installation.backline("jobs", "show", job.id, as: ada)
            #expect(shown.text.contains("broken: It broke."))
            let requeued = try await installation.backline("jobs", "requeue", job.id, "--json", as: ada)
            #expect(requeued.status == 0)
            _ = try await installation.startWorker()
            #expect(try await installation.backline("jobs", "watch", job.id, as: ada).status == 0)
            let again = try await installation.backline("jobs", "requeue", job.id, as: ada)
            #expect(again.status == 1 && again.errors.joined().contains("only a failed job"))
        }
    }

    /// Changes a job to the state after its last failed attempt.
    private func fail(_ job: JobView, in installation: Installation) async throws {
        try await installation.withDatabase { database in
            try await database.write {
                let lease = MonotonicInstant.now().advanced(by: .seconds(60))
                _ = try $0.jobs.claim(
                    jobID: job.id, lastRun: 0, worker: "test", leaseExpiresAt: lease, now: .now())
                let user: String = try #require(try $0.row("SELECT user_id FROM jobs WHERE id = \(job.id)"))["user_id"]
                _ = try $0.jobs.fail(
                    .init(jobID: job.id, run: 1), userID: user, kind: job.kind, code: "broken",
                    message: "It broke.", retryAt: nil, now: .now())
            }
        }
    }

    @Test("Only an administrator sees and requeues other users' dead letters")
    func deadLettersOfOthers() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser("ada")
            let job = try await ada.submit(Echo.job(1))
            try await fail(job, in: installation)
            let refused = try await installation.backline("jobs", "list", "--everyone", as: ada)
            #expect(refused.status == 77 && !refused.errors.isEmpty)
            var admin = installation.visitor
            admin.token = try await installation.backline("user", "add", "root", "--admin").output.first
            let table = try await installation.backline("jobs", "list", "--everyone", as: admin)
            #expect(table.status == 0 && table.text.contains(job.id) && table.text.contains("ada"))
            #expect(try await installation.backline("jobs", "requeue", job.id, as: admin).status == 1, "it is not hers")
            #expect(try await installation.backline("jobs", "requeue", "--everyone", job.id, as: admin).status == 0)
            #expect(try await ada.job(job.id).state == "queued")
        }
    }

    @Test("Workers and their jobs are shown only to administrators")
    func listOfWorkers() async throws {
        struct Page: Decodable {
            struct Worker: Decodable {
                struct Job: Decodable { var id: String }
                var name: String
                var pid: Int
                var held: Int
                var jobs: [Job]
            }
            var items: [Worker]
        }
        try await Installation.run { installation in
            let (_, workers) = try await installation.startAll(workers: 2)
            let ada = try await installation.addUser("ada", isAdmin: true)
            let job = try await ada.submit(Echo.job(1, sleepMs: 600_000))
            try await ada.job(job.id, reaches: "running")
            let bob = try await installation.addUser("bob")
            #expect(try await installation.backline("workers", as: bob).status == 77)
            var admin = installation.visitor
            admin.token = try await installation.backline("user", "add", "root", "--admin").output.first
            let page: Page = try await installation.backline("workers", "--json", as: admin).decode()
            #expect(Set(page.items.map(\.pid)) == Set(workers.map { Int($0.processID) }))
            #expect(page.items.flatMap(\.jobs).map(\.id) == [job.id])
            let table = try await installation.backline("workers", "--jobs", as: admin)
            #expect(table.status == 0 && table.text.contains("concert-worker-2") && table.text.contains(job.id))
            _ = try await ada.post("/v1/jobs/\(job.id)/cancel")
        }
    }

    @Test("Each failure has an exit status of its own and says what to do")
    func exitStatuses() async throws {
        try await Installation.run { installation in
            let nowhere = try await installation.backline(
                "jobs", "watch", environment: ["BACKLINE_SERVER": "http://127.0.0.1:1", "BACKLINE_TOKEN": "bl_x"])
            #expect(nowhere.status == 69 && nowhere.errors.joined().contains("api-gateway"))
            try await installation.startGateway()
            let ada = try await installation.addUser()
            #expect(try await installation.backline("jobs", "list").status == 77)
            var stranger = installation.visitor
            stranger.token = "bl_nobody"
            #expect(try await installation.backline("jobs", "list", as: stranger).status == 77)
            #expect(try await installation.backline("jobs", "list", "--state", "broken", as: ada).status == 64)
            let missing = try await installation.backline("jobs", "show", "../artists", as: ada)
            #expect(missing.status == 1 && missing.output.isEmpty)
            #expect(try await installation.backline("jobs", "watch", as: ada).status == 0, "nothing to wait for")
            let queued = try await ada.submit(Echo.job(1))
            let late = try await installation.backline("jobs", "watch", queued.id, "--timeout", "1", as: ada)
            #expect(late.status == 2)
            let watch = try installation.startBackline(["jobs", "watch"], as: ada)
            try await eventually("the job to be seen") { watch.output.contains(queued.id) }
            watch.terminate()
            #expect(try await watch.waitForEnd() == .exited(143))
            #expect(try await ada.job(queued.id).state == "queued", "the watch ended, not the job")
        }
    }

    private func id(_ line: String) -> String? {
        line.firstRange(of: #""id":""#).map { String(line[$0.upperBound...].prefix(36)) }
    }
}
