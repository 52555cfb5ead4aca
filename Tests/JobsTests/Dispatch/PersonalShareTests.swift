import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Personal shares of places")
struct PersonalShareTests {
    private func jobs(_ count: Int, of person: String, kind: KindVersion = .echo, priority: Int = 0) -> [ReadyJob] {
        (0..<count).map { .sample("\(person)\($0)", userID: person, kind: kind, priority: priority) }
    }

    private func people(_ fixture: inout DispatchFixture, of worker: String = "w/1") -> [String: Int] {
        let runs = fixture.takeJobs(of: worker).runs
        return Dictionary(grouping: runs) { fixture.table[$0.jobID]?.job.person ?? "" }.mapValues(\.count)
    }

    /// Ends some runs of a person.
    ///
    /// - Parameter free: the worker's credit before these runs ended.
    private func finish(_ count: Int, of person: String, free: Int32, _ fixture: inout DispatchFixture) {
        let runs = fixture.state.workers["w/1"]?.held.filter { $0.value.job.person == person } ?? [:]
        let ended = runs.sorted { $0.key < $1.key }.prefix(count).map { JobRun(jobID: $0.key, run: $0.value.run) }
        fixture.finish(ended, by: "w/1", free: free + Int32(count), received: .max)
    }

    /// One worker with sixteen slots, twelve of which are for jobs below interactive priority.
    private static func fixture(credit: Int32) -> DispatchFixture {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: credit, capacity: 16)
        return fixture
    }

    /// A worker on which `a` took slots while nobody else waited, and `b` waits now.
    ///
    /// - Parameter alone: how many jobs of `a` were handed out.
    private func newcomer(credit: Int32, alone: Int) -> DispatchFixture {
        var fixture = Self.fixture(credit: credit)
        fixture.submit(jobs(200, of: "a"))
        #expect(people(&fixture) == ["a": alone])
        fixture.submit(jobs(200, of: "b"))
        #expect(people(&fixture) == ["b": 1])
        return fixture
    }

    @Test(
        "One person alone may have all but one of several places",
        arguments: [(1, 1), (2, 1), (3, 1), (4, 2), (8, 5), (16, 11)])
    func onePerson(slots: Int, share: Int) {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: Int32(slots), capacity: Int32(slots))
        fixture.submit(jobs(100, of: "a", priority: 9))
        #expect(people(&fixture) == ["a": share])
        // The next person starts at once, if there is more than one slot.
        fixture.submit(jobs(1, of: "b", priority: -100))
        let slots = JobPriority.backgroundSlots(of: slots)
        #expect(people(&fixture) == (slots > 1 ? ["b": 1] : [:]))
    }

    @Test("Two waiting people have half each, and a third gets the first free place")
    func twoWaitingPeople() {
        var fixture = Self.fixture(credit: 16)
        fixture.submit(jobs(40, of: "a") + jobs(40, of: "b"))
        #expect(people(&fixture) == ["a": 6, "b": 6])
        fixture.submit(jobs(3, of: "c"))
        #expect(people(&fixture).isEmpty)
        finish(1, of: "a", free: 4, &fixture)
        #expect(people(&fixture) == ["c": 1])
    }

    @Test(
        "With an odd number of places, two waiting people have less than half each, and a third gets the last at once",
        arguments: [(4, 1), (5, 1), (7, 2), (10, 3)])
    func oddPlaces(slots: Int, share: Int) {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: Int32(slots), capacity: Int32(slots))
        fixture.submit(jobs(10, of: "a") + jobs(10, of: "b"))
        #expect(people(&fixture) == ["a": share, "b": share])
        fixture.submit(jobs(2, of: "c"))
        #expect(people(&fixture) == ["c": 1])
    }

    @Test("A person beyond half gets no new places while others wait")
    func noMoreThanHalf() {
        var fixture = newcomer(credit: 16, alone: 11)
        for others in 2...6 {
            finish(1, of: "a", free: 4, &fixture)
            #expect(people(&fixture) == ["b": 1])
            #expect(fixture.state.workers["w/1"]?.backgroundLoad(of: "b") == others)
        }
        // From then on each person gets the slots that they free.
        finish(1, of: "a", free: 4, &fixture)
        #expect(people(&fixture) == ["a": 1])
        finish(1, of: "b", free: 4, &fixture)
        #expect(people(&fixture) == ["b": 1])
    }

    @Test("People who wait for another worker, or because of a limit of their kind, do not reduce others' shares")
    func whoWaits() {
        let kind = JobKind(
            name: KindVersion.other.kind, version: 1, submitter: .user, maximumRunTime: .seconds(60),
            maximumRunningPerUser: 2)
        var fixture = DispatchFixture(kinds: [kind])
        fixture.hello("w/1", kinds: [.echo, .other], credit: 16, capacity: 16)
        fixture.submit(jobs(20, of: "c", kind: KindVersion(kind: "third.kind", version: 1)))
        fixture.submit(jobs(20, of: "b", kind: .other))
        #expect(people(&fixture) == ["b": 2])
        fixture.submit(jobs(20, of: "a"))
        #expect(people(&fixture) == ["a": 10])
    }

    @Test("Shares apply to jobs that are inserted as claimed, which overtake no waiting job")
    func atOnce() {
        var fixture = Self.fixture(credit: 16)
        #expect(fixture.reserve(100, kind: .echo, person: "a").count == 11)
        #expect(fixture.reserve(1, kind: .echo, person: "a").isEmpty)
        fixture.submit(jobs(5, of: "a"))
        #expect(people(&fixture).isEmpty)
        #expect(fixture.reserve(9, kind: .echo, person: "b") == ["w/1"])
        // Shares do not apply to interactive jobs.
        #expect(fixture.reserve(9, kind: .echo, person: "a", isInteractive: true).count == 4)
        for _ in 0..<6 { fixture.unreserve("w/1", person: "a") }
        #expect(people(&fixture) == ["a": 5])
        #expect(fixture.reserve(9, kind: .echo, person: "b").count == 1)
    }

    @Test("While somebody else waits, reservations are limited to half")
    func atOnceBesideOthers() {
        var fixture = DispatchFixture()
        fixture.hello("w/1", credit: 4, capacity: 4)
        // Each has one of three slots, which is half. Neither gets the third one.
        fixture.submit(jobs(3, of: "a") + jobs(3, of: "b"))
        #expect(people(&fixture) == ["a": 1, "b": 1])
        #expect(fixture.reserve(1, kind: .echo, person: "a").isEmpty)
        #expect(fixture.reserve(9, kind: .echo, person: "c") == ["w/1"])
    }

    @Test("Prefetched jobs are added to everybody's share")
    func prefetchedJobs() {
        var fixture = newcomer(credit: 116, alone: 111)
        // While `a` has more than half and the prefetch, `b` comes first; then they alternate.
        finish(3, of: "a", free: 4, &fixture)
        #expect(people(&fixture) == ["b": 3])
        finish(10, of: "a", free: 4, &fixture)
        #expect(people(&fixture) == ["a": 5, "b": 5])
    }

    @Test("Workers with one place count together: half while others wait, all while nobody else does")
    func singlePlaces() {
        var fixture = DispatchFixture()
        for name in ["v", "w", "x", "y"] { fixture.hello("\(name)/1", credit: 2, capacity: 2) }
        fixture.hello("z/1", kinds: [.other], credit: 2, capacity: 2)
        fixture.submit(jobs(9, of: "a"))
        let held = { (person: String, fixture: DispatchFixture) in
            fixture.state.workers.values.reduce(0) { $0 + $1.backgroundLoad(of: person) }
        }
        #expect(held("a", fixture) == 4)
        fixture.submit(jobs(9, of: "b"))
        for expected in [1, 2, 2, 2] {
            let instance = fixture.state.workers.first { $0.value.backgroundLoad(of: "a") > 0 }?.key ?? ""
            let run = fixture.state.workers[instance]?.runs.first ?? JobRun(jobID: "", run: 0)
            fixture.finish([run], by: instance, free: 2, received: .max)
            #expect(held("b", fixture) == expected)
            #expect(held("a", fixture) == 4 - expected)
        }
    }

    @Test("Shares do not apply to the system's own jobs; those for a person count toward that person's share")
    func jobsOfTheSystem() {
        var fixture = Self.fixture(credit: 16)
        fixture.submit((0..<20).map { .sample("s\($0)", userID: "system") })
        #expect(people(&fixture) == ["system": 12])
        fixture = Self.fixture(credit: 16)
        fixture.submit((0..<20).map { .sample("s\($0)", userID: "system", onBehalfOf: $0 < 15 ? "a" : "b") })
        #expect(people(&fixture) == ["a": 7, "b": 5])
        #expect(fixture.reserve(1, kind: .echo, person: "b").isEmpty)
    }

    @Test("Runs from before the gateway's start count")
    func runsFromBeforeTheStart() {
        var fixture = Self.fixture(credit: 16)
        fixture.submit(jobs(40, of: "a"))
        let runs = fixture.takeJobs(of: "w/1").runs
        fixture.restartGateway()
        fixture.hello("w/1", capacity: 16)
        fixture.beat("w/1", naming: runs, free: 5, received: .max)
        #expect(people(&fixture).isEmpty)
        fixture.submit(jobs(1, of: "b"))
        #expect(people(&fixture) == ["b": 1])
    }

    @Test("A waiting job that moves to another person keeps its waiting time")
    func otherPerson() {
        var fixture = DispatchFixture()
        let lookup = ReadyJob.sample("lookup", userID: "system", onBehalfOf: "a")
        fixture.submit(jobs(9, of: "a") + [lookup])
        var moved = lookup
        moved.onBehalfOf = "b"
        fixture.read([moved])
        #expect(fixture.state.ready.count == 10)
        fixture.table["lookup"]?.job = moved
        fixture.hello("w/1", credit: 2, capacity: 0)
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["a0", "lookup"])
        #expect(fixture.state.workers["w/1"]?.backgroundLoad(of: "b") == 1)
        // A job that is read again unchanged keeps its position.
        fixture.read(jobs(9, of: "a").suffix(3))
        fixture.beat("w/1", naming: [], free: 2, received: .max)
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["a1", "a2"])
    }

    @Test("A waiting job that becomes more urgent comes before the others of its person")
    func moreUrgent() {
        var fixture = DispatchFixture()
        let lookups = (0..<3).map { ReadyJob.sample("s\($0)", userID: "system", priority: 10, onBehalfOf: "a") }
        fixture.submit(lookups)
        var raised = lookups[2]
        raised.priority = 11
        fixture.read([raised])
        #expect(fixture.state.ready.count == 3)
        fixture.table["s2"]?.job = raised
        fixture.hello("w/1", credit: 3, capacity: 0)
        #expect(fixture.takeJobs(of: "w/1").runs.map(\.jobID) == ["s2", "s0", "s1"])
    }

    @Test("People's places are counted correctly however claims end")
    func everyEnd() {
        var fixture = Self.fixture(credit: 16)
        fixture.holdsClaims = true
        fixture.submit(jobs(20, of: "a"))
        #expect(fixture.heldClaims.count == 11)
        // Three jobs have ended, and some claims are left for the next write.
        for id in ["a0", "a4", "a7"] { fixture.table[id]?.isFinished = true }
        fixture.maximumClaimedBytes = 8
        while !fixture.heldClaims.isEmpty { fixture.commitClaims() }
        let runs = fixture.takeJobs(of: "w/1").runs
        #expect(runs.count == 11 && fixture.state.workers["w/1"]?.backgroundLoad(of: "a") == 11)
        #expect(fixture.state.workers["w/1"]?.reserved == 0)
        fixture.table["a1"]?.isFinished = true
        fixture.carryOut(
            fixture.state.cancelled(
                runs.first { $0.jobID == "a1" } ?? runs[0], userID: "a", worker: "w/1", now: fixture.now))
        // The next job already has its slot.
        #expect(fixture.state.workers["w/1"]?.held.count == 10)
        #expect(fixture.state.workers["w/1"]?.backgroundLoad(of: "a") == 11)
        fixture.say(.goodbye, from: "w/1")
        fixture.hello("w/2", credit: 16, capacity: 16)
        while !fixture.heldClaims.isEmpty { fixture.commitClaims() }
        #expect(fixture.state.workers["w/2"]?.backgroundLoad(of: "a") == 11)
    }
}
