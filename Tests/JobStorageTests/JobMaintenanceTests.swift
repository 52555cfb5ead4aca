import Domains
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@Suite("Unique keys")
struct UniqueKeyTests {
    @Test("One unfinished job of a user has a key; finished jobs free it, and other users' keys are separate")
    func holdsWhileUnfinished() async throws {
        try await withDatabase { database, _ in
            let first = JobInsertion.sample(uniqueKey: "k")
            try await database.write { try $0.jobs.insert(first) }
            await #expect(throws: StorageError.self) {
                try await database.write { try $0.jobs.insert(.sample(uniqueKey: "k")) }
            }
            try await database.write { transaction in
                try transaction.jobs.insert(.sample(userID: "other", uniqueKey: "k"))
                let holder = try #require(try transaction.jobs.holder(ofUniqueKey: "k", userID: "u"))
                #expect(holder == (first.id, "print of k"))
                #expect(try transaction.jobs.holder(ofUniqueKey: "k2", userID: "u") == nil)
                _ = try transaction.jobs.cancel(jobID: first.id, userID: "u", now: noon)
                #expect(try transaction.jobs.holder(ofUniqueKey: "k", userID: "u") == nil)
                try transaction.jobs.insert(.sample(uniqueKey: "k"))
            }
        }
    }

    @Test("A dead letter's successor is the job that has taken its key")
    func successorOfADeadLetter() async throws {
        try await withDatabase { database, _ in
            let dead = try await database.makeJob(.sample(uniqueKey: "k"), in: .failed)
            try await database.write { (transaction) throws in
                #expect(try transaction.jobs.successor(ofDeadLetter: dead.jobID, userID: "u") == nil)
            }
            let next = try await database.makeJob(.sample(uniqueKey: "k"), in: .running)
            try await database.write { (transaction) throws in
                #expect(try transaction.jobs.successor(ofDeadLetter: dead.jobID, userID: "u") == next.jobID)
                #expect(try transaction.jobs.successor(ofDeadLetter: dead.jobID, userID: "other") == nil)
                #expect(try transaction.jobs.successor(ofDeadLetter: next.jobID, userID: "u") == nil)
            }
        }
    }
}

@Suite("Idempotency keys")
struct IdempotencyKeyTests {
    @Test("A key keeps its answer for its user until it is pruned")
    func answersOfKeys() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                #expect(try transaction.jobs.idempotentAnswer(key: "k", userID: "u") == nil)
                try transaction.jobs.rememberIdempotentAnswer(
                    key: "k", userID: "u", fingerprint: "f", resourceIDs: ["a", "b"], now: noon)
                let answer = try #require(try transaction.jobs.idempotentAnswer(key: "k", userID: "u"))
                #expect(answer.fingerprint == "f")
                #expect(answer.resourceIDs == ["a", "b"])
                #expect(try transaction.jobs.idempotentAnswer(key: "k", userID: "other") == nil)
                try transaction.jobs.pruneIdempotencyKeys(createdBefore: .unguarded(noon), limit: 9)
                #expect(try transaction.jobs.idempotentAnswer(key: "k", userID: "u") != nil)
                try transaction.jobs.pruneIdempotencyKeys(createdBefore: .unguarded(noon + .microseconds(1)), limit: 9)
                #expect(try transaction.jobs.idempotentAnswer(key: "k", userID: "u") == nil)
            }
        }
    }

    @Test("Old keys are deleted in several transactions, until none is left")
    func deletionInBatches() async throws {
        try await withDatabase { database, _ in
            try await database.write { transaction in
                for number in 0..<5 {
                    for user in ["u", "v"] {
                        try transaction.jobs.rememberIdempotentAnswer(
                            key: "k\(number)", userID: user, fingerprint: "f", resourceIDs: [],
                            now: noon + .seconds(number))
                    }
                }
            }
            let parts = Collector<Int>()
            let total = try await database.deleteInBatches(at: .unguarded(noon + .seconds(4)), of: 3) {
                transaction, time, limit in
                let count = try transaction.jobs.pruneIdempotencyKeys(createdBefore: time, limit: limit)
                parts.append(count)
                return count
            }
            #expect(total == 8 && parts.elements == [3, 3, 2])
            let left = try await database.read {
                try $0.rows("SELECT key FROM idempotency_keys").map { try $0["key"] as String }
            }
            #expect(left == ["k4", "k4"])
        }
    }

    @Test("Of two simultaneous uses, the table refuses the second")
    func oncePerKey() async throws {
        try await withDatabase { database, _ in
            let remember: @Sendable (WriteTransaction) throws -> Void = {
                try $0.jobs.rememberIdempotentAnswer(
                    key: "k", userID: "u", fingerprint: "f", resourceIDs: [], now: noon)
            }
            try await database.write(remember)
            await #expect(throws: StorageError.self) { try await database.write(remember) }
        }
    }
}

