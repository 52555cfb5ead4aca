import Contracts
import Foundation
import Model
import TestSupport
import Testing

@testable import Jobs

@Suite("Finding jobs that kill their workers")
struct CrashSearchTests {
    /// Runs jobs, some of them poison, on one worker. The other workers connect after its first death.
    ///
    /// - Parameter pause: how long a worker is down. Deaths eleven seconds apart count as unrelated.
    private func simulation(
        jobs: Int, poison: [Int], workers: Int, slots: Int32, seed: UInt64 = 1, pause: Duration = .seconds(11),
        poisonTime: Duration = .seconds(3)
    ) -> CrashSimulation {
        // The jobs belong to one person.
        let kept = slots - Int32(SlotShare.alone(of: JobPriority.backgroundSlots(of: Int(slots))))
        var simulation = CrashSimulation(
            workers: 1, slots: slots, credit: Int32(jobs) + kept, runTime: .seconds(5), seed: seed)
        simulation.pause = pause
        simulation.poisonTime = poisonTime
        simulation.poison = Set(poison.map { "j\($0)" })
        simulation.fixture.submit((0..<jobs).map { .sample("j\($0)") })
        simulation.deliver()
        simulation.pass(.milliseconds(3_100))
        for index in 1..<max(1, workers) { simulation.start("w\(index)") }
        return simulation
    }

    @Test(
        "One among n is found within ⌈log2 n⌉ + 3 further deaths, and no other job is set aside",
        arguments: [1, 2, 3, 7, 12, 16, 33, 200, 400], [(1, 16), (3, 16), (1, 600), (4, 600)])
    func onePoisonJob(jobs: Int, cluster: (workers: Int, slots: Int)) {
        for poison in Set([0, jobs / 3, jobs - 1]) {
            var simulation = simulation(
                jobs: jobs, poison: [poison], workers: cluster.workers, slots: Int32(cluster.slots))
            #expect(simulation.deaths.count == 1)
            for _ in 0..<40 where !simulation.left.isEmpty { simulation.pass(.seconds(30), step: .milliseconds(250)) }
            #expect(simulation.quarantined == ["j\(poison)"])
            #expect(simulation.left.isEmpty)
            let most = Int(log2(Double(jobs)).rounded(.up)) + 3
            #expect(simulation.deaths.count - 1 <= most, "\(simulation.deaths.map(\.count))")
        }
    }

    @Test(
        "A job that kills at once is found, however quickly its worker restarts",
        arguments: [1, 2, 7, 16, 100], [(1, 16), (3, 16)])
    func atOnce(jobs: Int, cluster: (workers: Int, slots: Int)) {
        for poison in Set([0, jobs / 3, jobs - 1]) {
            var simulation = simulation(
                jobs: jobs, poison: [poison], workers: cluster.workers, slots: Int32(cluster.slots),
                pause: .milliseconds(100), poisonTime: .milliseconds(100))
            for _ in 0..<40 where !simulation.left.isEmpty { simulation.pass(.seconds(30), step: .milliseconds(50)) }
            #expect(simulation.quarantined == ["j\(poison)"])
            #expect(simulation.left.isEmpty)
            let most = Int(log2(Double(jobs)).rounded(.up)) + 3
            #expect(simulation.deaths.count - 1 <= most, "\(simulation.deaths.map(\.count))")
        }
    }

    @Test(
        "If an operator kills the only worker repeatedly, slowly or quickly, no job is set aside",
        arguments: [(1, 40), (3, 40), (11, 24)])
    func operatorKillsTheWorker(seconds: Int, kills: Int) {
        var simulation = CrashSimulation(workers: 1, slots: 16, runTime: .seconds(30))
        simulation.pause = .milliseconds(200)
        simulation.fixture.submit((0..<12).map { .sample("j\($0)") })
        simulation.deliver()
        for _ in 0..<kills {
            simulation.pass(.seconds(seconds))
            simulation.kill("w0")
        }
        #expect(simulation.quarantined.isEmpty)
        for _ in 0..<60 where !simulation.left.isEmpty { simulation.pass(.seconds(10), step: .milliseconds(250)) }
        #expect(simulation.left.isEmpty && simulation.quarantined.isEmpty)
    }

    @Test(
        "Two or three poison jobs are found beside other work, and no other job is set aside", arguments: 2...3)
    func severalPoisonJobs(poison: Int) {
        for seed in 1...6 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let guilty = (0..<100).shuffled(using: &random).prefix(poison)
            var simulation = simulation(jobs: 100, poison: Array(guilty), workers: 3, slots: 16, seed: seed)
            for round in 0..<60 where !simulation.left.isEmpty {
                if round < 20 { simulation.fixture.submit((0..<3).map { .sample("other\(round)-\($0)") }) }
                simulation.pass(.seconds(30), step: .milliseconds(250))
            }
            #expect(simulation.quarantined == simulation.poison)
            #expect(simulation.left.isEmpty)
        }
    }

    @Test(
        "200 jobs of 3 s on three workers of 16 places end within a minute after the last of eleven kills in 14 s",
        arguments: 1...12 as ClosedRange<UInt64>)
    func elevenKills(seed: UInt64) {
        var simulation = CrashSimulation(workers: 3, slots: 16, seed: seed)
        simulation.fixture.submit((0..<200).map { .sample("j\($0)") })
        simulation.deliver()
        let kills = (0..<11).map { _ in Int.random(in: 0..<280, using: &simulation.random) }.sorted()
        for step in 0..<280 {
            for _ in kills where kills.contains(step) && !simulation.names.isEmpty {
                guard let name = simulation.names.randomElement(using: &simulation.random) else { break }
                simulation.kill(name)
                break
            }
            simulation.pass(.milliseconds(50))
        }
        let lastKill = simulation.fixture.now
        while !simulation.left.isEmpty, lastKill.duration(to: simulation.fixture.now) < .seconds(300) {
            simulation.pass(.milliseconds(500))
        }
        let time = lastKill.duration(to: simulation.fixture.now)
        #expect(simulation.left.isEmpty && simulation.quarantined.isEmpty)
        #expect(time <= .seconds(60), "\(time), \(simulation.deaths.map(\.count))")
    }
}
