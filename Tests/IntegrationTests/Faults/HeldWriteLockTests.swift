import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("A write lock that another process does not release", .timeLimit(.minutes(20)))
struct HeldWriteLockTests {
    @Test("Requests that write are refused after some seconds, others are served, and all work once the lock is free")
    func refusedWrites() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser()
            let root = try await installation.addAdministrator()
            let before = try await ada.submit(Echo.job(1), wait: 30)
            let holder = try await ChildProcess.holdingLock(of: installation.databasePath + ".lock")

            let refused = try await ada.post("/v1/jobs", Echo.job(2))
            #expect(refused.status == 503)
            #expect(try refused.problem.code == "storageBusy")
            #expect(Int(refused.header("Retry-After") ?? "") ?? 0 > 0)
            let readiness = try await installation.visitor.get("/readyz")
            #expect(readiness.status == 503)
            #expect(try readiness.problem.code == "storageBusy")
            #expect(!readiness.text.contains("\(holder.processID)"), "that is for administrators")
            #expect(!refused.text.contains("\(holder.processID)"))
            let detailed = try await root.get("/readyz")
            #expect(try detailed.problem.code == "storageBusy")
            #expect(try detailed.problem.detail.contains("process \(holder.processID) "))
            // Reading needs no lock.
            #expect(try await ada.job(before.id).state == "succeeded")
            #expect(try await installation.visitor.get("/healthz").status == 200)

            await holder.destroy()
            try await eventually("the gateway to be ready again") {
                try await installation.visitor.get("/readyz").status == 200
            }
            let after = try await ada.submit(Echo.job(3), wait: 30)
            #expect(after.state == "succeeded")
            // Refused writes are not performed later.
            #expect(Set(try await ada.allJobs().map(\.id)) == [before.id, after.id])
            try await installation.expectTrueCounters()
        }
    }

    @Test("A result that a worker cannot write in time waits, and is written once the lock is free")
    func resultWaits() async throws {
        // The lock is also kept for longer than the lease.
        try await Installation.run(environment: StaleWorkerTests.patient) { installation in
            let (_, workers) = try await installation.startAll()
            let ada = try await installation.addUser(isAdmin: true)
            let job = try await ada.submit(Echo.job(1, sleepMs: 20_000))
            try await ada.job(job.id, reaches: "running")
            let holder = try await ChildProcess.holdingLock(of: installation.databasePath + ".lock")
            try await workers[0].waitForLog("an outcome cannot be written yet")
            #expect(try await ada.job(job.id).state == "running")
            await holder.destroy()
            let ended = try await ada.ended(job.id)
            #expect(ended.state == "succeeded" && ended.attempt == 1)
            #expect(try await installation.storedJobs()[job.id]?.run == 1)
        }
    }

    @Test("Processes that start meanwhile name the lock's holder and wait, and stop cleanly on request")
    func startingAndStopping() async throws {
        try await Installation.run { installation in
            let (gateway, workers) = try await installation.startAll()
            let ada = try await installation.addUser()
            let holder = try await ChildProcess.holdingLock(of: installation.databasePath + ".lock")
            let late = try installation.start("sync-worker")
            async let refused = ada.post("/v1/jobs", Echo.job(1))
            try await late.waitForLog("process \(holder.processID)")
            #expect(try await refused.status == 503)
            for process in [gateway] + workers {
                process.terminate()
                #expect(try await process.waitForEnd() == .exited(0), "\(process.name)")
            }
            await holder.destroy()
            try await late.waitForLog("ready")
        }
    }
}
