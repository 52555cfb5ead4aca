import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("The upstream's limit", .timeLimit(.minutes(20)), .serialized)
struct UpstreamLimitTests {
    @Test("Three workers with forty unknown artists make at most five calls a second, and none is refused or repeated")
    func callsOfThreeWorkers() async throws {
        try await ConcertInstallation.run(.strict(workers: 3)) { concerts in
            let ada = try await concerts.addUser("ada")
            let bob = try await concerts.addUser("bob")
            let names = try await concerts.upstream.artists(.unknown, count: 40)
            let first = try await ada.beginSearch(Array(names[..<20]))
            let second = try await bob.beginSearch(Array(names[20...]))
            #expect(try await ada.endOfSearch(first).state == "complete")
            #expect(try await bob.endOfSearch(second).state == "complete")
            let counters = try await concerts.upstream.counters()
            #expect(counters.keys[Simulator.key]?.arrivals == 40)
            #expect(counters.largestInOneSecond <= 5)
            #expect(counters.spike429 == 0 && counters.quota429 == 0)
            #expect(names.allSatisfy { counters.keywords[$0] == 1 })
            try await concerts.base.expectTrueCounters()
        }
    }

    @Test("Sixty lookups complete within the limit, with few repeated calls, while processes are killed")
    func killedProcesses() async throws {
        // The workers have fixed names, which they keep when restarted.
        try await ConcertInstallation.run(.strict(workers: 0)) { concerts in
            for n in 1...3 { try await concerts.startWorker(named: "concert-\(n)") }
            try await concerts.base.connected(workers: 3)
            let names = try await concerts.upstream.artists(.unknown, count: 60)
            var searches: [(person: APIClient, id: String)] = []
            for n in 0..<3 {
                let person = try await concerts.addUser("person_\(n)")
                searches.append((person, try await person.beginSearch(Array(names[(20 * n)..<(20 * n + 20)]))))
            }
            let kills = ProcessInfo.processInfo.environment["BACKLINE_LONG_TESTS"] == "1" ? 12 : 6
            var workerKills = 0
            for kill in 0..<kills {
                // Each kill comes after some more calls, so that it interrupts work.
                let goal = (kill + 1) * 50 / kills
                try await eventually("\(goal) calls") { try await concerts.calls() >= goal }
                if kill % 3 == 2 {
                    let gateway = try #require(concerts.base.running("api-gateway").first)
                    gateway.kill()
                    try await gateway.waitForEnd()
                    try await concerts.base.startGateway()
                } else {
                    workerKills += 1
                    try await concerts.killWorker(named: "concert-\(workerKills % 3 + 1)")
                }
            }
            for (person, id) in searches {
                let search = try await person.endOfSearch(id)
                #expect(search.state == "complete", "\(search.coverage) \(search.warnings)")
                #expect(search.progress == .init(done: 20, total: 20))
            }
            let counters = try await concerts.upstream.counters()
            #expect(counters.largestInOneSecond <= 5)
            #expect(counters.spike429 == 0)
            let calls = counters.keys[Simulator.key]?.arrivals ?? 0
            // A call is repeated when its answer was lost with its worker. No more than the limit's five can be under
            // way then, and the death of a gateway loses none.
            #expect(calls >= 60 && calls <= 60 + 5 * workerKills)
            let jobs = try await concerts.base.storedJobs().values
            #expect(jobs.count == 60 && jobs.allSatisfy { $0.state == "succeeded" })
            try await concerts.base.expectTrueCounters()
        }
    }
}

extension ConcertInstallation {
    @discardableResult
    fileprivate func startWorker(named name: String) async throws -> ChildProcess {
        let environment = workerEnvironment.merging(["BACKLINE_WORKER_NAME": name]) { _, given in given }
        let worker = try base.start("concert-worker", name: name, environment: environment)
        try await worker.waitForLog("ready")
        return worker
    }

    /// Kills a worker and restarts it, as a supervisor would.
    fileprivate func killWorker(named name: String) async throws {
        let worker = try #require(base.running(name).first)
        worker.kill()
        try await worker.waitForEnd()
        try await startWorker(named: name)
    }
}
