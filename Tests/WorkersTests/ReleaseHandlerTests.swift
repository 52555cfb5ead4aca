import Concerts
import Contracts
import Model
import People
import Releases
import Storage
import TestSupport
import Testing
import Timeline
import Visibility

@testable import Jobs
@testable import ReleasesWorker
@testable import UpstreamSimulator
@testable import Workers

/// `releases.read` against the simulated Spotify and Apple Music.
@Suite("The handler of new releases", .timeLimit(.minutes(5)))
struct ReleaseHandlerTests {
    private struct Fixture: Sendable {
        let process: WorkerProcess
        let userID: String
        let recordings: Recordings

        var database: Database { process.database }

        /// Runs the job to its end.
        @discardableResult
        func run(job id: String = "j") async throws -> ReleasesReadResult {
            let kind = TypedJobKind.releasesRead
            let handler = try #require(
                try WorkerDomain.releases.handlers(process).first { $0.kind.name == kind.kind.name })
            let job = AssignedJob(
                run: JobRun(jobID: id, run: 1), userID: userID, kind: kind.kind.name, version: 1, attempt: 1,
                maximumAttempts: 5, priority: 0, payload: "{}", person: nil)
            let database = database
            let checkpoints = CheckpointAccess(last: nil, isEnding: { false }) { write in
                try await database.write { transaction in
                    var submissions = JobSubmissions(maximumAttempts: 5, trace: nil)
                    _ = try write(transaction, &submissions)
                }
            }
            let outcome = try await handler.run(JobContext(job: job, report: { _ in }, checkpoints: checkpoints))
            try await database.write { transaction in
                var submissions = JobSubmissions(maximumAttempts: 5, trace: nil)
                try outcome.write?(transaction, &submissions)
            }
            return try kind.result(from: outcome.result)
        }

        /// The name of an artist of the catalog at Spotify.
        func name(_ artist: Int) -> String { recordings.catalog.name(ofArtist: artist, on: .spotify) }

        func spotifyID(_ artist: Int) -> String { recordings.catalog.spotifyID(.artist, UInt64(artist)) }

        func rank(_ artists: [(name: String, spotifyID: String?)]) async throws {
            let ranked = artists.enumerated().map { index, artist in
                RankedArtist(
                    id: UUIDv7.next(), name: artist.name, rank: index + 1,
                    spotify: artist.spotifyID.map { SpotifyArtist(id: $0, genres: []) })
            }
            try await database.write { [userID] in
                try $0.concerts.replaceRankedArtists(ranked, userID: userID)
            }
        }

        /// Sets the artists to whom the person listens most.
        func listen(to names: [String]) async throws {
            let artists = names.compactMap { TopArtist(name: $0) }
            try await database.write { [userID] in
                try $0.people.replaceArtists(artists, of: userID, listensChange: 1, now: .now())
            }
        }

        func release(
            _ title: String, artist: Int, kind: NewAlbum.Kind = .album, date: String? = nil,
            services: Set<MusicService> = [.spotify, .apple]
        ) throws {
            let day = "\(recordings.albums.today)"
            let found = RecordingCatalog.ReleaseDate(date ?? day)
            let released = try #require(found)
            let added = recordings.changeAlbums { albums in
                albums.add { number in
                    NewAlbum(
                        number: number, artist: artist, title: title, kind: kind, date: released,
                        tracks: kind == .single ? 1 : 10, services: services)
                }
            }
            try #require(added != nil)
        }

        /// What the feed shows of an artist.
        func news(of name: String) async throws -> [Releases.Release] {
            try await database.write { transaction in
                let author = try transaction.timeline.author(of: .releases(ofArtist: FoldedName(name).key))
                let numbers = try transaction.map(
                    "SELECT number FROM timeline_items WHERE author = \(author) ORDER BY score, number"
                ) { try $0["number"] as Int64 }
                let releases = try transaction.releases.published(numbers)
                return numbers.compactMap { releases[$0] }
            }
        }

