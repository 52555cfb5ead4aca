import Contracts
import Model
import TestSupport
import Testing

@testable import Jobs

/// A random history with the invariants that must be true after each step.
private struct GroupHistory {
    var simulation: CrashSimulation
    /// The members of each group when it was first seen in the table.
    private var members: [String: Set<String>] = [:]
    /// The workers that were asked to stop a run: it is unknown when they did.
    private var disturbed: Set<String> = []

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let slots = [1, 2, 4, 16].randomElement(using: &random)!
        simulation = CrashSimulation(
            workers: Int.random(in: 1...4, using: &random), slots: Int32(slots), runTime: .seconds(2), seed: seed)
        simulation.pause = .seconds(Int.random(in: 1...12, using: &random))
        simulation.poison = Set((0..<Int.random(in: 0...3, using: &random)).map { "j\($0 * 7)" })
        simulation.fixture.submit(
            (0..<40).map { .sample("j\($0)", priority: [0, 10].randomElement(using: &random)!) })
        simulation.deliver()
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &simulation.random) {
        case 0..<8:
            if let name = simulation.names.randomElement(using: &simulation.random) { simulation.kill(name) }
        case 8..<11:
            guard let id = simulation.left.sorted().randomElement(using: &simulation.random),
                let row = simulation.fixture.table[id], !simulation.poison.contains(id)
            else { break }
            simulation.fixture.table[id]?.isFinished = true
            simulation.fixture.table[id]?.worker = nil
            if let worker = row.worker { disturbed.insert(worker) }
            simulation.fixture.carryOut(
                simulation.fixture.state.cancelled(
                    JobRun(jobID: id, run: row.run), userID: "u", worker: row.worker, now: simulation.fixture.now))
            simulation.deliver()
        case 11..<15:
            let isLongAgo = Int.random(in: 0..<2, using: &simulation.random) == 0
            // At times the whole machine goes down.
            if isLongAgo { for name in simulation.names { simulation.kill(name) } }
            simulation.restartGateway(isLongAgo: isLongAgo)
        default:
            simulation.pass(.milliseconds(500), step: .milliseconds(250))
        }
    }

    mutating func check() {
        let state = simulation.fixture.state
        var slots: [String: Int] = [:]
        for id in state.readyRuns.keys { slots[id, default: 0] += 1 }
        for worker in state.workers.values { for id in worker.held.keys { slots[id, default: 0] += 1 } }
        for orphans in state.orphans.values { for id in orphans.keys { slots[id, default: 0] += 1 } }
        #expect(slots.values.allSatisfy { $0 == 1 })
        let nowhere = simulation.left.filter { slots[$0] != 1 }
        #expect(nowhere.isEmpty)
        var grouped: [String: Int] = [:]
        for (name, group) in state.groups {
            let strangers = group.members.filter { $0.group != name }
            #expect(strangers.isEmpty)
            for job in group.members { grouped[job.id, default: 0] += 1 }
        }
        #expect(grouped.values.allSatisfy { $0 == 1 })
        // Groups in the table can only shrink.
        var current: [String: Set<String>] = [:]
        for (id, row) in simulation.fixture.table where !row.isFinished {
            if let group = row.job.group { current[group, default: []].insert(id) }
        }
        for (name, ids) in current {
            #expect(ids.isSubset(of: members[name] ?? ids))
            if members[name] == nil { members[name] = ids }
        }
        checkWeights()
        let offering = state.workers.values.filter { $0.runsGroup && $0.free > 0 }
        #expect(offering.isEmpty)
    }

    /// Only the death of a worker that ran a job alone, as far as the gateway can know, weighs against it.
    private func checkWeights() {
        // How often each job's worker died while it held the job alone, and how often the job was a running suspect
        // then, as far as the gateway knows.
        var (alone, watched): ([String: Int], [String: Int]) = ([:], [:])
        for death in simulation.fixture.deaths where death.held.count == 1 {
            alone[death.held[0], default: 0] += 1
            let hasBegun = death.suspects.contains(where: simulation.begun.contains)
            guard !death.isOutage, hasBegun, !disturbed.contains(death.worker) else { continue }
            watched[death.held[0], default: 0] += 1
        }
        for (id, row) in simulation.fixture.table {
            let (crashes, most, least) = (row.job.crashes, alone[id] ?? 0, watched[id] ?? 0)
            guard crashes > 0 || most > 0 else { continue }
            #expect(crashes <= most * CrashScores.singleDeathWeight, "\(id) \(row) died alone \(most) times")
            #expect(crashes >= least * CrashScores.manyDeathsWeight, "\(id) \(row) died alone \(least) times")
            // The last death may exceed the limit.
            #expect(crashes < CrashScores.limit + CrashScores.singleDeathWeight)
            #expect(row.isQuarantined == (crashes >= CrashScores.limit))
            if row.isQuarantined { #expect(most >= 3) }
        }
    }
}

@Suite("Random histories of worker deaths and restarts")
struct CrashHistoryTests {
    @Test(
        "No history of deaths and restarts loses a job or puts it into two groups, and all poison jobs are found",
        arguments: 1...25 as ClosedRange<UInt64>)
    func historiesOfDeaths(seed: UInt64) {
        var history = GroupHistory(seed: seed)
        for _ in 0..<300 where !history.simulation.left.isEmpty {
            history.step()
            history.check()
        }
        // Waits until the gateway knows about the last deaths and has released the jobs that it handed out meanwhile.
        history.simulation.pass(.seconds(13), step: .milliseconds(250))
        history.check()
        let before = history.simulation.quarantined
        for _ in 0..<2_000 where !history.simulation.left.isEmpty {
            history.simulation.pass(.seconds(2), step: .milliseconds(250))
            history.check()
        }
        #expect(history.simulation.left.isEmpty)
        // Only kills by the test can set other jobs aside.
        #expect(history.simulation.quarantined.subtracting(before).isSubset(of: history.simulation.poison))
        #expect(history.simulation.poison.isSubset(of: history.simulation.quarantined))
    }
}
