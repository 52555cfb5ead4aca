import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("A disk that accepts no writes", .timeLimit(.minutes(20)))
struct FailingDiskTests {
    /// The errors with which a write to a disk may fail, and what clients learn.
    struct Fault: Sendable, CustomTestStringConvertible {
        var error: Int32
        var code: String
        var advice: String

        var testDescription: String { code }
    }

    @Test(
        "under a running installation: reads are served, outcomes wait, and all continue once it accepts writes again",
        arguments: [
            Fault(error: EROFS, code: "storageReadOnly", advice: "is read-only"),
            Fault(error: ENOSPC, code: "storageFull", advice: "Free some space"),
            Fault(error: EIO, code: "storageFailed", advice: "disk I/O error"),
        ])
    func readOnlyWhileRunning(fault: Fault) async throws {
        try await Installation.run { installation in
            let control = installation.folder + "/fault"
            let preload = [
                "LD_PRELOAD": Executable.product("libdisk-fault.so"), "DISK_FAULT_PREFIX": installation.databasePath,
                "DISK_FAULT_ERROR": control,
            ]
            let gateway = try await installation.startGateway(environment: preload)
            let worker = try await installation.startWorker(environment: preload)
            try await installation.connected(workers: 1)
            let ada = try await installation.addUser(isAdmin: true)
            let before = try await ada.submit(Echo.job(1), wait: 30)
            let long = try await ada.submit(Echo.job(2, sleepMs: 20_000))
            try await ada.job(long.id, reaches: "running")
            let began = ContinuousClock.now
            #expect(FileManager.default.createFile(atPath: control, contents: Data("\(fault.error)".utf8)))

            let refused = try await ada.post("/v1/jobs", Echo.job(3))
            #expect(refused.status == 503)
            #expect(try refused.problem.code == fault.code)
            #expect(try refused.problem.detail.contains(fault.advice), "\(refused.text)")
            #expect(try await installation.visitor.get("/readyz").problem.code == fault.code)
            try await worker.waitForLog("an outcome cannot be written yet")
            #expect(try await ada.job(before.id).state == "succeeded")
            #expect(try await ada.job(long.id).state == "running")

            try FileManager.default.removeItem(atPath: control)
            try await eventually("the gateway to be ready again") {
                try await installation.visitor.get("/readyz").status == 200
            }
            let after = try await ada.submit(Echo.job(4), wait: 30)
            #expect(try await ada.allEnded() == JobSummary(succeeded: 3))
            #expect(Set(try await ada.allJobs().map(\.id)) == [before.id, long.id, after.id])
            #expect(try await installation.storedJobs()[long.id]?.run == 1, "its outcome was kept")
            try await installation.expectTrueCounters()
            for process in [gateway, worker] {
                #expect(process.errors.count(of: "database") < mostLines(100, since: began), "\(process.name)")
            }
        }
    }

    @Test(
        "a gateway and a worker that start on a read-only disk report it, wait, and start once it is writable",
        .enabled(if: SmallDisk.isPossible, "Mounting a tmpfs takes root."))
    func readOnlyAtTheStart() async throws {
        try await Installation.run(disk: 16) { installation in
            let disk = try #require(installation.disk)
            let (gateway, workers) = try await installation.startAll()
            let ada = try await installation.addUser()
            let before = try await ada.submit(Echo.job(1), wait: 30)
            for process in workers + [gateway] {
                process.terminate()
                #expect(try await process.waitForEnd() == .exited(0))
            }
            try disk.setReadOnly(true)
            async let started = installation.startGateway()
            let late = try installation.start("concert-worker")
            let waiting = try await eventually("the gateway's process") { installation.running("api-gateway").first }
            for process in [waiting, late] {
                try await process.waitForLog("is read-only for this user")
            }
            let doctor = try await installation.command("doctor")
            #expect(doctor.output.contains("is mounted read-only"))
            try disk.setReadOnly(false)
            _ = try await started
            try await installation.connected(workers: 1)
            #expect(try await ada.job(before.id).state == "succeeded")
            #expect(try await ada.submit(Echo.job(2), wait: 30).state == "succeeded")
        }
    }
}
