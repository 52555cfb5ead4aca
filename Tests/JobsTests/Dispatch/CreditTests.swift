import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Workers' credit")
struct CreditTests {
    private func jobs(_ count: Int, prefix: String = "j") -> [ReadyJob] {
        (0..<count).map { .sample("\(prefix)\($0)") }
    }

    /// Reserves slots for new jobs with payloads of the given sizes in bytes.
    private func slots(_ payloads: [Int], _ fixture: inout DispatchFixture) -> [String] {
        fixture.state.reserve(payloads: payloads, kind: .echo, person: "u", isInteractive: false)
    }

    @Test("A worker gets as many jobs as its credit allows, and more when the credit rises")
    func roomIsRespected() {
        var fixture = DispatchFixture()
        fixture.hello("w/1")
        #expect(fixture.sent.map(\.message) == [.welcome(heartbeatMilliseconds: 2_000)])
        fixture.submit(jobs(10))
        #expect(fixture.takeJobs(of: "w/1").runs.isEmpty)
        fixture.beat("w/1", naming: [], free: 4)
        let first = fixture.takeJobs(of: "w/1")
        #expect(first.runs.count == 4)
        // The worker's room stays the same until its credit counts the message.
        fixture.beat("w/1", naming: [], free: 4)
        #expect(fixture.takeJobs(of: "w/1").runs.isEmpty)
        fixture.beat("w/1", naming: first.runs, free: 0, received: first.sequence)
        #expect(fixture.takeJobs(of: "w/1").runs.isEmpty)
        fixture.finish([first.runs[0], first.runs[1]], by: "w/1", free: 2, received: first.sequence)
        #expect(fixture.takeJobs(of: "w/1").runs.count == 2)
    }

    @Test("New jobs reserve places on the workers with the most room, those of one worker in a row, and none twice")
    func reservedPlaces() {
        var fixture = DispatchFixture()
        fixture.hello("a/1", credit: 4)
        fixture.hello("b/1", credit: 10)
        fixture.hello("c/1", kinds: [.other], credit: 100)
        let first = fixture.reserve(8, kind: .echo)
        let runs = first.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        #expect(Set(runs) == ["a/1", "b/1"] && runs.count == 2, "\(first)")
        // Both workers have equal room left.
        #expect(first.count { $0 == "b/1" } == 7 && first.count { $0 == "a/1" } == 1)
        #expect(fixture.reserve(20, kind: .echo).count == 6)
        #expect(fixture.reserve(1, kind: .echo).isEmpty)
    }

