import Concerts
import Contracts
import Domains
import Model
import Testing

@testable import Jobs

extension JobKind {
    /// A kind with at most two running jobs, and one for each person.
    fileprivate static let limited = JobKind(
        name: "other.kind", version: 1, submitter: .user, maximumRunTime: .seconds(60), maximumRunning: 2,
        maximumRunningPerUser: 1)

    /// A kind with at most two running jobs.
    fileprivate static let ofTwo = JobKind(
        name: "other.kind", version: 1, submitter: .user, maximumRunTime: .seconds(60), maximumRunning: 2)
}

@Suite("Limits on running jobs of a kind")
struct LimitTests {
    private func fixture(_ workers: Int = 2) -> DispatchFixture {
        var fixture = DispatchFixture(kinds: [.limited])
        for worker in 1...workers { fixture.hello("w\(worker)/1", kinds: [.echo, .other], credit: 8) }
        return fixture
    }

    private func taken(_ fixture: inout DispatchFixture) -> [String] {
        (fixture.takeJobs(of: "w1/1").runs + fixture.takeJobs(of: "w2/1").runs).map(\.jobID).sorted()
    }

    @Test("Limits apply across all workers, and delay neither other people nor other kinds")
    func limitsAcrossWorkers() {
        var fixture = fixture()
        #expect(fixture.reserve(1, kind: .other).isEmpty)
        let jobs = [("a0", "a"), ("a1", "a"), ("a2", "a"), ("b0", "b"), ("c0", "c")]
        fixture.submit(jobs.map { .sample($0.0, userID: $0.1, kind: .other) })
        #expect(taken(&fixture) == ["a0", "b0"])
        fixture.submit([.sample("echo")])
        #expect(taken(&fixture) == ["echo"])
        for (over, next) in [("a0", "c0"), ("b0", "a1"), ("c0", ""), ("a1", "a2")] {
            let holder = fixture.holder(of: over) ?? ""
            fixture.finish([JobRun(jobID: over, run: 1)], by: holder, free: 8, received: Int64.max)
            #expect(taken(&fixture) == (next.isEmpty ? [] : [next]))
        }
        #expect(fixture.state.ready.isEmpty)
    }

