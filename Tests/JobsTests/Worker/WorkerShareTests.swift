import Contracts
import Model
import TestSupport
import Testing

@testable import Jobs

@Suite("Personal shares in a worker")
struct WorkerShareTests {
    private let start = MonotonicInstant(microseconds: 1_000_000)

    private func jobs(_ count: Int, of person: String, from first: Int = 0) -> [AssignedJob] {
        (first..<first + count).map { .sample("\(person)\($0)", userID: person) }
    }

    /// Starts all jobs that may start.
    private func startAll(_ load: inout WorkerLoad, at now: MonotonicInstant? = nil) -> [String] {
        let now = now ?? start
        var ids: [String] = []
        while let job = load.startNext(deadline: { _ in now.advanced(by: .seconds(900)) }, now: now) {
            ids.append(job.run.jobID)
        }
        #expect(!load.mayStartNext)
        return ids
    }

    private func finish(_ id: String, _ load: inout WorkerLoad, after time: Duration = .seconds(1)) {
        _ = load.finished(JobRun(jobID: id, run: 1), after: time)
        load.removeFinishing(JobRun(jobID: id, run: 1))
    }

    @Test("However many jobs of one person wait, one place stays free for the next person")
    func onePlaceStaysFree() {
        var load = WorkerLoad(concurrency: 16)
        load.accept(jobs(30, of: "a"), sequence: 1)
        #expect(startAll(&load).count == 11)
        // The credit counts the free slots: four reserved for interactive jobs, and that one.
        #expect(load.credit.free == 5)
        load.accept(jobs(2, of: "b"), sequence: 2)
        #expect(startAll(&load) == ["b0"])
        #expect(load.credit.free == 4)
        // The second job of `b` comes first. Then nobody else waits, and `a` may have all but one slot again.
        finish("a0", &load)
        #expect(startAll(&load) == ["b1"])
        finish("b0", &load)
        #expect(startAll(&load) == ["a11"])
        finish("b1", &load)
        #expect(startAll(&load).isEmpty)
        #expect(load.credit.free == 5)
    }

    @Test("Two waiting people have half each and alternate; shares do not apply to the system's own jobs")
    func twoWaitingPeople() {
        var load = WorkerLoad(concurrency: 16)
        load.accept(jobs(20, of: "a") + jobs(20, of: "b"), sequence: 1)
        #expect(startAll(&load) == (0..<6).flatMap { ["a\($0)", "b\($0)"] })
        var other = WorkerLoad(concurrency: 16)
        other.accept(jobs(20, of: "system"), sequence: 1)
        #expect(startAll(&other).count == 12)
    }

    @Test("With an odd number of places, two waiting people have less than half each, and a third starts at once")
    func oddPlaces() {
        var load = WorkerLoad(concurrency: 4)
        load.accept(jobs(3, of: "a") + jobs(3, of: "b"), sequence: 1)
        #expect(startAll(&load) == ["a0", "b0"])
        load.accept(jobs(1, of: "c"), sequence: 2)
        #expect(startAll(&load) == ["c0"])
    }

    @Test("A system job counts toward the share of the person for whom it is")
    func onBehalf() {
        var load = WorkerLoad(concurrency: 4)
        let lookups = (0..<4).map { number in
            AssignedJob(
                run: JobRun(jobID: "s\(number)", run: 1), userID: "system", kind: "diagnostics.echo", version: 1,
                attempt: 1, maximumAttempts: 5, priority: 0, payload: "{}", person: "a")
        }
        load.accept(lookups + jobs(1, of: "a"), sequence: 1)
        #expect(startAll(&load) == ["s0", "s1"])
        load.accept(jobs(1, of: "b"), sequence: 2)
        #expect(startAll(&load) == ["b0"])
    }

    @Test("Jobs beyond a person's share are handed back when that person's runs turn out long, however few wait")
    func excessIsHandedBack() {
        var load = WorkerLoad(concurrency: 16)
        load.accept(jobs(15, of: "a"), sequence: 1)
        #expect(startAll(&load).count == 11)
        // Another person's short job starts meanwhile.
        let later = start.advanced(by: .milliseconds(450))
        load.accept(jobs(1, of: "b"), sequence: 2)
        #expect(startAll(&load, at: later) == ["b0"])
        #expect(load.removeExcess(now: later).map(\.run.jobID) == (11..<15).map { "a\($0)" })
        // The worker holds them until the hand-back is durable.
        #expect(load.waiting.isEmpty && load.heldCount == 16)
    }

