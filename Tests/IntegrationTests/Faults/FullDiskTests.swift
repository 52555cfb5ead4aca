import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("A full disk", .enabled(if: SmallDisk.isPossible, "Mounting a tmpfs takes root."), .timeLimit(.minutes(20)))
struct FullDiskTests {
    /// A job whose payload needs separate pages.
    private static let bulky = Echo.job(extra: #""uniqueKey":null"#).replacing(
        #"{"n":0}"#, with: #"{"text":"\#(String(repeating: "x", count: 200_000))"}"#)

    @Test("On a full disk, reads are served, writes are refused with the reason, and both work once there is space")
    func fullAndFree() async throws {
        try await Installation.run(disk: 24) { installation in
            let disk = try #require(installation.disk)
            let (gateway, workers) = try await installation.startAll()
            let ada = try await installation.addUser(isAdmin: true)
            let before = try await ada.submit(Echo.job(1), wait: 30)
            let events = try await EventStream.open(ada)
            let long = try await ada.submit(Echo.job(2, sleepMs: 20_000))
            try await ada.job(long.id, reaches: "running")
            let began = ContinuousClock.now
            try disk.fill()

            var accepted: Set<String> = [before.id, long.id]
            // The write-ahead log has some free space until it is also full.
            for body in [Self.bulky, Echo.job(3)] {
                let refused = try await eventually("a refusal for lack of space") {
                    let response = try await ada.post("/v1/jobs", body)
                    if response.status == 202 || response.status == 200 { accepted.insert(try response.job.id) }
                    return response.status == 503 ? response : nil
                }
                let problem = try refused.problem
                #expect(problem.code == "storageFull")
                #expect(problem.detail.contains("Free some space"))
                #expect(Int(refused.header("Retry-After") ?? "") ?? 0 > 0)
            }
            // A checkpoint may make room in the log for a few small writes, among them an outcome. Further jobs fill it
            // again, and have outcomes of their own.
            let unwritten = try await eventually("an outcome that cannot be written") {
                let response = try await ada.post("/v1/jobs", Echo.job(3))
                if response.status == 202 { accepted.insert(try response.job.id) }
                return workers[0].errors.lines.first { $0.contains("an outcome cannot be written yet") }
                    .flatMap { $0.firstMatch(of: #/job=(\S+)/#) }.map { String($0.1) }
            }
            #expect(try await ada.job(before.id).state == "succeeded")
            // It is kept until it is written: now, or earlier if a checkpoint made room for it meanwhile.
            #expect(["running", "succeeded"].contains(try await ada.job(unwritten).state))
            #expect(Set(try await ada.allJobs().map(\.id)) == accepted)
            #expect(try await installation.visitor.get("/healthz").status == 200)
            #expect(try await installation.visitor.get("/metrics").status == 200)
            #expect(try await installation.visitor.get("/").status == 200)
            // An outcome that found room makes the gateway ready until the next write fails.
            let (readiness, doctor) = try await eventually("the gateway not to be ready") {
                () -> (APIResponse, ChildProcess)? in
                let response = try await ada.post("/v1/jobs", Self.bulky)
                if response.status == 202 { accepted.insert(try response.job.id) }
                let readiness = try await installation.visitor.get("/readyz")
                guard readiness.status == 503 else { return nil }
                let doctor = try await installation.command("doctor", "--server", installation.visitor.baseURL)
                return doctor.output.contains("The disk that holds the database is full") ? (readiness, doctor) : nil
            }
            #expect(try readiness.problem.code == "storageFull")
            #expect(doctor.end == .exited(1))
            #expect(doctor.output.contains("are free on the disk of"))

            try disk.makeRoom()
            try await eventually("the gateway to be ready again") {
                try await installation.visitor.get("/readyz").status == 200
            }
            accepted.insert(try await ada.submit(Echo.job(4), wait: 30).id)
            #expect(try await ada.allEnded() == JobSummary(succeeded: accepted.count))
            #expect(Set(try await ada.allJobs().map(\.id)) == accepted, "what was refused is not done later")
            let storedJobs = try await installation.storedJobs()
            #expect(storedJobs[long.id]?.run == 1, "its outcome was kept")
            #expect(storedJobs.values.allSatisfy { $0.attempt == 1 })
            try await eventually("the event of the end") {
                events.events.contains { $0.job?.id == long.id && $0.job?.state == "succeeded" }
            }
            try await installation.expectTrueCounters()
            #expect(!events.hasEnded)
            for process in [gateway] + workers {
                #expect(
                    process.errors.count(of: "is full") < mostLines(100, since: began),
                    "\(process.name) also fills the disk of its log")
            }
        }
    }

    @Test("A starting gateway and worker report it, wait, and start once there is space")
    func startWithAFullDisk() async throws {
        try await Installation.run(disk: 8) { installation in
            let disk = try #require(installation.disk)
            try disk.fill()
            async let started = installation.startGateway()
            let late = try installation.start("concert-worker")
            let gateway = try await eventually("the gateway's process") { installation.running("api-gateway").first }
            for process in [gateway, late] {
                try await process.waitForLog("The disk that holds the database is full")
            }
            try disk.makeRoom()
            _ = try await started
            try await installation.connected(workers: 1)
            let ada = try await installation.addUser()
            #expect(try await ada.submit(Echo.job(1), wait: 30).state == "succeeded")
        }
    }

    @Test("Accepted jobs survive when a gateway and a worker are killed meanwhile")
    func killedProcesses() async throws {
        try await Installation.run(disk: 16) { installation in
            let disk = try #require(installation.disk)
            let (gateway, workers) = try await installation.startAll()
            let ada = try await installation.addUser()
            let ids = try await ada.submitBatch(Echo.batch(0..<40, sleepMs: 500))
            try disk.fill()
            try await eventually("a refusal for lack of space") {
                try await ada.post("/v1/jobs", Self.bulky).status == 503
            }
            for process in [gateway] + workers {
                process.kill()
                try await process.waitForEnd()
            }
            async let started = installation.startGateway()
            _ = try installation.start("concert-worker")
            try await eventually("the gateway to look at the database") {
                installation.running("api-gateway").first?.errors.lines.count ?? 0 > 1
            }
            try disk.makeRoom()
            _ = try await started
            try await ada.allEnded()
            let storedJobs = try await installation.storedJobs()
            #expect(ids.allSatisfy { storedJobs[$0]?.state == "succeeded" })
            try await installation.expectTrueCounters()
        }
    }
}
