import Foundation
import JobStorage
import Model
import Storage
import Synchronization
import TestProcesses
import TestSupport
import Testing

@Suite("Erasing a person with many jobs", .timeLimit(.minutes(20)))
struct ErasureProcessTests {
    private struct Me: Decodable {
        var id: String
    }

    private static let jobs = 12_000

    /// A person with many jobs that are not due, a few of them large, and a text that each job contains.
    private func populate(_ installation: Installation) async throws -> (ada: APIClient, id: String, words: String) {
        let ada = try await installation.addUser("ada")
        let id = try await ada.get("/v1/me").decode(Me.self).id
        let words = "planted-\(UUIDv7.next())"
        let now = Timestamp.now()
        let due = now.advanced(by: .seconds(1_000_000))
        try await installation.withDatabase { database in
            for part in 0..<(Self.jobs / 500) {
                try await database.write { transaction in
                    for number in 0..<500 {
                        let copies = part % 8 == 0 && number == 0 ? 20_000 : [1, 2, 9, 30][number % 4]
                        try transaction.jobs.insert(
                            JobInsertion(
                                id: UUIDv7.next(), userID: id, kind: "diagnostics.echo", version: 1,
                                payload: #"{"message":"\#(String(repeating: words, count: copies))"}"#, priority: 0,
                                maximumAttempts: 1, createdAt: now, runAt: due, uniqueKey: nil, fingerprint: nil,
                                claim: nil))
                    }
                }
            }
        }
        return (ada, id, words)
    }

    private func leave(_ person: APIClient, as name: String) async throws -> Int {
        try await person.leave(as: name).status
    }

    private func countJobs(of id: String, in installation: Installation) async throws -> Int {
        try await installation.withDatabase { database in
            try await database.read {
                try $0.row("SELECT COUNT(*) AS count FROM jobs WHERE user_id = \(id)")?["count"] ?? 0
            }
        }
    }

    /// Waits until no cleaning is due, and expects that no file contains the text.
    private func expectNothing(of words: String, in installation: Installation) async throws {
        try await eventually("no rows to be left, and the log to be truncated") {
            try await installation.withDatabase { database in
                try await database.read {
                    try $0.row("SELECT 1 FROM erasures") == nil && !$0.cleaningState().isDue
                }
            }
        }
        for suffix in ["", "-wal"] {
            let bytes = FileManager.default.contents(atPath: installation.databasePath + suffix) ?? Data()
            #expect(bytes.range(of: Data(words.utf8)) == nil, "in \(suffix)")
        }
        let doctor = try await installation.backline("doctor", "--json")
        #expect(doctor.text.contains("No page of the file contains copies of deleted rows."), "\(doctor.text)")
        #expect(doctor.text.contains("The write-ahead log contains no rows of removed people."))
        let metrics = try await installation.metrics()
        for name in ["erasures_unfinished", "database_cleaning_due_seconds", "database_cleaning_page"] {
            #expect(metrics.values[.init(name: "backline_" + name, labels: [:])] == 0, "\(name)")
        }
    }

    @Test("The erasure takes many short steps, while others submit jobs and other processes write")
    func besideOthers() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let bob = try await installation.addUser("bob")
            let (ada, id, words) = try await populate(installation)
            let before = try await commits(installation)
            let isGone = Atomic(false)
            func submitUntilGone() async throws -> Int {
                var count = 0
                repeat {
                    // The gateway writes the job, and a worker its end.
                    let ended = try await bob.submit(Echo.job(count), wait: 30)
                    #expect(ended.state == "succeeded")
                    count += 1
                } while !isGone.load(ordering: .relaxed)
                return count
            }
            async let others = submitUntilGone()
            #expect(try await leave(ada, as: "ada") == 204)
            #expect(try await ada.get("/v1/me").status == 401)
            try await eventually("the last of her jobs to go") {
                try await countJobs(of: id, in: installation) == 0
            }
            isGone.store(true, ordering: .relaxed)
            let submitted = try await others
            #expect(submitted > 0)
            // Jobs are cancelled and deleted, at most 500 in a transaction.
            #expect(try await commits(installation) - before >= Double(2 * Self.jobs / 500))
            try await expectNothing(of: words, in: installation)
            try await installation.expectTrueCounters()
        }
    }

    @Test("The erasure completes although the gateway is killed meanwhile")
    func killedGateway() async throws {
        try await Installation.run { installation in
            let (gateway, _) = try await installation.startAll()
            let (ada, id, words) = try await populate(installation)
            let leaving = Task { try? await leave(ada, as: "ada") }
            // Jobs are deleted after all are cancelled. A write that sees the first deletions keeps the gateway from
            // making further ones until it is killed.
            try await eventually("the first deletions") {
                try await installation.withDatabase { database in
                    try await database.write { transaction -> Bool in
                        let count: Int = try #require(
                            try transaction.row("SELECT COUNT(*) AS count FROM jobs WHERE user_id = \(id)"))["count"]
                        if count < Self.jobs { gateway.kill() }
                        return count < Self.jobs
                    }
                }
            }
            _ = try await gateway.waitForEnd()
            _ = await leaving.value
            let left = try await countJobs(of: id, in: installation)
            #expect(left > 0)
            #expect(
                try await installation.withDatabase { database in
                    try await database.read { try $0.row("SELECT 1 FROM erasures WHERE user_id = \(id)") != nil }
                })
            try await installation.startGateway()
            #expect(try await ada.get("/v1/me").status == 401)
            try await expectNothing(of: words, in: installation)
            #expect(try await countJobs(of: id, in: installation) == 0)
            try await installation.expectTrueCounters()
        }
    }

    /// The number of the gateway's transactions.
    private func commits(_ installation: Installation) async throws -> Double {
        try await installation.metrics().sum("backline_database_commits_total", ["process": "api-gateway"])
    }
}
