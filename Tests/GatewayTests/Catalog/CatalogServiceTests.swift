import Catalog
import Connections
import Contracts
import DomainEvents
import Model
import Storage
import TestSupport
import Testing

@testable import CatalogHTTP
@testable import Gateway

@Suite("Questions about Spotify's catalog", .timeLimit(.minutes(5)))
struct CatalogServiceTests {
    private func refusal(_ body: () async throws -> Void) async throws -> ProblemCode {
        try await #require(throws: Problem.self) { try await body() }.code
    }

    // MARK: Answers for everybody

    @Test("A search is answered for everybody for five minutes, however it is written")
    func cachedSearches() async throws {
        try await CatalogFixture.run { fixture in
            let (ada, bob) = (try await fixture.person("ada"), try await fixture.person("bob"))
            #expect(try await fixture.titles("Sigur Rós", for: ada) == ["Sigur Rós"])
            #expect(try await fixture.titles("  SIGUR   ros ", for: bob) == ["Sigur Rós"])
            try await fixture.age(by: .seconds(290))
            #expect(try await fixture.titles("sigur rós", for: bob) == ["Sigur Rós"])
            #expect(fixture.calls.elements == ["ada: track Sigur Rós 0"])
            #expect(try await fixture.jobCount == 1, "cached answers need no job")
            try await fixture.age(by: .seconds(20))
            #expect(try await fixture.titles("sigur ros", for: bob) == ["sigur ros"])
            #expect(fixture.calls.elements.last == "bob: track sigur ros 0")
            // Accounts of another country see another catalog.
            try await fixture.connect(bob, country: "CZ")
            #expect(try await fixture.titles("Sigur Ros", for: bob) == ["Sigur Ros"])
        }
    }

    @Test("Types that are known are not asked for again")
    func knownTypes() async throws {
        try await CatalogFixture.run { fixture in
            let ada = try await fixture.person("ada")
            _ = try await fixture.titles("rain", for: ada)
            let found = try await fixture.service.search(
                CatalogText("rain"), types: CatalogType.allCases, offset: 0, userID: ada, screen: nil)
            #expect(Set(found.keys) == Set(CatalogType.allCases))
            #expect(fixture.calls.elements == ["ada: track rain 0", "ada: album,artist,playlist rain 0"])
        }
    }

    @Test("People who ask the same at once wait for one call")
    func concurrentQuestions() async throws {
        let (asked, released) = (Collector<Void>(), Collector<Void>())
        try await CatalogFixture.run { _ in
            asked.append(())
            await released.wait(for: 1)
        } _: { fixture in
            let (ada, bob) = (try await fixture.person("ada"), try await fixture.person("bob"))
            async let first = fixture.titles("rain", for: ada)
            await asked.wait(for: 1)
            async let second = fixture.titles("Rain", for: bob)
            try await fixture.waiters(2)
            released.append(())
            #expect(try await (first, second) == (["rain"], ["rain"]))
            #expect(fixture.calls.elements.count == 1)
        }
    }

    @Test("When the connection of the first who asks is broken, the next asks with their own")
    func nextConnection() async throws {
        let released = Collector<Void>()
        try await CatalogFixture.run { call in
            guard call.hasPrefix("ada") else { return }
            await released.wait(for: 1)
            throw ProviderFailure(.spotify, .accountNotAllowed, message: "Not on the list.")
        } _: { fixture in
            let (ada, bob) = (try await fixture.person("ada"), try await fixture.person("bob"))
            async let first = refusal { _ = try await fixture.titles("rain", for: ada) }
            await fixture.calls.wait(for: 1)
            async let second = fixture.titles("rain", for: bob)
            try await fixture.waiters(2)
            released.append(())
            #expect(try await first == .accountNotAllowed)
            #expect(try await second == ["rain"])
            #expect(fixture.calls.elements == ["ada: track rain 0", "bob: track rain 0"])
        }
    }

    @Test("A newer question of a screen ends the older one, unless somebody else waits for it")
    func supersededQuestion() async throws {
        let ended = Collector<String>()
        let released = Collector<Void>()
        try await CatalogFixture.run { call in
            if call.hasSuffix("rain 0") { await released.wait(for: 1) }
            guard call.hasSuffix("ra 0") else { return }
            defer { ended.append(call) }
            // This ends when the job is cancelled.
            try await Task.sleep(for: .seconds(3_600))
        } _: { fixture in
            let (ada, bob) = (try await fixture.person("ada"), try await fixture.person("bob"))
            let screen = ScreenID("explore")
            async let first = refusal { _ = try await fixture.titles("ra", for: ada, screen: screen) }
            await fixture.calls.wait(for: 1)
            async let second = fixture.titles("rain", for: ada, screen: screen)
            #expect(try await first == .superseded)
            await ended.wait(for: 1)
            await fixture.calls.wait(for: 2)
            // Bob waits for the same answer, so the call continues when Ada's screen asks for something else.
            async let shared = fixture.titles("rain", for: bob, screen: screen)
            try await fixture.waiters(2)
            #expect(try await fixture.titles("rainbow", for: ada, screen: screen) == ["rainbow"])
            released.append(())
            #expect(try await (second, shared) == (["rain"], ["rain"]))
            #expect(ended.elements == ["ada: track ra 0"])
        }
    }

    // MARK: Answers for one person