    @Test("Duplicated and late messages change nothing")
    func duplicatedMessages() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 3)
        fixture.hello("w/1")
        fixture.submit(jobs(9))
        let first = fixture.takeJobs(of: "w/1")
        #expect(first.runs.count == 3)
        fixture.beat("w/1", naming: first.runs, free: 0, received: first.sequence)
        fixture.finish([first.runs[0]], by: "w/1", free: 1, received: first.sequence)
        let second = fixture.takeJobs(of: "w/1")
        #expect(second.runs.count == 1)
        let done = WorkerMessage.done(
            ended: [RunReport(run: first.runs[0], outcome: .finished)],
            credit: WorkerCredit(free: 1, received: first.sequence))
        fixture.say(done, from: "w/1")
        fixture.say(done, from: "w/1")
        // A late message, from before the worker had any jobs.
        fixture.beat("w/1", naming: [], free: 3)
        #expect(fixture.takeJobs(of: "w/1").runs.isEmpty)
        #expect(fixture.releases.isEmpty)
        #expect(fixture.state.workers["w/1"]?.held.count == 3)
    }

    @Test("Jobs of a lost message are queued again without blame after two heartbeats that do not name them")
    func lostJobs() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 2)
        fixture.submit(jobs(2))
        let lost = fixture.takeJobs(of: "w/1").runs
        #expect(lost.count == 2)
        fixture.advance(by: .seconds(1))
        fixture.beat("w/1", naming: [], free: 2)
        // The same heartbeat twice is not two in a row.
        fixture.beat("w/1", naming: [], free: 2)
        #expect(fixture.releases.isEmpty)
        fixture.advance(by: .seconds(2))
        fixture.beat("w/1", naming: [], free: 2)
        #expect(fixture.releases.map(\.run) == lost)
        #expect(fixture.releases.allSatisfy { !$0.afterCrash && $0.weight == 0 })
        // The jobs are handed out again, as later runs.
        let again = fixture.takeJobs(of: "w/1").runs
        #expect(Set(again) == Set(lost.map { JobRun(jobID: $0.jobID, run: 2) }))
    }

    @Test("A heartbeat that crosses a hand-out releases nothing")
    func crossingHeartbeat() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 1)
        fixture.submit(jobs(1))
        let handed = fixture.takeJobs(of: "w/1")
        fixture.beat("w/1", naming: [], free: 1)
        fixture.advance(by: .seconds(2))
        fixture.beat("w/1", naming: handed.runs, free: 0, received: handed.sequence)
        fixture.advance(by: .seconds(2))
        fixture.beat("w/1", naming: [], free: 0, received: handed.sequence)
        #expect(fixture.releases.isEmpty)
    }

    @Test("A lost message whose jobs were all cancelled stops counting against the credit")
    func lostAndCancelled() throws {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 1)
        fixture.submit(jobs(1))
        let lost = try #require(fixture.takeJobs(of: "w/1").runs.first)
        fixture.table[lost.jobID]?.isFinished = true
        fixture.carryOut(fixture.state.cancelled(lost, userID: "u", worker: "w/1", now: fixture.now))
        #expect(fixture.takeStops(of: "w/1") == [lost])
        fixture.submit([.sample("next")])
        for _ in 0..<3 {
            fixture.advance(by: .seconds(2))
            fixture.beat("w/1", naming: [], free: 1)
        }
        #expect(fixture.takeJobs(of: "w/1").runs == [JobRun(jobID: "next", run: 1)])
    }

    @Test("Message numbers increase across reconnections and restarts of the gateway")
    func messageNumbers() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 1)
        fixture.submit(jobs(1))
        let first = fixture.takeJobs(of: "w/1").sequence
        fixture.advance(by: .seconds(1))
        fixture.state = DispatchState(settings: DispatchFixture.settings, kinds: [], now: fixture.now)
        fixture.hello("w/1", credit: 1)
        fixture.submit(jobs(1, prefix: "k"))
        #expect(fixture.takeJobs(of: "w/1").sequence > first)
    }

    @Test("Messages stay near one mebibyte, and no job is left out")
    func sizesOfMessages() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 10)
        fixture.holdsClaims = true
        fixture.submit(jobs(5), payload: String(repeating: "x", count: 400_000))
        fixture.submit([.sample("huge")], payload: String(repeating: "x", count: 3_000_000))
        fixture.submit([.sample("small")])
        fixture.commitClaims()
        var sequences: [Int64] = []
        var counts: [Int] = []
        for case (.jobs(let sequence, let jobs), _) in fixture.sent {
            sequences.append(sequence)
            counts.append(jobs.count)
            #expect(jobs.count == 1 || jobs.map(\.payload.utf8.count).reduce(0, +) <= 1 << 20)
        }
        #expect(counts.reduce(0, +) == 7)
        #expect(sequences == sequences.sorted() && Set(sequences).count == sequences.count)
    }

    @Test("A worker holds no more large payloads than its limit, and gets the next ones in order")
    func largeJobs() {
        var fixture = DispatchFixture()
        fixture.holdsClaims = true
        fixture.submit(jobs(100), payload: String(repeating: "x", count: 1 << 20))
        fixture.hello("a/1", credit: 1_000)
        fixture.hello("b/1", credit: 1_000)
        let most = ConnectedWorker.maximumBytes >> 20
        var (order, received): ([String], [String: Int64]) = ([], [:])
        while fixture.table.values.contains(where: { !$0.isFinished }) {
            let round = order.count
            while !fixture.heldClaims.isEmpty { fixture.commitClaims() }
            for worker in ["a/1", "b/1"] {
                #expect(fixture.state.workers[worker].map { $0.held.count <= most } == true)
                let (runs, sequence) = fixture.takeJobs(of: worker)
                order += runs.map(\.jobID)
                received[worker] = max(sequence, received[worker] ?? 0)
                for run in runs { fixture.finish([run], by: worker, free: 1_000, received: received[worker] ?? 0) }
            }
            guard order.count > round else { break }
        }
        #expect(order == (0..<100).map { "j\($0)" })
        #expect(fixture.state.workers.values.allSatisfy { $0.heldBytes == 0 && $0.reserved == 0 })
    }

    @Test("A reserved place counts, and is free again when the insertion fails")
    func failedInsertion() {
        var fixture = DispatchFixture()
        #expect(fixture.reserve(1, kind: .echo) == [])
        fixture.hello("w/1", credit: 2)
        #expect(fixture.reserve(1, kind: .echo) == ["w/1"])
        #expect(fixture.reserve(1, kind: .echo) == ["w/1"])
        #expect(fixture.reserve(1, kind: .echo) == [])
        #expect(fixture.reserve(1, kind: .other) == [])
        fixture.submit(jobs(1))
        #expect(fixture.takeJobs(of: "w/1").runs.isEmpty)
        // Waiting jobs come first.
        fixture.unreserve("w/1")
        #expect(fixture.takeJobs(of: "w/1").runs == [JobRun(jobID: "j0", run: 1)])
        fixture.unreserve("gone")
        #expect(fixture.state.workers["w/1"]?.reserved == 1)
    }

    @Test("Reserved places count by payload bytes, and no job overtakes the first that has to wait")
    func reservationOfLarge() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 100)
        let half = ConnectedWorker.maximumBytes / 2
        #expect(slots([half, half - 1], &fixture) == ["w/1", "w/1"])
        #expect(slots([half, 1], &fixture) == ["w/1"])
        #expect(slots([1], &fixture) == [])
        fixture.unreserve("w/1", bytes: half)
        #expect(slots([half, 1], &fixture) == ["w/1"])
        for bytes in [half, half, half - 1] {
            fixture.unreserve("w/1", bytes: bytes)
        }
        #expect(fixture.state.workers["w/1"]?.roomForPayloads == ConnectedWorker.maximumBytes)
    }

    @Test("Submissions do not get the payload room that a write of claims may need; short jobs need none")
    func reservationBesideAWrite() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 100)
        fixture.hello("v/1", kinds: [.other], credit: 100)
        fixture.holdsClaims = true
        fixture.submit(jobs(3))
        // The lengths of payloads are known only when they are read, so they may fill the worker.
        let most = ConnectedWorker.maximumBytes
        #expect(fixture.heldClaims.count == 3)
        let room = fixture.state.beginWrite(of: fixture.heldClaims)
        #expect(room == most)
        #expect(slots([1], &fixture) == [])
        #expect(fixture.reserve(1, kind: .other) == ["v/1"])
        fixture.state.endWrite()
        #expect(slots([most - 1], &fixture) == ["w/1"])
        // The reverse case.
        #expect(fixture.state.beginWrite(of: fixture.heldClaims) == 1)
        fixture.state.endWrite()
        fixture.unreserve("w/1", bytes: most - 1)

        let short = fixture.heldClaims.map { claim in
            var claim = claim
            claim.job.insertedRow = ReadyJob.InsertedRow(payload: "12345", maximumAttempts: 5, trace: nil)
            return claim
        }
        #expect(fixture.state.beginWrite(of: short) == most)
        #expect(slots([most - 16, 1], &fixture) == ["w/1", "w/1"])
        #expect(slots([1], &fixture) == [])
    }

    @Test("A reservation from before a worker was lost does not add room after its return")
    func reservationOverReconnection() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 1)
        fixture.holdsClaims = true
        fixture.submit(jobs(1))
        fixture.advance(by: .seconds(11))
        #expect(fixture.state.workers.isEmpty)
        fixture.hello("w/1", credit: 1)
        fixture.commitClaims()
        #expect(fixture.state.workers["w/1"]?.reserved == 0)
        #expect(fixture.takeJobs(of: "w/1").runs.count == 1)
    }

    @Test("Jobs of unknown kinds and versions wait for a worker that knows them")
    func unknownKinds() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 9)
        let newer = KindVersion(kind: "diagnostics.echo", version: 2)
        fixture.submit([.sample("later", kind: newer), .sample("other", kind: .other), .sample("now")])
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["now"])
        fixture.hello("x/1", kinds: [newer, .other], credit: 9)
        #expect(Set(fixture.takeJobs(of: "x/1").runs.map(\.jobID)) == ["later", "other"])
        #expect(fixture.state.ready.isEmpty)
        #expect(fixture.state.readyRuns.isEmpty)
    }

    @Test("A claim whose job no longer waits frees its place for the next one")
    func lostClaim() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 1)
        fixture.holdsClaims = true
        fixture.submit(jobs(2))
        fixture.table["j0"]?.isFinished = true
        fixture.commitClaims()
        fixture.commitClaims()
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["j1"])
        #expect(fixture.state.workers["w/1"]?.reserved == 0)
    }
}
