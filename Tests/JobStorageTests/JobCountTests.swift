import Model
import Storage
import TestSupport
import Testing

@testable import JobStorage

@Suite("Counters of jobs")
struct JobCountTests {
    private struct UndoError: Error {}

    @Test(
        "Counters equal a count of the rows after any history, including rolled-back writes",
        arguments: 1...4 as ClosedRange<UInt64>)
    func countersAfterAnyHistory(seed: UInt64) async throws {
        try await withDatabase { database, _ in
            var random = SeededRandom(seed: seed)
            var ids: [(id: String, userID: String)] = []
            for _ in 0..<60 {
                // Several at once, so that they share transactions.
                try await withThrowingTaskGroup { group in
                    for _ in 0..<Int.random(in: 1...6, using: &random) {
                        let isUndone = Int.random(in: 0..<4, using: &random) == 0
                        if ids.isEmpty || Int.random(in: 0..<3, using: &random) == 0 {
                            let user = "user\(Int.random(in: 0..<3, using: &random))"
                            let job = JobInsertion.sample(
                                userID: user, kind: Bool.random(using: &random) ? "a.kind" : "b.kind",
                                runAt: Bool.random(using: &random) ? nil : noon + .seconds(5))
                            if !isUndone { ids.append((job.id, user)) }
                            group.addTask {
                                try? await database.write { transaction in
                                    try transaction.jobs.insert(job)
                                    if isUndone { throw UndoError() }
                                }
                            }
                        } else {
                            let (id, user) = ids.randomElement(using: &random)!
                            let request = JobRequest.allCases.randomElement(using: &random)!
                            group.addTask {
                                try? await database.write { transaction in
                                    let run = try transaction.jobs.job(id: id, userID: user)?.run ?? 0
                                    _ = try request.make(of: JobRun(jobID: id, run: run), userID: user, in: transaction)
                                    if isUndone { throw UndoError() }
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            let counted = try await database.countedStates()
            for user in ["user0", "user1", "user2"] {
                let counters = try await database.read { try $0.jobs.jobCounts(userID: user) }.filter { $0.value != 0 }
                #expect(counters == counted[user] ?? [:])
            }
            let ofKinds = try await database.countedKinds()
            let counters = try await database.read { try $0.jobs.jobCountsByKind() }
            #expect(counters.mapValues { $0.filter { $0.value != 0 } }.filter { !$0.value.isEmpty } == ofKinds)
            #expect(ofKinds.values.flatMap(\.values).reduce(0, +) == ids.count)
        }
    }

    @Test("Counters leave out entries that were rolled back in a batch")
    func undoneEntries() async throws {
        try await withDatabase { database, _ in
            let (hold, results) = (Gate(), Collector<Bool>())
            database.enqueueWrite { _ in
                hold.wait()
            } completion: { _ in
            }
            for (isPlain, isUndone) in [(false, false), (false, true), (true, false)] {
                database.enqueueWrite(isPlain: isPlain) { transaction in
                    transaction.moved(.init(userID: "u", kind: "k", from: nil, to: .queued))
                    if isUndone { throw UndoError() }
                    return 1
                } completion: { (result: Result<Int, any Error>) in
                    results.append((try? result.get()) != nil)
                }
            }
            hold.open()
            #expect(await results.wait(for: 3).count { $0 } == 2)
            let (counts, countsByKind) = try await database.read { reader in
                (try reader.jobs.jobCounts(userID: "u"), try reader.jobs.jobCountsByKind())
            }
            #expect(counts == [.queued: 2])
            #expect(countsByKind == ["k": [.queued: 2]])
        }
    }
}
