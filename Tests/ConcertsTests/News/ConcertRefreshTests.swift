import Accounts
import Contracts
import DomainEvents
import JobStorage
import Jobs
import Model
import Storage
import TestSupport
import Testing
import Visibility

@testable import Concerts

@Suite("Refreshes of what people watch")
struct ConcertRefreshTests {
    private static let everybody = PeopleCondition { "EXISTS (SELECT 1 FROM users WHERE users.id = \($0))" }
    private static let nobody = PeopleCondition { "\($0) = ''" }

    private func due(
        _ fixture: NewsFixture, among people: PeopleCondition = everybody, callsPerDay: Int = 100, daysAhead: Int = 0
    ) async throws -> [String] {
        let now = Timestamp.now().advanced(by: .seconds(86_400 * daysAhead))
        let refreshes = ConcertRefreshes(callsPerDay: callsPerDay, freshness: .seconds(3_600))
        let subjects = try await fixture.database.read {
            try ConcertRefreshes.dueSubjects(among: people, now: now, in: $0)
        }
        guard let subjects else { return [] }
        #expect(!subjects.hasMore)
        return try await fixture.database.write { transaction in
            let lookups = try refreshes.lookups(of: subjects, now: now, in: transaction)
            try transaction.insert(lookups.map(\.job))
            return lookups.map { lookup in
                let asked =
                    switch lookup.job.payload {
                    case .artists(let artists): artists.artists.map(\.name).sorted().joined(separator: "+")
                    case .nearby(let area): "\(area.city) \(area.radiusKm)"
                    }
                return lookup.isFirst ? "first \(asked)" : asked
            }.sorted()
        }
    }

    /// Ends all lookups without storing anything.
    private func endLookups(_ fixture: NewsFixture) async throws {
        try await fixture.database.write { try $0.run("UPDATE jobs SET finished_at = \(Timestamp.now())") }
    }

    @Test("What nobody has looked up is looked up at once, once for everybody")
    func first() async throws {
        try await NewsFixture.run { fixture in
            _ = try await fixture.addReader("ada", ranks: ["Air"], city: "Praha, near the river")
            _ = try await fixture.addReader("bob", ranks: ["air", "Moby"], city: "Prague")
            #expect(try await due(fixture, among: Self.nobody) == ["first Air", "first Moby", "first Praha 50"])
            #expect(try await due(fixture).isEmpty)
            // They are under way.
            #expect(try await due(fixture, daysAhead: 2).isEmpty)
        }
    }

    @Test("Whether somebody active watches is asked watcher by watcher, and nobody else is read")
    func plans() async throws {
        try await withDatabase { database, _ in
            let plans = try await database.read { reader in
                let people = reader.accounts.peopleSeen(since: .now())
                return [
                    try reader.plan(of: ConcertStore<ReadTransaction>.watching("a", by: people)),
                    try reader.plan(
                        of: ConcertStore<ReadTransaction>.watchers(ofSubjects: ["a", "b"], among: people, limit: 10)),
                ]
            }
            for plan in plans {
                #expect(plan.contains { $0.contains("SEARCH users") && $0.contains("(id=?)") }, "\(plan)")
                #expect(!plan.contains { $0.contains("SCAN users") || $0.contains("LIST SUBQUERY") }, "\(plan)")
                #expect(plan.contains { $0.contains("concert_watches_of_subject (subject_key=?") }, "\(plan)")
            }
        }
    }

    @Test("What becomes due or is done between the reading and the writing is left for later")
    func meanwhile() async throws {
        try await NewsFixture.run { fixture in
            _ = try await fixture.addReader("ada", ranks: ["Air"])
            let (now, refreshes) = (
                Timestamp.now(), ConcertRefreshes(callsPerDay: 100, freshness: .seconds(3_600))
            )
            let before = try await fixture.database.read {
                try ConcertRefreshes.dueSubjects(among: Self.everybody, now: now, in: $0)
            }
            let subjects = try #require(before)
            #expect(try await due(fixture) == ["first Air"])
            _ = try await fixture.addReader("bob", ranks: ["Moby"])
            let late = try await fixture.database.write {
                try refreshes.lookups(of: subjects, now: .now(), in: $0).count
            }
            #expect(late == 0)
            #expect(try await due(fixture) == ["first Moby"])
        }
    }