@Suite("Pruning of jobs")
struct PruningTests {
    /// An id with the time `moment`.
    private func id(at moment: Timestamp, _ number: Int) -> String {
        UUIDv7.lowerBound(of: moment).dropLast(4) + "000\(number)"
    }

    @Test("Only jobs that ended long ago are deleted, with their attempts, and the counters follow")
    func prunesOld() async throws {
        try await withDatabase { database, _ in
            let old = noon + .seconds(-86_400)
            var kept: Set<String> = []
            for (number, state) in JobState.allCases.enumerated() {
                let run = try await database.makeJob(
                    .sample(id: id(at: old, number), createdAt: old), in: state)
                if !state.isFinished { kept.insert(run.jobID) }
            }
            // A job that was created long ago and has ended now, and one that was created and has ended now.
            let late = try await database.makeJob(.sample(id: id(at: old, 8), createdAt: old), in: .running)
            _ = try await database.write {
                try $0.jobs.succeed(late, userID: "u", kind: sampleKind, result: "1", now: noon + .seconds(60))
            }
            let young = try await database.makeJob(.sample(id: id(at: noon + .seconds(60), 9)), in: .failed)
            kept.formUnion([late.jobID, young.jobID])

            let cutoff = PruningTime.unguarded(noon + .seconds(1))
            #expect(try await database.write { try $0.jobs.pruneJobs(finishedBefore: cutoff, limit: 100) } == 3)
            let left = try await database.read {
                try $0.jobs.jobs(userID: "u", state: nil, kind: nil, after: nil, limit: 99).jobs.map(\.id)
            }
            #expect(Set(left) == kept)
            let attempts = try await database.read {
                try $0.rows("SELECT job_id FROM job_attempts").map { try $0["job_id"] as String }
            }
            #expect(attempts == [young.jobID])
            let counters = try await database.read { try $0.jobs.jobCounts(userID: "u") }.filter { $0.value != 0 }
            #expect(try await database.countedStates()["u"] == counters)
        }
    }

    @Test("Pruning deletes at most its limit, oldest first")
    func limitOfPruning() async throws {
        try await withDatabase { database, _ in
            let old = noon + .seconds(-86_400)
            for number in 0..<5 {
                _ = try await database.makeJob(.sample(id: id(at: old, number), createdAt: old), in: .succeeded)
            }
            let cutoff = PruningTime.unguarded(noon + .seconds(1))
            #expect(try await database.write { try $0.jobs.pruneJobs(finishedBefore: cutoff, limit: 2) } == 2)
            #expect(try await database.job(id(at: old, 1)) == nil)
            #expect(try await database.job(id(at: old, 2)) != nil)
            #expect(try await database.write { try $0.jobs.pruneJobs(finishedBefore: cutoff, limit: 9) } == 3)
            #expect(try await database.write { try $0.jobs.pruneJobs(finishedBefore: cutoff, limit: 9) } == 0)
        }
    }
}

