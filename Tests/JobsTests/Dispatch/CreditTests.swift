import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Workers' credit")
struct CreditTests {
    private func jobs(_ count: Int, prefix: String = "j") -> [ReadyJob] {
        (0..<count).map { .sample("\(prefix)\($0)") }
    }

    /// Reserves places for new jobs with payloads of the given sizes in bytes.
    private func places(_ payloads: [Int], _ bench: inout DispatchBench) -> [String] {
        bench.state.reserve(payloads: payloads, kind: .echo, person: "u", isInteractive: false)
    }

    @Test("A worker gets as many jobs as its credit allows, and more when the credit rises")
    func roomIsRespected() {
        var bench = DispatchBench()
        bench.hello("w/1")
        #expect(bench.sent.map(\.message) == [.welcome(heartbeatMilliseconds: 2_000)])
        bench.submit(jobs(10))
        #expect(bench.takeJobs(of: "w/1").runs.isEmpty)
        bench.beat("w/1", naming: [], free: 4)
        let first = bench.takeJobs(of: "w/1")
        #expect(first.runs.count == 4)
        // The worker's room stays the same until its credit counts the message.
        bench.beat("w/1", naming: [], free: 4)
        #expect(bench.takeJobs(of: "w/1").runs.isEmpty)
        bench.beat("w/1", naming: first.runs, free: 0, received: first.sequence)
        #expect(bench.takeJobs(of: "w/1").runs.isEmpty)
        bench.finish([first.runs[0], first.runs[1]], by: "w/1", free: 2, received: first.sequence)
        #expect(bench.takeJobs(of: "w/1").runs.count == 2)
    }

    @Test("New jobs reserve places on the workers with the most room, those of one worker in a row, and none twice")
    func reserved() {
        var bench = DispatchBench()
        bench.hello("a/1", credit: 4)
        bench.hello("b/1", credit: 10)
        bench.hello("c/1", kinds: [.other], credit: 100)
        let first = bench.reserve(8, kind: .echo)
        let runs = first.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        #expect(Set(runs) == ["a/1", "b/1"] && runs.count == 2, "\(first)")
        // Both workers have equal room left.
        #expect(first.count { $0 == "b/1" } == 7 && first.count { $0 == "a/1" } == 1)
        #expect(bench.reserve(20, kind: .echo).count == 6)
        #expect(bench.reserve(1, kind: .echo).isEmpty)
    }