    @Test("Whoever is away is active as long as a program reads their calendar, and they are not suspended")
    func calendarReaders() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader()
            _ = try await due(fixture)
            try await endLookups(fixture)
            try await fixture.answer([], onDay: 28)
            func read(on day: Int) async throws {
                let token = CalendarToken.random()
                let readAt = Timestamp.now().advanced(by: .seconds(86_400 * day))
                try await fixture.database.write { transaction in
                    try transaction.concerts.setCalendar(
                        CalendarSubscription(places: .home, madeAt: readAt, readAt: readAt), at: token, userID: ada)
                }
            }
            try await read(on: 0)
            #expect(try await due(fixture, among: Self.nobody, daysAhead: 2) == ["Air"])
            try await endLookups(fixture)
            #expect(try await due(fixture, among: Self.nobody, daysAhead: 40).isEmpty)
            try await read(on: 41)
            #expect(try await due(fixture, among: Self.nobody, daysAhead: 42) == ["Air"])
            try await endLookups(fixture)
            _ = try await fixture.database.write { try $0.visibility.suspend(userID: ada) }
            #expect(try await due(fixture, among: Self.nobody, daysAhead: 44).isEmpty)
        }
    }

    @Test("What is known is looked up daily, known artists together, as long as a watcher is active")
    func daily() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader(ranks: ["Air", "Moby"], city: "Prague")
            _ = try await due(fixture)
            try await endLookups(fixture)
            let moby = ConcertSearches.key(ofArtist: "Moby")
            for key in [NewsFixture.airKey, moby, NewsFixture.pragueKey] {
                try await fixture.answer([], for: key, onDay: 28)
            }
            try await fixture.database.write { transaction in
                try transaction.run(
                    "UPDATE concert_subjects SET attraction_id = 'K-Moby' WHERE subject_key = \(moby)")
            }
            #expect(try await due(fixture, daysAhead: 2) == ["Air+Moby", "Prague 50"])
            try await endLookups(fixture)
            #expect(try await due(fixture, among: Self.nobody, daysAhead: 4).isEmpty)
            #expect(try await due(fixture, daysAhead: 4).isEmpty)
            #expect(try await due(fixture, daysAhead: 6) == ["Air+Moby", "Prague 50"])
            try await endLookups(fixture)
            // Nobody watches any longer.
            try await fixture.rank([], of: ada)
            try await fixture.setCity(nil, of: ada)
            #expect(try await due(fixture, daysAhead: 8).isEmpty)
            let left = try await fixture.database.read { reader in
                try reader.rows("SELECT topic FROM concert_topics").count
                    + reader.rows("SELECT name FROM concert_refreshes").count
            }
            #expect(left == 0)
        }
    }

    @Test("Beyond the calls of a day, the rest waits for the next; what somebody has just added does not")
    func budget() async throws {
        try await NewsFixture.run { fixture in
            _ = try await fixture.addReader(ranks: ["Air"], city: "Prague")
            #expect(try await due(fixture, callsPerDay: 0) == ["first Air", "first Prague 50"])
            try await endLookups(fixture)
            for key in [NewsFixture.airKey, NewsFixture.pragueKey] { try await fixture.answer([], for: key, onDay: 28) }
            // An area counts for three calls.
            #expect(try await due(fixture, callsPerDay: 0, daysAhead: 2).isEmpty)
            #expect(try await due(fixture, callsPerDay: 1, daysAhead: 4).count == 1)
        }
    }

    @Test("The progress of a person's parts, and why something is missing")
    func progress() async throws {
        try await NewsFixture.run { fixture in
            fixture.database.register(CompletionHook.concertLookups) { _ in }
            let ada = try await fixture.addReader(ranks: ["Air", "Moby"], city: "Prague")
            func progress(daysAhead: Int = 0) async throws -> [String] {
                let now = Timestamp.now().advanced(by: .seconds(86_400 * daysAhead))
                return try await fixture.database.read { reader in
                    let (parts, failures) = try ConcertRefreshes.progress(userID: ada, now: now, in: reader)
                    return parts.map { "\($0.part.name) \($0.progress.state) \($0.progress.done)/\($0.progress.total)" }
                        + failures.map(\.rawValue).sorted()
                }
            }
            #expect(try await progress() == ["artists waiting 0/2", "nearby waiting 0/1"])
            _ = try await due(fixture)
            try await fixture.database.write {
                try $0.run("UPDATE jobs SET state = 'running' WHERE kind = 'concerts.lookup'")
            }
            #expect(try await progress() == ["artists running 0/2", "nearby running 0/1"])
            try await fixture.answer([], for: NewsFixture.airKey, onDay: 28)
            #expect(try await progress() == ["artists running 1/2", "nearby running 0/1"])
            try await endLookups(fixture)
            try await fixture.answer(
                [], for: NewsFixture.pragueKey, onDay: 28,
                gap: ProviderFailure(.ticketmaster, .credentialMissing, message: ""), hasFailed: true)
            try await fixture.answer([], for: ConcertSearches.key(ofArtist: "Moby"), onDay: 28)
            #expect(try await progress() == ["artists done 2/2", "nearby failed 0/1", "ticketmasterKeyMissing"])
            // What failed is tried again with the next day, not at once.
            #expect(try await due(fixture).isEmpty)
            #expect(try await due(fixture, daysAhead: 2).contains("Prague 50"))
            try await endLookups(fixture)
            try await fixture.answer([], for: NewsFixture.pragueKey, onDay: 28)
            #expect(try await progress(daysAhead: 2).isEmpty)
        }
    }

    @Test("A time that was set while the clock was ahead is due")
    func clockAhead() async throws {
        try await NewsFixture.run { fixture in
            _ = try await fixture.addReader()
            #expect(try await due(fixture, daysAhead: 1_000) == ["first Air"])
            try await endLookups(fixture)
            #expect(try await fixture.database.read { try $0.concerts.areRefreshesDue(now: .now()) })
            #expect(try await due(fixture) == ["first Air"])
            #expect(try await fixture.database.read { try !$0.concerts.areRefreshesDue(now: .now()) })
        }
    }

    @Test("What failed is looked up again when somebody who watches it enters a key")
    func newKey() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader()
            let bob = try await fixture.addPerson("bob")
            _ = try await due(fixture)
            try await endLookups(fixture)
            try await fixture.answer(
                [], onDay: 28, gap: ProviderFailure(.ticketmaster, .credentialMissing, message: ""), hasFailed: true)
            for (userID, provider, lookups) in [
                (bob, Provider.ticketmaster, [String]()), (ada, .spotify, []), (ada, .ticketmaster, ["first Air"]),
            ] {
                try await fixture.database.write { transaction in
                    var submissions = JobSubmissions(maximumAttempts: 5, trace: nil)
                    try transaction.publish(AccountConnected(userID: userID, provider: provider), with: &submissions)
                }
                #expect(try await due(fixture) == lookups)
            }
        }
    }

    @Test("A search that joins a refresh makes it interactive, and its end leaves the refresh")
    func joining() async throws {
        try await NewsFixture.run { fixture in
            _ = try await fixture.addReader("ada")
            let bob = try await fixture.addPerson("bob")
            #expect(try await due(fixture) == ["first Air"])
            try await fixture.database.write { try $0.run("UPDATE jobs SET priority = 0") }
            let searches = ConcertSearches(freshness: .seconds(3_600))
            let begun = try await fixture.database.write { transaction in
                try searches.begin(
                    [RankedArtist(id: "a", name: "Air", rank: 1)], homeCity: nil, userID: bob, in: transaction)
            }
            #expect(begun.lookups.isEmpty)
            func job() async throws -> String {
                try await fixture.database.read { reader in
                    let row = try #require(
                        try reader.row("SELECT state, priority, COALESCE(on_behalf_of, '-') AS person FROM jobs"))
                    let (person, state): (String, String) = (try row["person"], try row["state"])
                    return "\(state) \(try row["priority"] as Int) \(person == bob ? "bob" : person)"
                }
            }
            #expect(try await job() == "queued \(JobPriority.interactive) bob")
            _ = try await fixture.database.write { try searches.cancel(id: begun.searchID, userID: bob, in: $0) }
            #expect(try await job() == "queued \(JobPriority.interactive) -")
        }
    }

    @Test("What nobody knew for a month is looked up when its watcher opens the feed again")
    func returning() async throws {
        try await NewsFixture.run { fixture in
            let ada = try await fixture.addReader()
            _ = try await due(fixture)
            try await endLookups(fixture)
            try await fixture.answer([], onDay: -10)
            #expect(try await due(fixture).isEmpty)
            try await fixture.openFeed(of: ada, isFirst: false)
            #expect(try await due(fixture) == ["Air"])
        }
    }
}