    @Test("Others' short jobs cause no prefetch while one person's long jobs use up their share")
    func nothingAhead() {
        var load = WorkerLoad(concurrency: 16)
        load.accept(jobs(11, of: "a"), sequence: 1)
        _ = startAll(&load)
        for number in 0..<200 {
            let now = start.advanced(by: .milliseconds(500 + number))
            load.accept(jobs(1, of: "b", from: number), sequence: Int64(number + 2))
            #expect(startAll(&load, at: now) == ["b\(number)"])
            finish("b\(number)", &load, after: .microseconds(100))
            #expect(load.credit.free == 5)
        }
        // The same is true once the first long jobs have ended and others have started.
        let end = start.advanced(by: .seconds(1))
        for number in 0..<11 { finish("a\(number)", &load) }
        load.accept(jobs(11, of: "a", from: 11), sequence: 1_000)
        #expect(startAll(&load, at: end).count == 11)
        for number in 200..<400 {
            load.accept(jobs(1, of: "b", from: number), sequence: Int64(1_000 + number))
            _ = startAll(&load, at: end)
            finish("b\(number)", &load, after: .microseconds(100))
            #expect(load.credit.free == 5)
        }
        // A single long job among many short ones does not prevent a prefetch.
        for number in 11..<21 { finish("a\(number)", &load) }
        for number in 400..<600 {
            load.accept(jobs(1, of: "b", from: number), sequence: Int64(2_000 + number))
            _ = startAll(&load, at: end)
            finish("b\(number)", &load, after: .microseconds(100))
        }
        #expect(load.credit.free > 1_000)
    }

    @Test(
        "In no history does anybody exceed their share, or wait while a place of theirs is free",
        arguments: 1...30 as ClosedRange<UInt64>)
    func historiesOfShares(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let slots = Int.random(in: 1...17, using: &random)
        var load = WorkerLoad(concurrency: slots)
        let background = JobPriority.backgroundSlots(of: slots)
        func running() -> [String: Int] {
            Dictionary(grouping: load.running.values.filter { !$0.job.isInteractive }, by: \.job.person)
                .mapValues(\.count)
        }
        for number in 0..<600 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let person = "u\(min(Int.random(in: 0..<5, using: &random), Int.random(in: 0..<5, using: &random)))"
                let priority = Int.random(in: 0..<6, using: &random) == 0 ? 10 : 0
                let jobs = (0..<Int.random(in: 1...6, using: &random)).map {
                    AssignedJob.sample("\(number)-\($0)", userID: person, priority: priority)
                }
                load.accept(jobs, sequence: Int64(number + 1))
            case 2: _ = load.stop(load.held.filter { _ in Int.random(in: 0..<6, using: &random) == 0 })
            default:
                for run in load.running.keys.sorted(by: { $0.jobID < $1.jobID })
                where Int.random(in: 0..<3, using: &random) == 0 {
                    _ = load.finished(run, after: .seconds(1))
                    load.removeFinishing(run)
                }
            }
            while true {
                let waiting = Set(load.waiting.inOrder.map(\.person))
                guard let job = load.startNext(deadline: { _ in start }, now: start) else { break }
                guard !job.isInteractive else { continue }
                let count = running()[job.person, default: 0]
                #expect(count <= SlotShare.alone(of: background))
                if waiting.count > 1 { #expect(count <= SlotShare.whileOthersWait(of: background)) }
            }
            let (counts, waiting) = (running(), Set(load.waiting.inOrder.map(\.person)))
            #expect(load.waiting.count == load.waiting.inOrder.count)
            let taken = counts.values.reduce(0, +)
            #expect(taken <= background && load.running.count <= slots)
            guard !waiting.isEmpty, taken < background, load.running.count < slots else { continue }
            let share =
                waiting.count > 1
                ? SlotShare.whileOthersWait(of: background) : SlotShare.alone(of: background)
            #expect(waiting.allSatisfy { counts[$0, default: 0] >= share })
            #expect(Int(load.credit.free) >= min(background - taken, slots - load.running.count))
        }
    }
}