    @Test("Duplicated and late messages change nothing")
    func doubled() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 3)
        bench.hello("w/1")
        bench.submit(jobs(9))
        let first = bench.takeJobs(of: "w/1")
        #expect(first.runs.count == 3)
        bench.beat("w/1", naming: first.runs, free: 0, received: first.sequence)
        bench.finish([first.runs[0]], by: "w/1", free: 1, received: first.sequence)
        let second = bench.takeJobs(of: "w/1")
        #expect(second.runs.count == 1)
        let done = WorkerMessage.done(
            ended: [EndedRun(run: first.runs[0], outcome: .finished)],
            credit: WorkerCredit(free: 1, received: first.sequence))
        bench.say(done, from: "w/1")
        bench.say(done, from: "w/1")
        // A late message, from before the worker had any jobs.
        bench.beat("w/1", naming: [], free: 3)
        #expect(bench.takeJobs(of: "w/1").runs.isEmpty)
        #expect(bench.releases.isEmpty)
        #expect(bench.state.workers["w/1"]?.held.count == 3)
    }

    @Test("Jobs of a lost message are queued again without blame after two heartbeats that do not name them")
    func lostJobs() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 2)
        bench.submit(jobs(2))
        let lost = bench.takeJobs(of: "w/1").runs
        #expect(lost.count == 2)
        bench.advance(by: .seconds(1))
        bench.beat("w/1", naming: [], free: 2)
        // The same heartbeat twice is not two in a row.
        bench.beat("w/1", naming: [], free: 2)
        #expect(bench.releases.isEmpty)
        bench.advance(by: .seconds(2))
        bench.beat("w/1", naming: [], free: 2)
        #expect(bench.releases.map(\.run) == lost)
        #expect(bench.releases.allSatisfy { !$0.afterCrash && $0.weight == 0 })
        // The jobs are handed out again, as later runs.
        let again = bench.takeJobs(of: "w/1").runs
        #expect(Set(again) == Set(lost.map { JobRun(jobID: $0.jobID, run: 2) }))
    }

    @Test("A heartbeat that crosses a hand-out releases nothing")
    func crossing() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 1)
        bench.submit(jobs(1))
        let handed = bench.takeJobs(of: "w/1")
        bench.beat("w/1", naming: [], free: 1)
        bench.advance(by: .seconds(2))
        bench.beat("w/1", naming: handed.runs, free: 0, received: handed.sequence)
        bench.advance(by: .seconds(2))
        bench.beat("w/1", naming: [], free: 0, received: handed.sequence)
        #expect(bench.releases.isEmpty)
    }

    @Test("A lost message whose jobs were all cancelled stops counting against the credit")
    func lostAndCancelled() throws {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 1)
        bench.submit(jobs(1))
        let lost = try #require(bench.takeJobs(of: "w/1").runs.first)
        bench.table[lost.jobID]?.isFinished = true
        bench.carryOut(bench.state.cancelled(lost, userID: "u", worker: "w/1", now: bench.now))
        #expect(bench.takeStops(of: "w/1") == [lost])
        bench.submit([.sample("next")])
        for _ in 0..<3 {
            bench.advance(by: .seconds(2))
            bench.beat("w/1", naming: [], free: 1)
        }
        #expect(bench.takeJobs(of: "w/1").runs == [JobRun(jobID: "next", run: 1)])
    }

    @Test("Message numbers increase across reconnections and restarts of the gateway")
    func sequence() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 1)
        bench.submit(jobs(1))
        let first = bench.takeJobs(of: "w/1").sequence
        bench.advance(by: .seconds(1))
        bench.state = DispatchState(settings: DispatchBench.settings, now: bench.now)
        bench.hello("w/1", credit: 1)
        bench.submit(jobs(1, prefix: "k"))
        #expect(bench.takeJobs(of: "w/1").sequence > first)
    }

    @Test("Messages stay near one mebibyte, and no job is left out")
    func split() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 10)
        bench.holdsClaims = true
        bench.submit(jobs(5), payload: String(repeating: "x", count: 400_000))
        bench.submit([.sample("huge")], payload: String(repeating: "x", count: 3_000_000))
        bench.submit([.sample("small")])
        bench.commitClaims()
        var sequences: [Int64] = []
        var counts: [Int] = []
        for case (.jobs(let sequence, let jobs), _) in bench.sent {
            sequences.append(sequence)
            counts.append(jobs.count)
            #expect(jobs.count == 1 || jobs.map(\.payload.utf8.count).reduce(0, +) <= 1 << 20)
        }
        #expect(counts.reduce(0, +) == 7)
        #expect(sequences == sequences.sorted() && Set(sequences).count == sequences.count)
    }

    @Test("A worker holds no more large payloads than its limit, and gets the next ones in order")
    func largeJobs() {
        var bench = DispatchBench()
        bench.holdsClaims = true
        bench.submit(jobs(100), payload: String(repeating: "x", count: 1 << 20))
        bench.hello("a/1", credit: 1_000)
        bench.hello("b/1", credit: 1_000)
        let most = ConnectedWorker.maximumBytes >> 20
        var (order, received): ([String], [String: Int64]) = ([], [:])
        while bench.table.values.contains(where: { !$0.isFinished }) {
            let round = order.count
            while !bench.heldClaims.isEmpty { bench.commitClaims() }
            for worker in ["a/1", "b/1"] {
                #expect(bench.state.workers[worker].map { $0.held.count <= most } == true)
                let (runs, sequence) = bench.takeJobs(of: worker)
                order += runs.map(\.jobID)
                received[worker] = max(sequence, received[worker] ?? 0)
                for run in runs { bench.finish([run], by: worker, free: 1_000, received: received[worker] ?? 0) }
            }
            guard order.count > round else { break }
        }
        #expect(order == (0..<100).map { "j\($0)" })
        #expect(bench.state.workers.values.allSatisfy { $0.heldBytes == 0 && $0.reserved == 0 })
    }

    @Test("A reserved place counts, and is free again when the insertion fails")
    func reservation() {
        var bench = DispatchBench()
        #expect(bench.reserve(1, kind: .echo) == [])
        bench.hello("w/1", credit: 2)
        #expect(bench.reserve(1, kind: .echo) == ["w/1"])
        #expect(bench.reserve(1, kind: .echo) == ["w/1"])
        #expect(bench.reserve(1, kind: .echo) == [])
        #expect(bench.reserve(1, kind: .other) == [])
        bench.submit(jobs(1))
        #expect(bench.takeJobs(of: "w/1").runs.isEmpty)
        // Waiting jobs come first.
        bench.unreserve("w/1")
        #expect(bench.takeJobs(of: "w/1").runs == [JobRun(jobID: "j0", run: 1)])
        bench.unreserve("gone")
        #expect(bench.state.workers["w/1"]?.reserved == 1)
    }

    @Test("Reserved places count by payload bytes, and no job overtakes the first that has to wait")
    func reservationOfLarge() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 100)
        let half = ConnectedWorker.maximumBytes / 2
        #expect(places([half, half - 1], &bench) == ["w/1", "w/1"])
        #expect(places([half, 1], &bench) == ["w/1"])
        #expect(places([1], &bench) == [])
        bench.unreserve("w/1", bytes: half)
        #expect(places([half, 1], &bench) == ["w/1"])
        for bytes in [half, half, half - 1] {
            bench.unreserve("w/1", bytes: bytes)
        }
        #expect(bench.state.workers["w/1"]?.roomForPayloads == ConnectedWorker.maximumBytes)
    }

    @Test("Submissions do not get the payload room that a write of claims may need; short jobs need none")
    func reservationBesideAWrite() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 100)
        bench.hello("v/1", kinds: [.other], credit: 100)
        bench.holdsClaims = true
        bench.submit(jobs(3))
        // The lengths of payloads are known only when they are read, so they may fill the worker.
        let most = ConnectedWorker.maximumBytes
        #expect(bench.heldClaims.count == 3)
        let room = bench.state.beginWrite(of: bench.heldClaims)
        #expect(room == most)
        #expect(places([1], &bench) == [])
        #expect(bench.reserve(1, kind: .other) == ["v/1"])
        bench.state.endWrite()
        #expect(places([most - 1], &bench) == ["w/1"])
        // The reverse case.
        #expect(bench.state.beginWrite(of: bench.heldClaims) == 1)
        bench.state.endWrite()
        bench.unreserve("w/1", bytes: most - 1)

        let short = bench.heldClaims.map { claim in
            var claim = claim
            claim.job.insertedRow = ReadyJob.InsertedRow(payload: "12345", maximumAttempts: 5, trace: nil)
            return claim
        }
        #expect(bench.state.beginWrite(of: short) == most)
        #expect(places([most - 16, 1], &bench) == ["w/1", "w/1"])
        #expect(places([1], &bench) == [])
    }

    @Test("A reservation from before a worker was lost does not add room after its return")
    func reservationOverReconnection() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 1)
        bench.holdsClaims = true
        bench.submit(jobs(1))
        bench.advance(by: .seconds(11))
        #expect(bench.state.workers.isEmpty)
        bench.hello("w/1", credit: 1)
        bench.commitClaims()
        #expect(bench.state.workers["w/1"]?.reserved == 0)
        #expect(bench.takeJobs(of: "w/1").runs.count == 1)
    }

    @Test("Jobs of unknown kinds and versions wait for a worker that knows them")
    func unknownKinds() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 9)
        let newer = KindVersion(kind: "diagnostics.echo", version: 2)
        bench.submit([.sample("later", kind: newer), .sample("other", kind: .other), .sample("now")])
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["now"])
        bench.hello("x/1", kinds: [newer, .other], credit: 9)
        #expect(Set(bench.takeJobs(of: "x/1").runs.map(\.jobID)) == ["later", "other"])
        #expect(bench.state.ready.isEmpty)
        #expect(bench.state.readyRuns.isEmpty)
    }

    @Test("A claim whose job no longer waits frees its place for the next one")
    func missing() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 1)
        bench.holdsClaims = true
        bench.submit(jobs(2))
        bench.table["j0"]?.isFinished = true
        bench.commitClaims()
        bench.commitClaims()
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["j1"])
        #expect(bench.state.workers["w/1"]?.reserved == 0)
    }
}
