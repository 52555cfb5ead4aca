import JobStorage
import Model
import Storage
import TestSupport
import Testing

@Suite("Reading beside damaged rows")
struct DamagedRowTests {
    @Test("All jobs except those on the damaged page are found")
    func damagedPage() async throws {
        try await withDatabase { database, _ in
            var ids: [String] = []
            for number in 0..<300 {
                let job = JobInsertion(
                    id: UUIDv7.next(), userID: "u", kind: sampleKind, version: 1, payload: "\"mark-\(number)-\"",
                    priority: 0, maximumAttempts: 5, createdAt: noon, runAt: noon)
                ids.append(job.id)
                try await database.write { transaction in
                    try transaction.jobs.insert(job)
                    // The last ones are finished.
                    if number >= 200 { _ = try transaction.jobs.cancel(jobID: job.id, userID: "u", now: noon) }
                }
            }
            let all = ids
            let last = try await database.read { try $0.lastChange() }
            func waiting() async throws -> [String] {
                try await database.read { try $0.jobs.undamagedWaitingJobs(changedAfter: 0, through: last).map(\.id) }
            }
            func finished() async throws -> [String] {
                try await database.read { try $0.jobs.undamagedFinishedJobs(among: all) }
            }
            #expect(try await waiting() == Array(ids[..<200]))
            #expect(try await finished().sorted() == Array(ids[200...]))
            for (number, range) in [(100, 0..<200), (250, 200..<300)] {
                try await database.damage(pageWith: "mark-\(number)-")
                let found = range.lowerBound == 0 ? try await waiting() : try await finished().sorted()
                #expect(found.count >= range.count - 40 && found.count < range.count)
                #expect(found == ids[range].filter(Set(found).contains))
                #expect(!found.contains(ids[number]))
            }
        }
    }

    @Test("A damaged index is an error at once")
    func damagedIndex() async throws {
        try await withDatabase { database, _ in
            _ = try await database.makeJob(in: .queued)
            try await database.damage(rootPageOf: "jobs_live")
            await #expect(throws: StorageError.self) {
                try await database.read { try $0.jobs.undamagedWaitingJobs(changedAfter: 0, through: 1 << 40) }
            }
        }
    }
}
