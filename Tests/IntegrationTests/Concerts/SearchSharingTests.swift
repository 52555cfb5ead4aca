import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("Lookups that several people wait for", .timeLimit(.minutes(20)))
struct SearchSharingTests {
    @Test("Ten people's simultaneous searches for the same artists cause one call per artist")
    func oneCall() async throws {
        // The answers are so slow that all searches begin before the first one.
        let setup = ConcertInstallation.Setup(workers: 2, latencyMs: 1_500)
        try await ConcertInstallation.run(setup) { concerts in
            let names = try await concerts.upstream.artists(.unknown, count: 5)
            var people: [APIClient] = []
            for n in 0..<10 { people.append(try await concerts.addUser("person_\(n)")) }
            let ids = try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for (n, person) in people.enumerated() {
                    // Each person uses another order and spelling.
                    let turned = Array(names[(n % 5)...] + names[..<(n % 5)])
                    let wanted = n.isMultiple(of: 2) ? turned : turned.map { $0.uppercased() }
                    group.addTask { (n, try await person.beginSearch(wanted, homeCity: "Prague")) }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 } as [Int: String]
            }
            var first: Set<String>?
            for (n, person) in people.enumerated() {
                let search = try await person.endOfSearch(try #require(ids[n]))
                #expect(search.state == "complete" && search.progress == .init(done: 5, total: 5))
                let shows = Set(try #require(search.items).map(\.id))
                #expect(!shows.isEmpty && shows == first ?? shows)
                first = shows
            }
            let keywords = try await concerts.upstream.counters().keywords
            for name in names {
                let calls = keywords.filter { $0.key.lowercased() == name.lowercased() }.values.reduce(0, +)
                #expect(calls == 1, "\(name)")
            }
            #expect(try await concerts.calls() == 5)
        }
    }

    @Test("Cancelling a search only ends its own wait; the others get their answers")
    func cancellingAlone() async throws {
        try await ConcertInstallation.run(.init(workers: 0)) { concerts in
            let ada = try await concerts.addUser("ada")
            let bob = try await concerts.addUser("bob")
            let names = try await concerts.upstream.artists(.unknown, count: 3)
            let adas = try await ada.beginSearch(names)
            let bobs = try await bob.beginSearch(names)
            let cancelled = try await ada.post("/v1/concert-searches/\(adas)/cancel")
            #expect(cancelled.status == 200)
            #expect(try cancelled.decode(SearchView.self).state == "cancelled")
            let again = try await ada.post("/v1/concert-searches/\(adas)/cancel")
            #expect(again.status == 200 || again.status == 409)

            try await concerts.startWorker()
            let done = try await bob.endOfSearch(bobs)
            #expect(done.state == "complete" && done.items?.isEmpty == false)
            #expect(try await ada.search(id: adas).state == "cancelled")
            let late = try await bob.post("/v1/concert-searches/\(bobs)/cancel")
            #expect(late.status == 409)
            #expect(try late.problem.code == "alreadyFinished")
            // A cancelled search can be repeated; its answers are fresh by now.
            #expect(try await ada.retrySearch(adas).state == "complete")
            #expect(try await concerts.calls() == 3)
        }
    }

    @Test("A lookup that nobody waits for is cancelled, whether queued or running")
    func cancellingTogether() async throws {
        // Calls hang until the test changes the latency.
        let setup = ConcertInstallation.Setup(
            latencyMs: 60_000, worker: ["BACKLINE_UPSTREAMS_TICKETMASTER_TIMEOUT_MS": "100000"])
        try await ConcertInstallation.run(setup) { concerts in
            let ada = try await concerts.addUser("ada")
            let bob = try await concerts.addUser("bob")
            let names = try await concerts.upstream.artists(.unknown, count: 2)
            let adas = try await ada.beginSearch([names[0]])
            let bobs = try await bob.beginSearch([names[0]])
            try await eventually("the call") { try await concerts.calls() == 1 }
            let lookup = try #require(try await concerts.base.storedJobs().first)
            #expect(lookup.value.state == "running")
            _ = try await ada.post("/v1/concert-searches/\(adas)/cancel")
            #expect(try await concerts.base.storedJobs()[lookup.key]?.state == "running")
            _ = try await bob.post("/v1/concert-searches/\(bobs)/cancel")
            #expect(try await concerts.base.storedJobs()[lookup.key]?.state == "cancelled")
            #expect(try await bob.search(id: bobs).state == "cancelled")

            // A later search causes a new lookup.
            try await concerts.upstream.configure(["latencyMs": 5])
            let later = try await ada.search([names[0]])
            #expect(later.state == "complete" && later.items?.isEmpty == false)

            // A cancelled lookup that was queued never starts.
            for worker in concerts.base.running("concert-worker") {
                worker.kill()
                try await worker.waitForEnd()
            }
            let waiting = try await ada.beginSearch([names[1]])
            _ = try await ada.post("/v1/concert-searches/\(waiting)/cancel")
            try await concerts.startWorker()
            #expect(try await ada.search(["Coldplay"]).state == "complete")
            #expect(try await concerts.upstream.counters().keywords[names[1]] == nil)
            #expect(!(try await concerts.base.storedJobs().values.contains { $0.state == "failed" }))
        }
    }

    @Test("A retry looks up only what failed")
    func retriedSearch() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.unknown, count: 4)
            try await concerts.upstream.injectFault("html", match: ["keyword": names[1]])
            let search = try await ada.search(names)
            #expect(search.state == "partial")
            #expect(search.coverage.map(\.status) == ["complete", "failed", "complete", "complete"])
            let id = try #require(search.id)
            // A refused retry starts no lookup.
            let refused = try await ada.post("/v1/concert-searches/\(id)/retry?include=everything")
            #expect(refused.status == 422)
            // The fault persists: the artist fails again, and no other is looked up.
            let broken = try await ada.retrySearch(id)
            #expect(broken.state == "partial")
            try await concerts.upstream.heal()
            let mended = try await ada.retrySearch(id)
            #expect(mended.state == "complete" && mended.warnings.isEmpty)
            #expect(mended.items?.contains { $0.artistName == names[1] } == true)
            let keywords = try await concerts.upstream.counters().keywords
            #expect(names.map { keywords[$0] } == [1, 3, 1, 1])
            let nothing = try await ada.post("/v1/concert-searches/\(id)/retry")
            #expect(nothing.status == 409)
            #expect(try nothing.problem.code == "nothingToRetry")
        }
    }
}