    @Test("Top lists belong to a person and the connected account, and need a permission")
    func topLists() async throws {
        try await CatalogFixture.run { fixture in
            let (ada, bob) = (try await fixture.person("ada"), try await fixture.person("bob"))
            for range in TopRange.allCases {
                for _ in 0..<2 {
                    #expect(try await fixture.service.topArtists(range, userID: ada).map(\.name) == [range.rawValue])
                }
            }
            #expect(try await fixture.service.topTracks(.short, userID: bob).map(\.title) == ["short_term"])
            #expect(fixture.calls.elements.count == 4)
            // Another account, or the same one after another consent.
            try await fixture.connect(ada)
            _ = try await fixture.service.topArtists(.short, userID: ada)
            #expect(fixture.calls.elements.count == 5)
            try await fixture.database.write {
                try $0.publish(AccountRemoved(userID: ada, provider: .spotify, remaining: []))
            }
            _ = try await fixture.service.topArtists(.short, userID: ada)
            #expect(fixture.calls.elements.count == 6)

            try await fixture.connect(ada, scopes: "user-read-private")
            let problem = try await #require(throws: Problem.self) {
                _ = try await fixture.service.topArtists(.short, userID: ada)
            }
            #expect(problem.code == .scopeMissing && problem.recovery == "askScope")
            #expect(problem.detail.contains("'user-top-read'"))
            #expect(try await fixture.titles("rain", for: ada) == ["rain"], "searches need no permission")
        }
    }

    @Test("What only one person may see is not shown to another")
    func privatePlaylists() async throws {
        try await CatalogFixture.run { fixture in
            let (ada, bob) = (try await fixture.person("ada"), try await fixture.person("bob"))
            for person in [ada, bob, ada] {
                let item = try await fixture.service.item(.playlist, of: .spotify, id: "p", offset: 0, userID: person)
                guard case .playlist(let playlist) = item?.subject else {
                    Issue.record("no playlist")
                    return
                }
                #expect(playlist.name == "Of \(person)")
            }
            #expect(fixture.calls.elements == ["ada: playlist p", "bob: playlist p"])
            // The fact that there is no such item is also cached for everybody for a while.
            for person in [ada, bob] {
                #expect(try await fixture.service.item(.track, of: .spotify, id: "x", offset: 0, userID: person) == nil)
            }
            #expect(fixture.calls.elements.count == 3)
        }
    }

    @Test("Without a usable connection, nothing is asked, and the problem says what to do")
    func unusableConnections() async throws {
        try await CatalogFixture.run { fixture in
            let ada = try await fixture.database.addPerson("ada")
            let never = try await #require(throws: Problem.self) { _ = try await fixture.titles("rain", for: ada) }
            #expect(never.code == .spotifyNotConnected && never.recovery == "reconnect" && never.status == .conflict)
            #expect(never.detail.contains("/setup/spotify"))
            try await fixture.connect(ada)
            try await fixture.database.write { transaction in
                try transaction.connections.handle(
                    .grantRefused(lostAnswer: false), userID: ada, provider: .spotify, now: .now())
            }
            let lost = try await #require(throws: Problem.self) { _ = try await fixture.titles("rain", for: ada) }
            #expect(lost.code == .spotifyNotConnected && lost.title.contains("again"))
            #expect(try await fixture.jobCount == 0)
        }
    }

    @Test("A failure of Spotify is reported to everybody who waits, with the time to try again")
    func failuresOfSpotify() async throws {
        try await CatalogFixture.run { _ in
            throw ProviderFailure(
                .spotify, .rateLimited, until: .now().advanced(by: .seconds(20)), message: "A pause.")
        } _: { fixture in
            let ada = try await fixture.person("ada")
            let problem = try await #require(throws: Problem.self) { _ = try await fixture.titles("rain", for: ada) }
            #expect(problem.code == .rateLimited && problem.status == .serviceUnavailable)
            #expect((15...20).contains(problem.retryAfter ?? 0) && problem.detail == "A pause.")
            #expect(fixture.calls.elements.count == 1)
        }
    }

    // MARK: Upkeep

    @Test("Old answers are deleted, and those beyond the capacity of a person")
    func deletionOfAnswers() async throws {
        try await CatalogFixture.run { fixture in
            let ada = try await fixture.person("ada")
            @Sendable func counts() async throws -> [Int] {
                try await fixture.database.read { reader in
                    try ["catalog_answers", "catalog_personal_answers"].map { (table: StaticString) in
                        try reader.row("SELECT COUNT(*) AS count FROM \(trusted: table)")?["count"] ?? 0
                    }
                }
            }
            _ = try await fixture.titles("rain", for: ada)
            try await fixture.database.write { transaction in
                for number in 0..<105 {
                    let item = CatalogItemPayload(
                        source: .spotify, type: .playlist, id: "p\(number)", market: "", offset: 0)
                    try transaction.catalog.store(
                        .missing, to: .item(item), userID: ada, account: "a",
                        now: Timestamp.now().advanced(by: .milliseconds(number - 200)))
                }
            }
            #expect(try await counts() == [1, 100])
            try await fixture.service.prune(at: .unguarded(.now()))
            #expect(try await counts() == [1, 100])
            try await fixture.service.prune(at: .unguarded(.now().advanced(by: .seconds(301))))
            #expect(try await counts() == [0, 0])
        }
    }
}

extension CatalogFixture {
    /// Waits until this many callers are waiting for the only unfinished job.
    fileprivate func waiters(_ count: Int) async throws {
        while service.queue.sharedWaits.count < count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