extension PruningTests {
    @Test("Jobs from a clock that was ahead are deleted in due time")
    func jobsFromTheFuture() async throws {
        try await withDatabase { database, _ in
            let (future, old) = (noon + .seconds(8 * 365 * 86_400), noon + .seconds(-30 * 86_400))
            func job(_ number: Int, at created: Timestamp, ended: Timestamp?) async throws -> String {
                let id = id(at: created, number)
                let run = try await database.makeJob(.sample(id: id, createdAt: created), in: .running)
                if let ended {
                    _ = try await database.write {
                        try $0.jobs.succeed(run, userID: "u", kind: sampleKind, result: "1", now: ended)
                    }
                }
                return id
            }
            // Submitted and ended by the wrong clock; submitted by it and ended since, long ago and just now; submitted
            // before and ended by it; and unfinished.
            let both = try await job(1, at: future, ended: future)
            _ = try await job(2, at: future, ended: old)
            let late = try await job(3, at: future, ended: noon)
            _ = try await job(4, at: old, ended: future)
            let running = try await job(5, at: future, ended: nil)
            let young = try await job(6, at: noon, ended: noon)
            func prune(at time: Timestamp) async throws -> Set<String> {
                let now = PruningTime.unguarded(time)
                let cutoff = now.before(.seconds(7 * 86_400))
                _ = try await database.write {
                    try $0.jobs.pruneFutureJobs(finishedBefore: cutoff, now: now, limit: 100)
                        + $0.jobs.pruneJobs(finishedBefore: cutoff, limit: 100)
                }
                return Set(try await database.read { try $0.rows("SELECT id FROM jobs").map { try $0["id"] } })
            }
            #expect(try await prune(at: noon) == [both, late, running, young])
            #expect(try await prune(at: noon + .seconds(8 * 86_400)) == [running])
            let counters = try await database.read { try $0.jobs.jobCounts(userID: "u") }.filter { $0.value != 0 }
            #expect(counters == [.running: 1])
        }
    }
}

@Suite("Recurring schedules")
struct ScheduleTests {
    @Test("A schedule that is always late does not drift")
    func lateSchedule() async throws {
        try await withDatabase { (database, _) async throws in
            for day in 0..<100 {
                let late = noon + .seconds(day * 86_400 + (day == 0 ? 0 : 59))
                _ = try await database.write {
                    try $0.jobs.advanceSchedule(name: "s", every: .seconds(86_400), now: late)
                }
            }
            let next = try await database.read { try $0.jobs.nextTime(ofSchedule: "s") }
            #expect(next == noon + .seconds(100 * 86_400))
        }
    }

    @Test("A new schedule is due an interval later, and missed times make it due once")
    func missedTimes() async throws {
        try await withDatabase { (database, _) async throws in
            func isDue(after seconds: Int) async throws -> Bool {
                try await database.write {
                    try $0.jobs.advanceSchedule(name: "s", every: .seconds(60), now: noon + .seconds(seconds))
                }
            }
            #expect(try await isDue(after: 0) == false)
            #expect(try await isDue(after: 59) == false)
            #expect(try await isDue(after: 60) == true)
            #expect(try await isDue(after: 60) == false)
            #expect(try await isDue(after: 600) == true)
            #expect(try await isDue(after: 601) == false)
        }
    }

    @Test("A next time set while the clock was ahead, or with a longer interval, becomes one interval from now")
    func clockSetBack() async throws {
        try await withDatabase { (database, _) async throws in
            func isDue(after seconds: Int, every interval: Int = 60) async throws -> Bool {
                try await database.write {
                    try $0.jobs.advanceSchedule(name: "s", every: .seconds(interval), now: noon + .seconds(seconds))
                }
            }
            let month = 30 * 86_400
            #expect(try await isDue(after: month) == false)
            #expect(try await isDue(after: month + 60) == true)
            #expect(try await isDue(after: 0) == false)
            #expect(try await isDue(after: 59) == false)
            #expect(try await isDue(after: 60) == true)
            #expect(try await isDue(after: 61, every: 10) == false)
            #expect(try await isDue(after: 71, every: 10) == true)
        }
    }

    @Test("Each time is due exactly once, whichever process checks")
    func onceOverTwoWriters() async throws {
        try await withDatabase { database, folder in
            let other = try Database.open(path: folder.file("test.sqlite"), schema: database.schema)
            defer { other.close() }
            _ = try await database.write { try $0.jobs.advanceSchedule(name: "s", every: .seconds(60), now: noon) }
            for round in 1...5 {
                let now = noon + .seconds(60 * round)
                let due = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for index in 0..<20 {
                        let writer = index % 2 == 0 ? database : other
                        group.addTask {
                            try await writer.write {
                                try $0.jobs.advanceSchedule(name: "s", every: .seconds(60), now: now)
                            }
                        }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(due == 1)
            }
        }
    }
}
