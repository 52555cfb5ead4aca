import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Personal shares of places")
struct PersonalShareTests {
    private func jobs(_ count: Int, of person: String, kind: KindVersion = .echo, priority: Int = 0) -> [ReadyJob] {
        (0..<count).map { .sample("\(person)\($0)", userID: person, kind: kind, priority: priority) }
    }

    private func people(_ bench: inout DispatchBench, of worker: String = "w/1") -> [String: Int] {
        let runs = bench.takeJobs(of: worker).runs
        return Dictionary(grouping: runs) { bench.table[$0.jobID]?.job.person ?? "" }.mapValues(\.count)
    }

    /// Ends some runs of a person.
    ///
    /// - Parameter free: the worker's credit before these runs ended.
    private func finish(_ count: Int, of person: String, free: Int32, _ bench: inout DispatchBench) {
        let runs = bench.state.workers["w/1"]?.held.filter { $0.value.job.person == person } ?? [:]
        let ended = runs.sorted { $0.key < $1.key }.prefix(count).map { JobRun(jobID: $0.key, run: $0.value.run) }
        bench.finish(ended, by: "w/1", free: free + Int32(count), received: .max)
    }

    /// One worker with sixteen places, twelve of which are for jobs below interactive priority.
    private static func bench(credit: Int32) -> DispatchBench {
        var bench = DispatchBench()
        bench.hello("w/1", credit: credit, capacity: 16)
        return bench
    }

    /// A worker on which `a` took places while nobody else waited, and `b` waits now.
    ///
    /// - Parameter alone: how many jobs of `a` were handed out.
    private func newcomer(credit: Int32, alone: Int) -> DispatchBench {
        var bench = Self.bench(credit: credit)
        bench.submit(jobs(200, of: "a"))
        #expect(people(&bench) == ["a": alone])
        bench.submit(jobs(200, of: "b"))
        #expect(people(&bench) == ["b": 1])
        return bench
    }

    @Test(
        "One person alone may have all but one of several places",
        arguments: [(1, 1), (2, 1), (3, 1), (4, 2), (8, 5), (16, 11)])
    func alone(places: Int, share: Int) {
        var bench = DispatchBench()
        bench.hello("w/1", credit: Int32(places), capacity: Int32(places))
        bench.submit(jobs(100, of: "a", priority: 9))
        #expect(people(&bench) == ["a": share])
        // The next person starts at once, if there is more than one place.
        bench.submit(jobs(1, of: "b", priority: -100))
        let places = JobPriority.backgroundPlaces(of: places)
        #expect(people(&bench) == (places > 1 ? ["b": 1] : [:]))
    }

    @Test("Two waiting people have half each, and a third gets the first free place")
    func halves() {
        var bench = Self.bench(credit: 16)
        bench.submit(jobs(40, of: "a") + jobs(40, of: "b"))
        #expect(people(&bench) == ["a": 6, "b": 6])
        bench.submit(jobs(3, of: "c"))
        #expect(people(&bench).isEmpty)
        finish(1, of: "a", free: 4, &bench)
        #expect(people(&bench) == ["c": 1])
    }

    @Test(
        "With an odd number of places, two waiting people have less than half each, and a third gets the last at once",
        arguments: [(4, 1), (5, 1), (7, 2), (10, 3)])
    func oddPlaces(places: Int, share: Int) {
        var bench = DispatchBench()
        bench.hello("w/1", credit: Int32(places), capacity: Int32(places))
        bench.submit(jobs(10, of: "a") + jobs(10, of: "b"))
        #expect(people(&bench) == ["a": share, "b": share])
        bench.submit(jobs(2, of: "c"))
        #expect(people(&bench) == ["c": 1])
    }

    @Test("A person beyond half gets no new places while others wait")
    func draining() {
        var bench = newcomer(credit: 16, alone: 11)
        for others in 2...6 {
            finish(1, of: "a", free: 4, &bench)
            #expect(people(&bench) == ["b": 1])
            #expect(bench.state.workers["w/1"]?.backgroundLoad(of: "b") == others)
        }
        // From then on each person gets the places that they free.
        finish(1, of: "a", free: 4, &bench)
        #expect(people(&bench) == ["a": 1])
        finish(1, of: "b", free: 4, &bench)
        #expect(people(&bench) == ["b": 1])
    }

