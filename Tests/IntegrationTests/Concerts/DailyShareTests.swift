import Foundation
import Model
import TestProcesses
import TestSupport
import Testing

@Suite("People's daily shares of the installation's calls", .timeLimit(.minutes(20)))
struct DailyShareTests {
    /// Each person has three calls a day, and the clock is set to noon, so that no day ends during the test.
    private static func run(_ body: (ConcertInstallation) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let clock = folder.file("clock")
        let day: Int64 = 86_400_000_000
        let toNoon = day / 2 - Timestamp.now().microseconds % day
        try Data("\(toNoon)".utf8).write(to: URL(fileURLWithPath: clock))
        var setup = ConcertInstallation.Setup.standard
        setup.environment = [
            "BACKLINE_TICKETMASTER_DAILY_SHARE": "3", "BACKLINE_TEST_CLOCK_OFFSET_FILE": clock,
        ]
        try await ConcertInstallation.run(setup, body)
    }

    @Test("A used-up share causes a warning that leads to a personal key, and that key works")
    func ownKey() async throws {
        try await Self.run { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.unknown, count: 5)
            let search = try await ada.search(names)
            #expect(search.state == "partial")
            #expect(search.coverage.count { $0.status == "complete" } == 3)
            #expect(search.items?.isEmpty == false)
            #expect(search.warnings.map(\.code) == ["dailyShareUsed", "dailyShareUsed"])
            for warning in search.warnings {
                #expect(warning.recovery.contains("/setup/ticketmaster") && warning.recovery.contains("T00:00:00Z"))
            }
            #expect(try await concerts.calls() == 3)
            #expect(try await ada.quotas().ticketmasterRequests == QuotaView(used: 3, limit: 3))
            // Fresh answers are served without a call.
            let known = search.coverage.filter { $0.status == "complete" }.map(\.artist)
            #expect(try await ada.search(known).state == "complete")

            let key = try await ada.put(
                "/v1/setup/ticketmaster", #"{"apiKey":"\#(Simulator.testKey)","city":"Prague"}"#)
            #expect(key.status == 200, "\(key.text)")
            let mended = try await ada.retrySearch(try #require(search.id))
            #expect(mended.state == "complete" && mended.warnings.isEmpty)
            #expect(try await concerts.calls() == 3)
            #expect(try await ada.quotas().ticketmasterRequests.used == 3)
        }
    }

    @Test("A used-up share survives kill -9 and affects one person: the lookup continues for another one who waits")
    func usedUpShare() async throws {
        try await Self.run { concerts in
            let (ada, bob) = (try await concerts.addUser("ada"), try await concerts.addUser("bob"))
            let names = try await concerts.upstream.artists(.unknown, count: 6)
            #expect(try await ada.search(Array(names[..<3])).state == "complete")
            for worker in concerts.base.running("concert-worker") {
                worker.kill()
                try await worker.waitForEnd()
            }
            let alone = try await ada.beginSearch([names[3]])
            let shared = try await ada.beginSearch([names[4]])
            let bobs = try await bob.beginSearch([names[4]])
            try await concerts.startWorker()
            #expect(try await ada.endOfSearch(alone).warnings.map(\.code) == ["dailyShareUsed"])
            #expect(try await bob.endOfSearch(bobs).state == "complete")
            #expect(try await ada.endOfSearch(shared).state == "complete")
            #expect(try await concerts.calls() == 4)
            #expect(try await ada.quotas().ticketmasterRequests.used == 3)
            #expect(try await bob.quotas().ticketmasterRequests.used == 1)
        }
    }

    @Test("The share also applies to searches around a city")
    func searchesAroundACity() async throws {
        try await Self.run { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.unknown, count: 3)
            #expect(try await ada.search(names).state == "complete")
            let area: SearchView = try await ada.get("/v1/concerts/nearby?city=London").decode()
            let search = try await ada.endOfSearch(try #require(area.id))
            #expect(search.state == "failed" && search.warnings.map(\.code) == ["dailyShareUsed"])
            #expect(try await concerts.calls() == 3)
        }
    }
}
