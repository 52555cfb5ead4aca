import Foundation
import Model
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("A gateway that starts with a wall clock far ahead", .timeLimit(.minutes(20)))
struct WallClockAheadTests {
    /// The pruning steps that run when the gateway starts.
    private static let steps = [
        "jobs.prune", "jobs.pruneEphemeral", "jobs.pruneIdempotencyKeys", "concerts.prune", "accounts.pruneSessions",
        "setup.pruneAuthorizations", "operations.prunePermitKeys",
    ]

    /// Waits until each of the steps has ended with an outcome.
    private func wait(for outcome: String, of installation: Installation) async throws {
        for step in Self.steps {
            try await installation.metrics("\(step) to be \(outcome)") {
                $0.sum("backline_upkeep_runs_total", ["step": step, "outcome": outcome]) >= 1
            }
        }
    }

    @Test("It does not delete old rows and logs that; with a trusted clock it deletes them")
    func clockAhead() async throws {
        let folder = try TemporaryFolder()
        let clock = URL(fileURLWithPath: folder.file("clock"))
        try Data("0000000000000".utf8).write(to: clock)
        try await Installation.run(environment: ["BACKLINE_TEST_CLOCK_OFFSET_FILE": clock.path]) { installation in
            var gateway = try await installation.startAll().gateway
            let ada = try await installation.addUser()
            let job = try await ada.submit(Echo.job(1), wait: 30)
            #expect(job.state == "succeeded")
            let queued = try await ada.post("/v1/jobs", Echo.job(2), headers: ["Idempotency-Key": "k"])
            _ = try await ada.ended(queued.job.id)
            try await wait(for: "succeeded", of: installation)

            func rows() async throws -> [Int] {
                try await installation.withDatabase { database in
                    try await database.read { reader in
                        try [
                            reader.rows("SELECT id FROM jobs").count,
                            reader.rows("SELECT key FROM idempotency_keys").count,
                            reader.rows("SELECT moment FROM newest_moment").count,
                        ]
                    }
                }
            }
            // 40 days: longer than any retention.
            let before = try await rows()
            gateway.terminate()
            try await gateway.waitForEnd()
            try FileHandle(forWritingTo: clock).write(contentsOf: Data("3456000000000".utf8))
            gateway = try await installation.startGateway()
            try await wait(for: "deferred", of: installation)
            #expect(try await rows() == before && before == [2, 1, 1])
            #expect(try await ada.job(job.id).state == "succeeded")
            try await gateway.waitForLog("no old rows are deleted")
            let runs = try await installation.metrics()
            #expect(runs.sum("backline_upkeep_runs_total", ["outcome": "failed"]) == 0)

            // The stored moment is from a gateway that ran a minute ago.
            gateway.terminate()
            try await gateway.waitForEnd()
            let recent = Timestamp.now().advanced(by: .seconds(40 * 86_400 - 60))
            try await installation.withDatabase { database in
                try await database.write { try $0.setNewestMoment(recent) }
            }
            try await installation.startGateway()
            try await wait(for: "succeeded", of: installation)
            #expect(try await rows() == [0, 0, 1])
        }
    }
}