    @Test("People who wait for another worker, or because of a limit of their kind, do not reduce others' shares")
    func whoWaits() {
        let kind = JobKind(
            name: KindVersion.other.kind, version: 1, submitter: .user, maximumRunTime: .seconds(60),
            maximumRunningPerUser: 2)
        var bench = DispatchBench(kinds: [kind])
        bench.hello("w/1", kinds: [.echo, .other], credit: 16, capacity: 16)
        bench.submit(jobs(20, of: "c", kind: KindVersion(kind: "third.kind", version: 1)))
        bench.submit(jobs(20, of: "b", kind: .other))
        #expect(people(&bench) == ["b": 2])
        bench.submit(jobs(20, of: "a"))
        #expect(people(&bench) == ["a": 10])
    }

    @Test("Shares apply to jobs that are inserted as claimed, which overtake no waiting job")
    func atOnce() {
        var bench = Self.bench(credit: 16)
        #expect(bench.reserve(100, kind: .echo, person: "a").count == 11)
        #expect(bench.reserve(1, kind: .echo, person: "a").isEmpty)
        bench.submit(jobs(5, of: "a"))
        #expect(people(&bench).isEmpty)
        #expect(bench.reserve(9, kind: .echo, person: "b") == ["w/1"])
        // Shares do not apply to interactive jobs.
        #expect(bench.reserve(9, kind: .echo, person: "a", isInteractive: true).count == 4)
        for _ in 0..<6 { bench.unreserve("w/1", person: "a") }
        #expect(people(&bench) == ["a": 5])
        #expect(bench.reserve(9, kind: .echo, person: "b").count == 1)
    }

    @Test("While somebody else waits, reservations are limited to half")
    func atOnceBesideOthers() {
        var bench = DispatchBench()
        bench.hello("w/1", credit: 4, capacity: 4)
        // Each has one of three places, which is half. Neither gets the third one.
        bench.submit(jobs(3, of: "a") + jobs(3, of: "b"))
        #expect(people(&bench) == ["a": 1, "b": 1])
        #expect(bench.reserve(1, kind: .echo, person: "a").isEmpty)
        #expect(bench.reserve(9, kind: .echo, person: "c") == ["w/1"])
    }

    @Test("Prefetched jobs are added to everybody's share")
    func ahead() {
        var bench = newcomer(credit: 116, alone: 111)
        // While `a` has more than half and the prefetch, `b` comes first; then they alternate.
        finish(3, of: "a", free: 4, &bench)
        #expect(people(&bench) == ["b": 3])
        finish(10, of: "a", free: 4, &bench)
        #expect(people(&bench) == ["a": 5, "b": 5])
    }

    @Test("Workers with one place count together: half while others wait, all while nobody else does")
    func singlePlaces() {
        var bench = DispatchBench()
        for name in ["v", "w", "x", "y"] { bench.hello("\(name)/1", credit: 2, capacity: 2) }
        bench.hello("z/1", kinds: [.other], credit: 2, capacity: 2)
        bench.submit(jobs(9, of: "a"))
        let held = { (person: String, bench: DispatchBench) in
            bench.state.workers.values.reduce(0) { $0 + $1.backgroundLoad(of: person) }
        }
        #expect(held("a", bench) == 4)
        bench.submit(jobs(9, of: "b"))
        for expected in [1, 2, 2, 2] {
            let epoch = bench.state.workers.first { $0.value.backgroundLoad(of: "a") > 0 }?.key ?? ""
            let run = bench.state.workers[epoch]?.runs.first ?? JobRun(jobID: "", run: 0)
            bench.finish([run], by: epoch, free: 2, received: .max)
            #expect(held("b", bench) == expected)
            #expect(held("a", bench) == 4 - expected)
        }
    }

