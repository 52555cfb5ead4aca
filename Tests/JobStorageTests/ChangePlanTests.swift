import Model
import Storage
import TestSupport
import Testing

@testable import JobStorage

@Suite("Query plans for changed jobs")
struct ChangePlanTests {
    private func plan(_ query: SQL, in database: Database) async throws -> [String] {
        try await database.read { try $0.plan(of: query) }
    }

    @Test("A resumed stream searches the index by user and change, and reads nobody else's rows")
    func planOfAResumedStream() async throws {
        try await withDatabase { database, _ in
            let halves = JobStore<ReadTransaction>.halves(userID: "u", changedAfter: 7)
            #expect(halves.count == 2)
            for (half, index) in zip(halves, ["jobs_ended", "jobs_live"]) {
                let wanted = ["SEARCH jobs USING INDEX \(index) (user_id=? AND change>?)"]
                let page = "SELECT \(JobRecord.columns) FROM jobs WHERE " + half + " ORDER BY change LIMIT 100" as SQL
                let plans = [
                    try await plan(page, in: database),
                    try await plan("SELECT 1 FROM jobs WHERE " + half + " LIMIT 501", in: database),
                ]
                #expect(plans == [wanted, wanted])
            }
        }
    }

    @Test("Waiting jobs are searched user by user, with the users from the index")
    func planOfWaitingJobs() async throws {
        try await withDatabase { database, _ in
            let people = try await plan(JobStore<ReadTransaction>.peopleWithUnfinishedJobs, in: database)
            let looks = people.filter { $0.contains(" jobs ") }
            #expect(looks.count == 2)
            #expect(looks.allSatisfy { $0.contains("USING COVERING INDEX jobs_live") }, "\(people)")
            #expect(looks.last?.hasSuffix("(user_id>?)") == true, "\(people)")
        }
    }

    @Test("Many people's waiting jobs are read by change, page by page, without gaps")
    func pagesOfWaitingJobs() async throws {
        try await withDatabase { database, _ in
            var random = SeededRandom(seed: 3)
            var jobs: [String] = []
            for number in 0..<300 {
                let person = "person \(Int.random(in: 0..<(number < 200 ? 40 : 2), using: &random))"
                let job = JobInsertion.sample(userID: person)
                try await database.write { try $0.jobs.insert(job) }
                jobs.append(job.id)
                // Running and ended jobs are not waiting.
                if number.isMultiple(of: 10) {
                    let run = try await database.write { try $0.claimed(job.id) }
                    if number.isMultiple(of: 20) {
                        _ = try await database.write {
                            try $0.jobs.succeed(run, userID: person, kind: sampleKind, result: "1", now: noon)
                        }
                    }
                    jobs.removeLast()
                }
            }
            for limit in [1, 7, 100, 5_000] {
                var found: [WaitingJob] = []
                while true {
                    let after = found.last?.change ?? 0
                    let page = try await database.read {
                        try $0.jobs.waitingJobs(changedAfter: after, limit: limit)
                    }
                    #expect(page.count <= limit)
                    if page.isEmpty { break }
                    found += page
                }
                #expect(found.map(\.id) == jobs, "\(limit) at once")
            }
            let (first, last) = try await database.read { reader in
                let all = try reader.jobs.waitingJobs(changedAfter: 0, limit: 5_000)
                return (all[10].change, all[20].change)
            }
            let between = try await database.read {
                try $0.jobs.waitingJobs(changedAfter: first, through: last, limit: .max)
            }
            #expect(between.map(\.id) == Array(jobs[11...20]))
        }
    }
}
