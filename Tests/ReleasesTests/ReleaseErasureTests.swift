import Contracts
import Domains
import Model
import Storage
import TestSupport
import Testing
import Timeline
import Visibility

@testable import Releases

@Suite("The artists of people who are erased", .timeLimit(.minutes(2)))
struct ReleaseErasureTests {
    private static let formerArtist = WantedArtist(key: "formerartist", name: "Former Artist")

    /// Ada ranks Nora Vale and Otto Reif, Bea ranks Otto Reif. The two have an album together.
    private static func fill(_ releases: ReleaseFixture) async throws -> (ada: String, bea: String) {
        let database = releases.database
        let (ada, bea) = (try await database.addPerson("ada"), try await database.addPerson("bea"))
        try await database.write { transaction in
            try transaction.timeline.setTopics(
                [.releases(ofArtist: "noravale"), .releases(ofArtist: "ottoreif")], of: ada, because: .rankedArtist)
            try transaction.timeline.setTopics([.releases(ofArtist: "ottoreif")], of: bea, because: .topArtist)
        }
        try await name([.otto, formerArtist], by: ada, releases)
        // Later the list is another one.
        try await name([.nora, .otto], by: ada, releases)
        let together = CatalogAlbum.album("t", "Harbor", "2026-11-27", artists: ["Nora Vale", "Otto Reif"])
        let own = (1...35).map { CatalogAlbum.album("n\($0)", "Album \($0)", "2026-11-2\($0 % 8)") }
        try await releases.record([together] + own)
        try await releases.record(
            [together, .album("o", "Tides", "2026-11-26", artists: ["Otto Reif"])], of: .otto, artistID: "o")
        try await releases.record([.album("f", "Gone", "2026-11-26")], of: formerArtist, artistID: "f")
        return (ada, bea)
    }

    /// What a job of a person does with the artists whom it names.
    private static func name(_ artists: [WantedArtist], by userID: String, _ releases: ReleaseFixture) async throws {
        try await releases.database.write { transaction in
            let now = ReleaseFixture.noon
            try transaction.releases.storeProgress(0, of: artists.count, userID: userID, now: now)
            try transaction.releases.note(artists, namedBy: userID)
            for artist in artists { _ = try transaction.releases.claim(artist, job: "j", now: now) }
        }
    }

    /// - Returns: whether rows were found.
    private static func erase(_ userID: String, _ releases: ReleaseFixture) async throws -> Bool {
        try await PersonalTables(of: .tested).eraseRows(
            of: userID, in: releases.database, by: SteppedWrites(releases.database, checkpoints: true))
    }

    private static func artists(_ releases: ReleaseFixture) async throws -> [String] {
        try await releases.database.read { reader in
            try reader.map("SELECT artist_key FROM release_artists ORDER BY artist_key") { try $0["artist_key"] }
        }
    }

    @Test("An erasure deletes the artists whom nobody else needs, also those of earlier lists, and leaves the others")
    func erasure() async throws {
        try await ReleaseFixture.run { releases in
            let (ada, bea) = try await Self.fill(releases)
            #expect(try await Self.artists(releases) == ["formerartist", "noravale", "ottoreif"])
            try await releases.database.write { try $0.visibility.close(userID: ada) }
            #expect(try await Self.erase(ada, releases))
            #expect(try await Self.artists(releases) == ["ottoreif"])
            let topics = try await releases.database.read { reader in
                try reader.map("SELECT name FROM timeline_topics") { try $0["name"] as String }
            }
            #expect(topics == ["releases:ottoreif"])
            #expect(try await releases.titles(of: .otto).sorted() == ["Harbor", "Tides"])
            #expect(try await releases.titles().isEmpty)
            #expect(try await releases.count("releases") == 2)
            #expect(try await releases.count("release_credits") == 2)
            #expect(try await releases.count("release_lists") == 1)
            #expect(try await releases.count("release_refreshes") == 0)
            #expect(try await !Self.erase(ada, releases))
            // Nobody who needs Otto Reif is left.
            try await Self.name([.otto], by: bea, releases)
            try await releases.database.write { try $0.visibility.close(userID: bea) }
            #expect(try await Self.erase(bea, releases))
            for table: StaticString in [
                "release_artists", "release_lists", "release_credits", "release_editions", "releases",
                "release_refreshes",
            ] {
                #expect(try await releases.count(table) == 0, "\(table)")
            }
        }
    }

    @Test("Of two people who are erased at the same time, neither keeps the other's artists")
    func erasuresAtOnce() async throws {
        try await ReleaseFixture.run { releases in
            let (ada, bea) = try await Self.fill(releases)
            try await releases.database.write { transaction in
                for person in [ada, bea] { try transaction.visibility.close(userID: person) }
            }
            for person in [ada, bea] { _ = try await Self.erase(person, releases) }
            #expect(try await Self.artists(releases).isEmpty)
            #expect(try await releases.count("releases") == 0)
        }
    }

    @Test("A person's artists are noted once, those of now first, and only as long as they are stored")
    func notes() async throws {
        try await ReleaseFixture.run { releases in
            let database = releases.database
            let ada = try await database.addPerson("ada")
            func noted() async throws -> [String] {
                try await database.read { try $0.releases.artists(namedBy: ada) }
            }
            #expect(try await noted() == [])
            try await Self.name([.nora], by: ada, releases)
            try await Self.name([.otto], by: ada, releases)
            #expect(try await noted() == ["ottoreif", "noravale"])
            try await database.write { try $0.run("DELETE FROM release_artists WHERE artist_key = 'noravale'") }
            try await Self.name([Self.formerArtist], by: ada, releases)
            #expect(try await noted() == ["formerartist", "ottoreif"])
        }
    }

    @Test("What a job reads of an artist who was deleted meanwhile is not stored")
    func deletedMeanwhile() async throws {
        try await ReleaseFixture.run { releases in
            let database = releases.database
            let ada = try await database.addPerson("ada")
            let spotify = ListedArtists([
                .init(id: "n", name: "Nora Vale", albums: [.album("1", "Harbor", "2026-11-27")])
            ])
            let run = ReleaseRun(
                userID: ada, job: "j", database: database, catalogs: [spotify.catalog()],
                key: { $0.lowercased().replacing(" ", with: "") }, wanted: { _, _, _ in [.nora] },
                checkpoint: { rows in
                    try await database.write { transaction in
                        try transaction.run("DELETE FROM release_artists")
                        return try rows(transaction)
                    }
                }, report: { _ in }, now: { ReleaseFixture.noon })
            let outcome = try await run.run(nil)
            #expect(outcome.result == ReleasesReadResult(artists: 0, releases: 0))
            for table: StaticString in ["releases", "release_credits", "release_lists"] {
                #expect(try await releases.count(table) == 0, "\(table)")
            }
        }
    }
}
