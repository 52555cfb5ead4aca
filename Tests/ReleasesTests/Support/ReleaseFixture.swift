import Accounts
import Domains
import JobStorage
import Model
import Storage
import TestSupport
import Testing
import Timeline
import Visibility

@testable import Releases

extension [Domain] {
    /// Those whose tables the tests use.
    static let tested: [Domain] = [.storage, .visibility, .accounts, .jobs, .timeline, .releases]
}

/// A database with the lists of artists, as services answer about them.
struct ReleaseFixture: Sendable {
    let database: Database

    static func run(_ body: @escaping @Sendable (ReleaseFixture) async throws -> Void) async throws {
        try await withDatabase(of: .tested) { database, _ in
            try await body(ReleaseFixture(database: database))
        }
    }

    /// Monday, 30 November 2026, 12:00 UTC.
    static let noon = Timestamp(microseconds: 1_796_040_000_000_000)

    static func after(days: Int) -> Timestamp { noon.advanced(by: .seconds(days * 86_400)) }

    /// Stores a service's answer about an artist.
    ///
    /// - Returns: how many releases are new.
    @discardableResult
    func record(
        _ albums: [CatalogAlbum], at source: MusicSource = .spotify, of artist: WantedArtist = .nora,
        artistID: String = "artist", isComplete: Bool = true, now: Timestamp = noon
    ) async throws -> Int {
        var answer = ReleaseAnswer(source: source, country: source == .appleMusic ? "us" : "", artistID: artistID)
        answer.albums = albums.compactMap { ListedAlbum($0) }
        (answer.total, answer.isComplete) = (albums.count, isComplete)
        var new = 0
        for part in answer.parts {
            new += try await database.write { try $0.releases.record(part, of: artist, now: now) }
        }
        return new
    }

    /// What the feed shows of an artist, in the order in which the items were made.
    func news(of artist: WantedArtist = .nora) async throws -> [Releases.Release] {
        try await database.write { transaction in
            let author = try transaction.timeline.author(of: .releases(ofArtist: artist.key))
            let numbers = try transaction.map(
                "SELECT number FROM timeline_items WHERE author = \(author) ORDER BY score, number"
            ) { try $0["number"] as Int64 }
            let releases = try transaction.releases.published(numbers)
            return try numbers.map { try #require(releases[$0]) }
        }
    }

    func titles(of artist: WantedArtist = .nora) async throws -> [String] {
        try await news(of: artist).map(\.title)
    }

    /// The number of rows of a table.
    func count(_ table: StaticString) async throws -> Int {
        try await database.read { reader in
            let count: Int? = try reader.row("SELECT COUNT(*) AS n FROM \(trusted: table)")?["n"]
            return try #require(count)
        }
    }
}

extension WantedArtist {
    static let nora = WantedArtist(key: "noravale", name: "Nora Vale")
    static let otto = WantedArtist(key: "ottoreif", name: "Otto Reif")
}

extension CatalogAlbum {
    /// An album with a date, of Nora Vale.
    static func album(
        _ id: String, _ name: String, _ date: String?, kind: Kind? = .album, tracks: Int? = 10,
        artists: [String] = ["Nora Vale"]
    ) -> CatalogAlbum {
        var album = CatalogAlbum(sourceID: id, name: name)
        album.kind = kind
        album.releaseDate = date.flatMap { ReleaseDate($0) }
        album.trackCount = tracks
        album.artists = artists.map { CatalogReference(sourceID: nil, name: $0) }
        album.url = "https://open.spotify.com/album/\(id)"
        album.pictures = [CatalogPicture(address: "https://i.scdn.co/image/\(id)", width: 300)]
        return album
    }
}
