import Contracts
import Model
import Storage
import Synchronization
import TestSupport
import Testing
import Timeline
import Visibility

@testable import Releases

/// The run of the job, with services that are a few artists in memory and a real database.
@Suite("The run that reads a person's artists", .timeLimit(.minutes(2)))
struct ReleaseRunTests {
    private struct Fixture: Sendable {
        let releases: ReleaseFixture
        let userID: String
        let spotify: ListedArtists
        let apple: ListedArtists
        /// The artists of the person.
        let wanted = Wanted()

        final class Wanted: Sendable {
            let artists = Mutex<[WantedArtist]?>([.nora, .otto])
        }

        @discardableResult
        func run(
            job: String = "j", services: [MusicSource] = [.spotify, .appleMusic],
            report: @escaping @Sendable (JobProgress) -> Void = { _ in }
        ) async throws -> ReleasesReadResult {
            let catalogs = [spotify.catalog(), apple.catalog(country: "us")].filter { services.contains($0.source) }
            let (database, wanted) = (releases.database, wanted)
            let run = ReleaseRun(
                userID: userID, job: job, database: database, catalogs: catalogs,
                key: { $0.lowercased().replacing(" ", with: "") },
                wanted: { _, _, _ in wanted.artists.withLock { $0 } },
                checkpoint: { rows in try await database.write { try rows($0) } }, report: report,
                now: { ReleaseFixture.noon })
            let outcome = try await run.run(nil)
            try await database.write { try outcome.write($0) }
            return outcome.result
        }

        func refresh() async throws -> ReleaseRefresh {
            try #require(try await releases.database.read { try $0.releases.refresh(ofUser: userID) })
        }
    }

    private func run(_ body: @escaping @Sendable (Fixture) async throws -> Void) async throws {
        try await ReleaseFixture.run { releases in
            let harbor = CatalogAlbum.album("1", "Harbor", "2019-05-17")
            let tides = CatalogAlbum.album("2", "Tides", "2018")
            try await body(
                Fixture(
                    releases: releases, userID: try await releases.database.addPerson(),
                    spotify: ListedArtists([
                        .init(id: "n", name: "Nora Vale", albums: [harbor]),
                        .init(id: "o", name: "Otto Reif", albums: [tides]),
                    ]),
                    apple: ListedArtists(
                        [.init(id: "an", name: "Nora Vale", albums: [harbor])], at: .appleMusic)))
        }
    }

    @Test("Each artist is read once a day at each service, for whomever; progress is reported and stored")
    func onceADay() async throws {
        try await run { fixture in
            let reports = Collector<String>()
            let result = try await fixture.run { reports.append("\($0.done)/\($0.total)") }
            #expect(result == ReleasesReadResult(artists: 4, releases: 2))
            #expect(reports.elements == ["0/2", "1/2"])
            #expect(fixture.spotify.calls() == (2, 2) && fixture.apple.calls() == (1, 2))
            let refresh = try await fixture.refresh()
            #expect(refresh.state == .done && refresh.done == 2 && refresh.total == 2)

            #expect(try await fixture.run(job: "k") == ReleasesReadResult(artists: 0, releases: 0))
            #expect(fixture.spotify.calls() == (0, 0) && fixture.apple.calls() == (0, 0))
        }
    }

    @Test("An artist that another job reads is left to it")
    func claims() async throws {
        try await run { fixture in
            let free = try await fixture.releases.database.write {
                try $0.releases.claim(.nora, job: "other", now: ReleaseFixture.noon)
            }
            #expect(free)
            #expect(try await fixture.run().artists == 2)
            try await fixture.releases.database.write { try $0.releases.endClaim(of: "noravale", job: "other") }
            #expect(try await fixture.run(job: "k").artists == 2)
        }
    }

    @Test("A service that fails keeps the other from nothing, and the feed learns why")
    func failingService() async throws {
        try await run { fixture in
            let until = ReleaseFixture.noon.advanced(by: .seconds(7_200))
            fixture.spotify.fail(.quotaExhausted, until: until)
            let result = try await fixture.run()
            #expect(result == ReleasesReadResult(artists: 2, releases: 1, failures: ["spotify": "quotaExhausted"]))
            #expect(fixture.spotify.calls() == (0, 1))
            let refresh = try await fixture.refresh()
            #expect(refresh.state == .done && refresh.troubles.map(\.code) == ["quotaExhausted"])
            // Later everything is read that was not.
            #expect(try await fixture.run(job: "k").artists == 2)
            #expect(try await fixture.refresh().troubles.isEmpty)
        }
    }

    @Test("Without any service the refresh has failed")
    func noService() async throws {
        try await run { fixture in
            fixture.spotify.fail(.connectionNeeded)
            fixture.apple.fail(.credentialMissing)
            let result = try await fixture.run()
            #expect(result.artists == 0 && result.failures.count == 2)
            let refresh = try await fixture.refresh()
            #expect(refresh.state == .failed && refresh.troubles.allSatisfy(\.isUnconnected))
        }
    }

    @Test("A failure that concerns one artist ends nothing else; three in a row end the service")
    func failuresOfArtists() async throws {
        try await run { fixture in
            fixture.spotify.fail(.requestRefused)
            let first = try await fixture.run(services: [.spotify])
            #expect(first.artists == 1 && first.failures.isEmpty)
            let others = (1...4).map { WantedArtist(key: "artist\($0)", name: "Artist \($0)") }
            fixture.wanted.artists.withLock { $0 = others }
            fixture.spotify.fail(.unreadable, .requestRefused, .unreadable)
            let second = try await fixture.run(job: "k", services: [.spotify])
            #expect(second.artists == 0 && second.failures == ["spotify": "unreadable"])
        }
    }

    @Test("Artists that the person ranks during the run are read as well")
    func rankedMeanwhile() async throws {
        try await run { fixture in
            fixture.wanted.artists.withLock { $0 = [.nora] }
            let result = try await fixture.run(services: [.spotify]) { _ in
                fixture.wanted.artists.withLock { $0 = [.nora, .otto] }
            }
            #expect(result.artists == 2)
        }
    }

    @Test("Nothing is read for somebody who has not been here for long, and their schedule ends")
    func inactive() async throws {
        try await run { fixture in
            fixture.wanted.artists.withLock { $0 = nil }
            let (database, userID) = (fixture.releases.database, fixture.userID)
            try await database.write { try $0.releases.schedule(userID: userID, now: ReleaseFixture.noon) }
            #expect(try await fixture.run() == ReleasesReadResult(artists: 0, releases: 0))
            let schedule = try await database.read {
                try $0.jobs.schedule(kind: TypedJobKind.releasesRead.kind.name, userID: userID)
            }
            #expect(schedule == nil && fixture.spotify.calls() == (0, 0))
        }
    }
}
