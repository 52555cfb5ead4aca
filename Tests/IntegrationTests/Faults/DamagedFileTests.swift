import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("A damaged database file", .timeLimit(.minutes(20)))
struct DamagedFileTests {
    @Test("Requests that read a damaged page fail with advice, others are served, and a restored backup repairs it")
    func onePage() async throws {
        try await Installation.run { installation in
            let (gateway, workers) = try await installation.startAll()
            let ada = try await installation.addUser()
            let before = try await ada.submit(Echo.job(1), wait: 30)
            let backup = installation.folder + "/backup.sqlite"
            #expect(try await installation.command("backup", backup).end == .exited(0))
            let began = ContinuousClock.now
            try await installation.damage(rootPageOf: "ranked_artists")

            let damaged = try await ada.get("/v1/artists")
            #expect(damaged.status == 500)
            #expect(try damaged.problem.code == "storageCorrupt")
            #expect(try damaged.problem.detail.contains("backline restore"))
            let readiness = try await installation.visitor.get("/readyz")
            #expect(readiness.status == 503)
            #expect(try readiness.problem.code == "storageCorrupt")
            let doctor = try await installation.command(
                "doctor", "--deep", "--server", installation.visitor.baseURL)
            #expect(doctor.end == .exited(1))
            #expect(doctor.output.contains("The file is damaged") && doctor.output.contains("backline restore FILE"))
            // Jobs are on other pages.
            #expect(try await installation.visitor.get("/healthz").status == 200)
            #expect(try await ada.job(before.id).state == "succeeded")
            #expect(try await ada.submit(Echo.job(2), wait: 30).state == "succeeded")
            for _ in 0..<200 { #expect(try await ada.get("/v1/artists").status == 500) }
            #expect(
                gateway.errors.count(of: "malformed") < mostLines(50, since: began), "it fills the disk of its log")

            await installation.closeDatabase()
            for process in workers + [gateway] {
                process.terminate()
                #expect(try await process.waitForEnd() == .exited(0))
            }
            #expect(try await installation.command("restore", backup).end == .exited(0))
            try await installation.startGateway()
            _ = try await installation.startWorker()
            try await installation.connected(workers: 1)
            #expect(try await ada.get("/v1/artists").status == 200)
            #expect(try await installation.visitor.get("/readyz").status == 200)
            #expect(try await ada.submit(Echo.job(3), wait: 30).state == "succeeded")
        }
    }

    @Test("Jobs with damaged rows do not delay other jobs")
    func someJobs() async throws {
        try await Installation.run { installation in
            let gateway = try await installation.startGateway()
            let ada = try await installation.addUser()
            // A row has some hundred bytes, so a page has few rows.
            let padding = String(repeating: "p", count: 300)
            let bodies = (0..<200).map {
                #"{"kind":"diagnostics.echo","payload":{"n":\#($0),"mark":"mark-\#($0)-","padding":"\#(padding)"}}"#
            }
            let ids = try await ada.submitBatch(#"{"jobs":[\#(bodies.joined(separator: ","))]}"#)
            let began = ContinuousClock.now
            try await installation.damage(pageWith: "mark-100-")
            _ = try await installation.startWorker()
            // A write to another row may also need the damaged page, so that its job waits as well.
            let lost = try await eventually("all jobs except those on two pages to end") { () -> Int? in
                // The list of jobs would read the damaged page, so each job is read separately.
                var unfinished = 0
                for id in ids {
                    let response = try await ada.get("/v1/jobs/\(id)")
                    let isDone = try response.status == 200 && response.job.isFinished
                    if !isDone { unfinished += 1 }
                }
                return unfinished < 40 ? unfinished : nil
            }
            #expect(lost > 0)
            #expect(try await installation.visitor.get("/readyz").problem.code == "storageCorrupt")
            #expect(try await ada.submit(Echo.job(2), wait: 30).state == "succeeded")
            #expect(gateway.isRunning)
            #expect(gateway.errors.count(of: "malformed") < mostLines(100, since: began))
        }
    }

    @Test("Processes that start with a damaged file report it and say what to do")
    func startWithADamagedFile() async throws {
        try await Installation.run { installation in
            #expect(try await installation.command("migrate").end == .exited(0))
            try await installation.damage(rootPageOf: "jobs")
            await installation.closeDatabase()
            let gateway = try await installation.startGateway()
            try await gateway.waitForLog("The database file is damaged")
            let readiness = try await installation.visitor.get("/readyz")
            #expect(readiness.status == 503)
            #expect(try readiness.problem.code == "storageCorrupt")
            #expect(try readiness.problem.detail.contains("backline restore"))
            gateway.terminate()
            try await gateway.waitForEnd()

            try Data(repeating: 0xa5, count: 100).overwrite(installation.databasePath, at: 0)
            for program in ["api-gateway", "concert-worker"] {
                let process = try installation.start(program)
                #expect(try await process.waitForEnd() == .exited(1))
                #expect(process.errors.contains("The database file is damaged"), "\(process.errors.lines)")
            }
            let doctor = try await installation.command("doctor")
            #expect(doctor.end == .exited(1))
            #expect(doctor.output.contains("is damaged: "))
        }
    }
}
