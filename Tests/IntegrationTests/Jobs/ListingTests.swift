import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("Lists of jobs", .timeLimit(.minutes(20)))
struct ListingTests {
    @Test("An unchanged response is 304")
    func entityTags() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let job = try await ada.submit(Echo.job())
            for path in ["/v1/jobs", "/v1/jobs/summary", "/v1/jobs/\(job.id)"] {
                let tag = try #require(try await ada.get(path).header("ETag"), "\(path)")
                let known = try await ada.get(path, headers: ["If-None-Match": tag])
                #expect(known.status == 304 && known.body.isEmpty && known.header("ETag") == tag, "\(path)")
                #expect(try await ada.get(path, headers: ["If-None-Match": "\"other\", W/\(tag)"]).status == 304)
                #expect(try await ada.get(path, headers: ["If-None-Match": "\"other\""]).status == 200)
            }
            let tag = try #require(try await ada.get("/v1/jobs/\(job.id)").header("ETag"))
            _ = try await ada.post("/v1/jobs/\(job.id)/cancel")
            #expect(try await ada.get("/v1/jobs/\(job.id)", headers: ["If-None-Match": tag]).status == 200)
        }
    }

    @Test("Finished jobs are deleted after their retention")
    func deletionAfterRetention() async throws {
        try await Installation.run { installation in
            let (gateway, _) = try await installation.startAll()
            let ada = try await installation.addUser()
            let old = try await ada.submit(Echo.job(1), wait: 30)
            let recent = try await ada.submit(Echo.job(2), wait: 30)
            gateway.terminate()
            try await gateway.waitForEnd()
            // An id begins with the milliseconds of its creation.
            let eightDaysAgo = "01900000" + old.id.dropFirst(8)
            try await installation.withDatabase { database in
                try await database.write {
                    try $0.run(
                        """
                        UPDATE jobs SET id = \(eightDaysAgo), finished_at = finished_at - \(8 * 86_400 * 1_000_000)
                        WHERE id = \(old.id)
                        """
                    )
                }
            }
            try await installation.startGateway()
            try await eventually("the old job to be pruned") { try await ada.allJobs().map(\.id) == [recent.id] }
            #expect(try await ada.summary() == JobSummary(succeeded: 1))
            try await installation.expectTrueCounters()
        }
    }
}