    @Test("Shares do not apply to the system's own jobs; those for a person count toward that person's share")
    func system() {
        var bench = Self.bench(credit: 16)
        bench.submit((0..<20).map { .sample("s\($0)", userID: "system") })
        #expect(people(&bench) == ["system": 12])
        bench = Self.bench(credit: 16)
        bench.submit((0..<20).map { .sample("s\($0)", userID: "system", onBehalfOf: $0 < 15 ? "a" : "b") })
        #expect(people(&bench) == ["a": 7, "b": 5])
        #expect(bench.reserve(1, kind: .echo, person: "b").isEmpty)
    }

    @Test("Runs from before the gateway's start count")
    func restart() {
        var bench = Self.bench(credit: 16)
        bench.submit(jobs(40, of: "a"))
        let runs = bench.takeJobs(of: "w/1").runs
        bench.restartGateway()
        bench.hello("w/1", capacity: 16)
        bench.beat("w/1", naming: runs, free: 5, received: .max)
        #expect(people(&bench).isEmpty)
        bench.submit(jobs(1, of: "b"))
        #expect(people(&bench) == ["b": 1])
    }

    @Test("A waiting job that moves to another person keeps its waiting time")
    func otherPerson() {
        var bench = DispatchBench()
        let lookup = ReadyJob.sample("lookup", userID: "system", onBehalfOf: "a")
        bench.submit(jobs(9, of: "a") + [lookup])
        var moved = lookup
        moved.onBehalfOf = "b"
        bench.read([moved])
        #expect(bench.state.ready.count == 10)
        bench.table["lookup"]?.job = moved
        bench.hello("w/1", credit: 2, capacity: 0)
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["a0", "lookup"])
        #expect(bench.state.workers["w/1"]?.backgroundLoad(of: "b") == 1)
        // A job that is read again unchanged keeps its position.
        bench.read(jobs(9, of: "a").suffix(3))
        bench.beat("w/1", naming: [], free: 2, received: .max)
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["a1", "a2"])
    }

    @Test("A waiting job that becomes more urgent comes before the others of its person")
    func moreUrgent() {
        var bench = DispatchBench()
        let lookups = (0..<3).map { ReadyJob.sample("s\($0)", userID: "system", priority: 10, onBehalfOf: "a") }
        bench.submit(lookups)
        var raised = lookups[2]
        raised.priority = 11
        bench.read([raised])
        #expect(bench.state.ready.count == 3)
        bench.table["s2"]?.job = raised
        bench.hello("w/1", credit: 3, capacity: 0)
        #expect(bench.takeJobs(of: "w/1").runs.map(\.jobID) == ["s2", "s0", "s1"])
    }

    @Test("People's places are counted correctly however claims end")
    func everyEnd() {
        var bench = Self.bench(credit: 16)
        bench.holdsClaims = true
        bench.submit(jobs(20, of: "a"))
        #expect(bench.heldClaims.count == 11)
        // Three jobs have ended, and some claims are left for the next write.
        for id in ["a0", "a4", "a7"] { bench.table[id]?.isFinished = true }
        bench.maximumClaimedBytes = 8
        while !bench.heldClaims.isEmpty { bench.commitClaims() }
        let runs = bench.takeJobs(of: "w/1").runs
        #expect(runs.count == 11 && bench.state.workers["w/1"]?.backgroundLoad(of: "a") == 11)
        #expect(bench.state.workers["w/1"]?.reserved == 0)
        bench.table["a1"]?.isFinished = true
        bench.carryOut(
            bench.state.cancelled(
                runs.first { $0.jobID == "a1" } ?? runs[0], userID: "a", worker: "w/1", now: bench.now))
        // The next job already has its place.
        #expect(bench.state.workers["w/1"]?.held.count == 10)
        #expect(bench.state.workers["w/1"]?.backgroundLoad(of: "a") == 11)
        bench.say(.goodbye, from: "w/1")
        bench.hello("w/2", credit: 16, capacity: 16)
        while !bench.heldClaims.isEmpty { bench.commitClaims() }
        #expect(bench.state.workers["w/2"]?.backgroundLoad(of: "a") == 11)
    }
}