    @Test(
        "At most six artist lookups and four area lookups run for one person",
        arguments: [("concerts.lookup", 6), ("concerts.nearby", 4)])
    func limitsOfLookups(kind name: String, most: Int) throws {
        let kinds = JobKinds(of: [.concerts])
        let kind = KindVersion(kind: name, version: try #require(kinds[name]).version)
        var fixture = DispatchFixture(kinds: kinds.all)
        fixture.hello("w1/1", kinds: [kind], credit: 64, capacity: 64)
        for person in ["a", "b"] {
            fixture.submit(
                (0..<10).map {
                    .sample(
                        "\(person)\($0)", userID: SystemUser.id, kind: kind, priority: JobPriority.interactive,
                        onBehalfOf: person)
                })
        }
        let people = fixture.takeJobs(of: "w1/1").runs.map { fixture.table[$0.jobID]?.job.person ?? "" }
        #expect(people.count { $0 == "a" } == most && people.count { $0 == "b" } == most, "\(people)")
    }

    @Test("However a run ends, it stops counting toward the limit")
    func everyEnd() {
        var fixture = fixture(1)
        fixture.holdsClaims = true
        fixture.submit((0..<7).map { .sample("j\($0)", userID: "a", kind: .other) })
        // The claim fails.
        fixture.table["j0"]?.isFinished = true
        fixture.commitClaims()
        fixture.holdsClaims = false
        fixture.commitClaims()
        #expect(taken(&fixture) == ["j1"])
        // The job is cancelled.
        fixture.table["j1"]?.isFinished = true
        fixture.carryOut(
            fixture.state.cancelled(JobRun(jobID: "j1", run: 1), userID: "a", worker: "w1/1", now: fixture.now))
        #expect(taken(&fixture) == ["j2"])
        // The job's message was lost, and this job or another one is handed out.
        for _ in 0..<3 {
            fixture.advance(by: .seconds(2))
            fixture.beat("w1/1", naming: [], free: 8, received: Int64.max)
        }
        #expect(fixture.state.limits.running["other.kind"]?.count == 1)
        // Its worker says goodbye.
        fixture.say(.goodbye, from: "w1/1")
        #expect(fixture.state.limits.running["other.kind"]?.isEmpty == true)
        // Its worker dies.
        fixture.hello("w2/1", kinds: [.other], credit: 8)
        #expect(fixture.state.limits.running["other.kind"]?.count == 1)
        fixture.advance(by: .seconds(11))
        #expect(fixture.state.limits.running["other.kind"]?.isEmpty == true)
    }

    @Test("Runs from before the gateway's start count until they end")
    func runsFromBeforeTheStart() {
        var fixture = fixture()
        fixture.submit([("a", "a"), ("b", "b"), ("c", "c")].map { .sample($0.0, userID: $0.1, kind: .other) })
        #expect(taken(&fixture) == ["a", "b"])
        fixture.restartGateway()
        fixture.hello("x/1", kinds: [.other], credit: 8)
        #expect(fixture.takeJobs(of: "x/1").runs.isEmpty)
        // One of the workers does not come back; other kinds run meanwhile.
        let holder = fixture.table["a"]?.worker ?? ""
        fixture.hello(holder, kinds: [.other], credit: 8)
        fixture.finish([JobRun(jobID: "a", run: 1)], by: holder, free: 0, received: 0)
        #expect(fixture.takeJobs(of: "x/1").runs.map(\.jobID) == ["c"])
    }

    @Test("A kind at its limit blocks neither crash groups nor workers")
    func fullKindAndGroups() {
        var fixture = fixture(1)
        fixture.submit([.sample("a0", userID: "a", kind: .other), .sample("a1", userID: "a", kind: .other)])
        #expect(taken(&fixture) == ["a0"])
        fixture.hello("w2/1", kinds: [.echo, .other], credit: 8)
        fixture.submit([.sample("s0", group: "g"), .sample("s1", userID: "a", kind: .other, group: "g")])
        // The job of the kind at its limit waits.
        #expect(fixture.takeJobs(of: "w2/1").runs.map(\.jobID) == ["s0"])
        #expect(fixture.state.groups["g"]?.members.map(\.id) == ["s1"])
    }

    @Test("A running job that is read as waiting still counts when its second claim fails")
    func doubleClaim() {
        var fixture = DispatchFixture(kinds: [.ofTwo])
        fixture.hello("w1/1", kinds: [.other], credit: 8)
        fixture.submit([.sample("a", kind: .other)])
        // Two simultaneous polls read the same row.
        fixture.read([.sample("a", kind: .other)])
        #expect(fixture.takeJobs(of: "w1/1").runs.map(\.jobID) == ["a"])
        #expect(fixture.state.limits.running["other.kind"] == ["a"])
        fixture.submit([.sample("b", kind: .other), .sample("c", kind: .other)])
        #expect(fixture.takeJobs(of: "w1/1").runs.map(\.jobID) == ["b"])
        fixture.finish([JobRun(jobID: "a", run: 1)], by: "w1/1", free: 7, received: Int64.max)
        #expect(fixture.takeJobs(of: "w1/1").runs.map(\.jobID) == ["c"])
    }

    @Test(
        "A job that is handed out again before its hand-back is reported counts once", arguments: ["w1", "w2"])
    func handedBack(next: String) {
        var fixture = DispatchFixture(kinds: [.ofTwo])
        fixture.hello("w1/1", kinds: [.other], credit: 8)
        fixture.submit([.sample("a", kind: .other)])
        let handed = fixture.takeJobs(of: "w1/1")
        if next == "w2" {
            fixture.beat("w1/1", naming: handed.runs, free: 0, received: handed.sequence)
            fixture.hello("w2/1", kinds: [.other], credit: 8)
        }
        fixture.table["a"]?.worker = nil
        var waiting = ReadyJob.sample("a", kind: .other)
        waiting.lastRun = 1
        fixture.read([waiting])
        let again = fixture.takeJobs(of: "\(next)/1").runs
        #expect(again == [JobRun(jobID: "a", run: 2)])
        fixture.say(
            .done(
                ended: [RunReport(run: JobRun(jobID: "a", run: 1), outcome: .handedBack)],
                credit: .init(free: 8, received: Int64.max)), from: "w1/1")
        #expect(fixture.state.limits.running["other.kind"] == ["a"])
        fixture.finish(again, by: "\(next)/1", free: 8, received: Int64.max)
        #expect(fixture.state.limits.running["other.kind"]?.isEmpty == true)
    }
}