        /// Has all lists been read on another day, so that they are due.
        func passDay() async throws {
            let yesterday = Timestamp.now().advanced(by: .seconds(-86_400))
            try await database.write { try $0.run("UPDATE release_lists SET checked_at = \(yesterday)") }
        }
    }

    private static let catalog = RecordingCatalog(seed: 3, count: 2_000)

    /// A person who has connected Spotify, at an installation without a key for Apple Music.
    private func run(_ body: @escaping @Sendable (WorkerFixture, Fixture) async throws -> Void) async throws {
        try await WorkerFixture.run { base in
            base.simulator.recordings.replace(by: Self.catalog)
            try await base.withWorker("sync-worker") { process in
                try await base.connect(by: process)
                try await body(
                    base, Fixture(process: process, userID: base.userID, recordings: base.simulator.recordings))
            }
        }
    }

    private func calls(_ base: WorkerFixture, _ endpoint: String) -> Int {
        base.simulator.spotify.recorder.log.endpoints["GET /spotify/v1/\(endpoint)"]?.arrivals ?? 0
    }

    @Test("Ranked artists are read by their id, those of listens by their name; what comes out is news once")
    func wholePath() async throws {
        try await run { base, fixture in
            let (ranked, heard) = (fixture.name(4), fixture.name(7))
            try await fixture.rank([(ranked, fixture.spotifyID(4))])
            try await fixture.listen(to: [heard, ranked])
            let first = try await fixture.run()
            #expect(first.artists == 2 && first.releases > 4 && first.failures["appleMusic"] == "connectionNeeded")
            #expect(calls(base, "search") == 1 && calls(base, "artists/{id}/albums") == 2)
            #expect(try await fixture.news(of: ranked).isEmpty, "nothing of it came out lately")

            try fixture.release("Harbor", artist: 4)
            try fixture.release("Harbor (Deluxe Edition)", artist: 4)
            try fixture.release("Lanterns", artist: 7, kind: .single)
            try await fixture.passDay()
            #expect(try await fixture.run(job: "l").releases == 2)
            let news = try await fixture.news(of: ranked)
            #expect(news.map(\.title) == ["Harbor"] && news.first?.editions.count == 2)
            #expect(news.first?.type == .album && news.first?.artists == [ranked])
            #expect(try await fixture.news(of: heard).map(\.type) == [.single])
            #expect(calls(base, "search") == 1)

            try fixture.release("Harbor (Remastered)", artist: 4)
            try await fixture.passDay()
            #expect(try await fixture.run(job: "m").releases == 0)
            #expect(try await fixture.news(of: ranked).map(\.title) == ["Harbor"])
        }
    }

    @Test("A long list is read by pages, and by one page once it is known")
    func pages() async throws {
        try await run { base, fixture in
            for number in 1...25 { try fixture.release("Old \(number)", artist: 4, date: "2001-0\(number % 9 + 1)") }
            try await fixture.rank([(fixture.name(4), fixture.spotifyID(4))])
            let first = try await fixture.run()
            #expect(first.releases >= 25)
            let pages = calls(base, "artists/{id}/albums")
            #expect(pages >= 3)
            try await fixture.passDay()
            #expect(try await fixture.run(job: "k").releases == 0)
            #expect(calls(base, "artists/{id}/albums") == pages + 1)
        }
    }

    @Test("A pause of Spotify is the job's result, and the schedule is tried again when it ends")
    func pausedService() async throws {
        try await run { base, fixture in
            try await fixture.rank([(fixture.name(4), fixture.spotifyID(4))])
            let userID = fixture.userID
            try await fixture.database.write { transaction in
                try transaction.releases.beginRefresh(ofUser: userID, now: .now())
                let tomorrow = Timestamp.now().advanced(by: .seconds(86_400))
                try transaction.run("UPDATE domain_schedules SET next_at = \(tomorrow) WHERE kind = 'releases.read'")
            }
            base.simulator.spotify.recorder.add([FaultRule(fault: .limit429, retryAfter: 7_200)])
            let result = try await fixture.run()
            #expect(result.artists == 0 && result.failures["spotify"] == "rateLimited")
            let (refresh, schedule) = try await fixture.database.read { reader in
                (
                    try reader.releases.refresh(ofUser: userID),
                    try reader.jobs.schedule(kind: "releases.read", userID: userID)
                )
            }
            #expect(refresh?.state == .failed)
            #expect(refresh?.troubles.contains { $0.source == .spotify && $0.until != nil } == true)
            let next = try #require(schedule?.nextAt)
            #expect(next < Timestamp.now().advanced(by: .seconds(80_000)))
        }
    }

    @Test("Nothing is asked for somebody who has not been here for long")
    func inactivePerson() async throws {
        try await run { base, fixture in
            try await fixture.rank([(fixture.name(4), fixture.spotifyID(4))])
            let (userID, long) = (fixture.userID, Timestamp.now().advanced(by: .seconds(-31 * 86_400)))
            try await fixture.database.write {
                try $0.run("UPDATE users SET last_seen_at = \(long), created_at = \(long) WHERE id = \(userID)")
            }
            #expect(try await fixture.run() == ReleasesReadResult(artists: 0, releases: 0))
            #expect(calls(base, "artists/{id}/albums") == 0)
        }
    }

    @Test("Apple Music is asked with the installation's key, for people who have connected nothing")
    func appleMusic() async throws {
        try await AppleMusicFixture.run { apple in
            apple.simulator.recordings.replace(by: Self.catalog)
            let fixture = Fixture(
                process: apple.process, userID: apple.userID, recordings: apple.simulator.recordings)
            // An artist whom both services spell alike.
            let artist = try #require(
                (0..<Self.catalog.artists).first { number in
                    let name = Self.catalog.name(ofArtist: number, on: .spotify)
                    let alike = (0..<Self.catalog.artists).filter {
                        Self.catalog.name(ofArtist: $0, on: .apple) == name
                    }
                    return alike == [number]
                })
            let name = fixture.name(artist)
            try await fixture.rank([(name, nil)])
            let first = try await fixture.run()
            #expect(first.artists == 1 && first.releases > 3 && first.failures["spotify"] == "connectionNeeded")

            let day = fixture.recordings.albums.today
            try fixture.release("Harbor", artist: artist)
            try fixture.release("Signals", artist: artist, date: "\(day + 30)")
            try await fixture.passDay()
            #expect(try await fixture.run(job: "k").releases == 2)
            #expect(try await fixture.news(of: name).map(\.title) == ["Harbor"], "the other is announced")
            let link = try #require(try await fixture.news(of: name).first?.editions.first)
            #expect(link.source == .appleMusic && link.url?.hasPrefix("https://music.apple.com/us/") == true)
            // The day comes.
            let out = Timestamp.now().advanced(by: .seconds(31 * 86_400))
            #expect(try await fixture.database.write { try $0.releases.publishDue(now: out, limit: 10) } == 1)
            #expect(Set(try await fixture.news(of: name).map(\.title)) == ["Harbor", "Signals"])
        }
    }
}
