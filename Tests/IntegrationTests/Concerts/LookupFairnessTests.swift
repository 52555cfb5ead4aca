import Foundation
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("Fair order of people's lookups", .timeLimit(.minutes(20)))
struct LookupFairnessTests {
    /// These settings let one person run a hundred searches of twenty names each.
    private static let unlimited = [
        "BACKLINE_QUOTAS_RUNNING_SEARCHES": "0", "BACKLINE_TICKETMASTER_DAILY_SHARE": "0",
    ]

    private static func names(_ search: Int) -> [String] {
        (0..<20).map { "Nobody Of Search \(search) Number \($0)" }
    }

    /// Whether an arrival at the simulator is the keyword call for a name.
    private static func isOf(_ name: String, _ arrival: String) -> Bool {
        arrival.contains("keyword=" + APIClient.escaped(name)) || arrival.contains("keyword=\(name)")
            || arrival.contains("keyword=" + name.replacing(" ", with: "+"))
    }

    @Test("One person's hundred searches delay another's by a few calls", arguments: [1, 2])
    func manySearchesOfOnePerson(workers: Int) async throws {
        // The limit of the real upstream, so that the first person's lookups take minutes.
        var setup = ConcertInstallation.Setup.strict(workers: workers)
        setup.environment = Self.unlimited
        try await ConcertInstallation.run(setup) { concerts in
            let (ada, bob) = (try await concerts.addUser("ada"), try await concerts.addUser("bob"))
            let artist = try #require(try await concerts.upstream.artists(.unknown, count: 1).first)
            for search in 0..<100 { _ = try await ada.beginSearch(Self.names(search)) }
            try await eventually("calls for the first requests") { try await concerts.calls() > 20 }

            let search = try await bob.beginSearch([artist])
            let before = try await concerts.upstream.arrivals().count
            #expect(try await bob.endOfSearch(search).state == "complete")
            let arrivals = try await concerts.upstream.arrivals()
            let own = try #require(arrivals.firstIndex { Self.isOf(artist, $0) }, "\(arrivals.last ?? "nothing")")
            #expect(own - before < 8, "\(own - before) calls came first")
            // The same goes for the last name that the first person searched for. The dispatcher reads that change
            // within a second.
            let last = try #require(Self.names(99).last)
            let joined = try await bob.beginSearch([last])
            let then = try await concerts.upstream.arrivals().count
            _ = try await bob.endOfSearch(joined)
            let all = try await concerts.upstream.arrivals()
            let theirs = try #require(all.firstIndex { Self.isOf(last, $0) }, "\(all.last ?? "nothing")")
            #expect(theirs - then < 30, "\(theirs - then) calls came first")
            // The first person's other lookups still wait: of 2,000, only those that fit into this time have run.
            let counts = try await concerts.base.lookupCounts()
            #expect(counts["queued"] ?? 0 > 100, "\(counts)")
        }
    }

    /// A person with a waiting search.
    private struct Searcher {
        let client: APIClient
        let search: String
    }

    /// Runs `body` while two lookups wait without a worker. Both are for Ada, and Bob also waits for the second one.
    private func withWaitingLookups(
        _ body: (_ concerts: ConcertInstallation, _ ada: Searcher, _ bob: Searcher) async throws -> Void
    ) async throws {
        var setup = ConcertInstallation.Setup.standard
        setup.environment = Self.unlimited
        try await ConcertInstallation.run(setup) { concerts in
            let (ada, bob) = (try await concerts.addUser("ada"), try await concerts.addUser("bob"))
            let names = try await concerts.upstream.artists(.unknown, count: 2)
            try await concerts.stopWorkers()
            let first = try await ada.beginSearch(names)
            let second = try await bob.beginSearch([names[1]])
            #expect(try await concerts.base.peopleOfLookups() == ["ada": 2])
            try await body(concerts, Searcher(client: ada, search: first), Searcher(client: bob, search: second))
        }
    }

    @Test("A lookup whose first person cancels is queued for the next person who waits")
    func cancelledFirstPerson() async throws {
        try await withWaitingLookups { concerts, ada, bob in
            #expect(try await ada.client.post("/v1/concert-searches/\(ada.search)/cancel").status == 200)
            #expect(try await concerts.base.peopleOfLookups() == ["bob": 1])
            try await concerts.startWorker()
            #expect(try await bob.client.endOfSearch(bob.search).state == "complete")
        }
    }

    @Test("An erased person's lookups move to others who wait, or are cancelled")
    func erasedPerson() async throws {
        try await withWaitingLookups { concerts, _, bob in
            #expect(try await concerts.base.command("user", "remove", "ada", "--yes").end == .exited(0))
            #expect(try await concerts.base.peopleOfLookups() == ["bob": 1])
            try await concerts.startWorker()
            #expect(try await bob.client.endOfSearch(bob.search).state == "complete")
            #expect(try await concerts.calls() == 1)
        }
    }
}

extension Installation {
    /// How many lookups there are in each state.
    fileprivate func lookupCounts() async throws -> [String: Int] {
        try await counts(
            "SELECT state AS name, COUNT(*) AS count FROM jobs WHERE kind = 'concerts.lookup' GROUP BY state")
    }

    /// For how many unfinished lookups each person is named.
    fileprivate func peopleOfLookups() async throws -> [String: Int] {
        try await counts(
            """
            SELECT COALESCE(users.name, 'nobody') AS name, COUNT(*) AS count
            FROM jobs LEFT JOIN users ON users.id = jobs.on_behalf_of
            WHERE kind = 'concerts.lookup' AND finished_at IS NULL GROUP BY users.name
            """)
    }

    private func counts(_ query: SQL) async throws -> [String: Int] {
        try await withDatabase { database in
            try await database.read { reader in
                Dictionary(
                    uniqueKeysWithValues: try reader.rows(query).map {
                        (try $0["name"] as String, try $0["count"] as Int)
                    })
            }
        }
    }
}
