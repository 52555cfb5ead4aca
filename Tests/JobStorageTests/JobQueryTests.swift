import JobStorage
import Model
import Storage
import TestSupport
import Testing

@Suite("Queries for jobs")
struct JobQueryTests {
    @Test("A list shows the user's own jobs, newest first, by state and kind, page by page")
    func pagesOfOwnJobs() async throws {
        try await withDatabase { database, _ in
            var ids: [String] = []
            for index in 0..<7 {
                let job = JobInsertion.sample(kind: index == 3 ? "other.kind" : "diagnostics.echo")
                ids.insert(try await database.makeJob(job, in: index == 5 ? .failed : .queued).jobID, at: 0)
            }
            _ = try await database.makeJob(.sample(userID: "other"), in: .queued)
            func list(
                state: JobState? = nil, kind: String? = nil, before: String? = nil, limit: Int = 50
            ) async throws -> [String] {
                try await database.read {
                    try $0.jobs.jobs(
                        userID: "u", state: state, kind: kind, after: before.map { Cursor(RowID($0)) }, limit: limit
                    ).jobs.map(\.id)
                }
            }
            #expect(try await list() == ids)
            #expect(try await list(limit: 3) == Array(ids[..<3]))
            #expect(try await list(before: ids[2], limit: 3) == Array(ids[3..<6]))
            #expect(try await list(state: .failed) == [ids[1]])
            #expect(try await list(kind: "other.kind") == [ids[3]])
        }
    }

    @Test(
        "A page ends with the job that fills it, and says whether there are more",
        arguments: [1, 2, 4, 9], [0, 1_500, 2_000, .max])
    func largeResults(limit: Int, bytes: Int) async throws {
        try await withDatabase { database, _ in
            var ids: [String] = []
            for index in 0..<8 {
                let run = try await database.makeJob(in: .running)
                let result = #"{"text":"\#(String(repeating: "x", count: 1_000))"}"#
                let isOther = index % 4 == 3
                try await database.write { transaction in
                    _ = try transaction.jobs.succeed(run, userID: "u", kind: sampleKind, result: result, now: noon)
                    if isOther { try transaction.run("UPDATE jobs SET kind = 'other' WHERE id = \(run.jobID)") }
                }
                if !isOther { ids.insert(run.jobID, at: 0) }
            }
            var found: [String] = []
            var (before, hasMore) = (String?.none, true)
            while hasMore {
                let last = before
                let page = try await database.read {
                    try $0.jobs.jobs(
                        userID: "u", state: .succeeded, kind: sampleKind, after: last.map { Cursor(RowID($0)) },
                        limit: limit, maximumBytes: bytes)
                }
                // Each page shows whether there are more, so that no empty page follows.
                #expect((1...min(limit, bytes == 0 ? 1 : bytes == .max ? 6 : 2)).contains(page.jobs.count))
                found += page.jobs.map(\.id)
                (before, hasMore) = (page.jobs.last?.id, page.hasMore)
            }
            #expect(found == ids)
        }
    }

    @Test("Changes since a number are in order")
    func changesInOrder() async throws {
        try await withDatabase { database, _ in
            let first = try await database.makeJob(in: .queued)
            let second = try await database.makeJob(in: .queued)
            let since = try await database.read { try $0.lastChange() }
            try await database.write { transaction in
                _ = try transaction.claimed(second.jobID)
                _ = try transaction.claimed(first.jobID)
            }
            func changes(
                of user: String = "u", after change: Int64 = since, limit: Int = 9, bytes: Int = .max
            ) async throws -> (ids: [String], isComplete: Bool) {
                try await database.read {
                    let (jobs, isComplete) = try $0.jobs.jobs(
                        userID: user, changedAfter: change, limit: limit, maximumBytes: bytes)
                    return (jobs.map(\.id), isComplete)
                }
            }
            #expect(try await changes() == ([second.jobID, first.jobID], true))
            #expect(try await changes(of: "other", after: 0) == ([], true))
            // A page has at least one job, and shows whether there may be more.
            #expect(try await changes(limit: 1) == ([second.jobID], false))
            #expect(try await changes(bytes: 0) == ([second.jobID], false))
            for (limit, count) in [(1, 1), (9, 2)] {
                let found = try await database.read {
                    try $0.jobs.countOfJobs(userID: "u", changedAfter: since, limit: limit)
                }
                #expect(found == count)
            }
        }
    }

    @Test("Changes of finished and unfinished jobs are in one order, page by page", arguments: [1, 3, 100], [0, .max])
    func changesOfBothHalves(limit: Int, bytes: Int) async throws {
        try await withDatabase { database, _ in
            var expected: [String] = []
            for state in [JobState.succeeded, .succeeded, .queued, .failed, .running, .queued, .cancelled] {
                expected.append(try await database.makeJob(in: state).jobID)
            }
            var found: [String] = []
            var (position, isComplete) = (Int64(0), false)
            while !isComplete {
                let after = position
                let page = try await database.read {
                    try $0.jobs.jobs(userID: "u", changedAfter: after, limit: limit, maximumBytes: bytes)
                }
                found += page.jobs.map(\.id)
                (position, isComplete) = (page.jobs.last?.change ?? position, page.isComplete)
            }
            #expect(found == expected)
        }
    }

    @Test("The dispatcher reads scheduled and queued jobs by change, up to a limit")
    func waitingJobsByChange() async throws {
        try await withDatabase { database, _ in
            var expected: [String] = []
            for state in [JobState.queued, .scheduled, .running, .succeeded, .queued, .failed, .cancelled, .scheduled] {
                let run = try await database.makeJob(in: state)
                if state == .queued || state == .scheduled { expected.append(run.jobID) }
            }
            let all = try await database.read { try $0.jobs.waitingJobs(changedAfter: 0, limit: 99) }
            #expect(all.map(\.id) == expected)
            #expect(all.map(\.isScheduled) == [false, true, false, true])
            let page = try await database.read { try $0.jobs.waitingJobs(changedAfter: 0, limit: 2) }
            let rest = try await database.read { try $0.jobs.waitingJobs(changedAfter: page[1].change, limit: 99) }
            #expect(page.map(\.id) + rest.map(\.id) == expected)
        }
    }

    @Test("Finished jobs are found among more ids than one statement can bind", arguments: [0, 1, 499, 40_000])
    func finishedAmongManyIDs(count: Int) async throws {
        try await withDatabase { database, _ in
            let done = try await database.makeJob(in: .succeeded)
            let dead = try await database.makeJob(in: .failed)
            let waiting = try await database.makeJob(in: .queued)
            let ids = [done.jobID, waiting.jobID] + (0..<count).map { "unknown\($0)" } + [dead.jobID]
            let found = try await database.read { try $0.jobs.finishedJobs(among: ids) }
            #expect(Set(found) == [done.jobID, dead.jobID])
        }
    }
}
