import Curation
import Identity
import Library
import Model
import Storage

/// A song that a search of a service's catalog has found.
package struct FoundSong: Sendable {
    /// The song's id at the service.
    let id: String
    let record: IdentityRecord

    package init(id: String, record: IdentityRecord) {
        (self.id, self.record) = (id, record)
    }
}

/// Searches a service's catalog in a person's name, and returns the first page of results. It throws `ProviderFailure`.
package typealias SongSearch = @Sendable (_ text: String) async throws -> [FoundSong]

/// The services of people, whose catalogs are searched for the songs that a model names.
package struct SongCatalogs: Sendable {
    let database: Database
    /// The services that a person has connected, including those that have to be reconnected.
    let connected: @Sendable (_ userID: String) async throws -> [MusicSource]
    /// A service's catalog, asked in a person's name.
    private let open: @Sendable (_ service: MusicSource, _ userID: String) async throws -> SongSearch

    package init(
        database: Database, connected: @escaping @Sendable (_ userID: String) async throws -> [MusicSource],
        open: @escaping @Sendable (_ service: MusicSource, _ userID: String) async throws -> SongSearch
    ) {
        self.database = database
        self.connected = connected
        self.open = open
    }

    /// The catalog in which song names are looked up: Spotify's, or else Apple Music's.
    ///
    /// - Returns: `nil` when the person has connected neither.
    func catalog(userID: String) async throws -> SongCatalog? {
        let connected = try await connected(userID)
        guard let service = [MusicSource.spotify, .appleMusic].first(where: connected.contains) else { return nil }
        let search = try await open(service, userID)
        let remastersAreSame = try await database.read { try $0.trackIdentity.remastersAreSame(userID: userID) }
        let names = SongNames(rules: IdentityRules(remastersAreSame: remastersAreSame))
        return SongCatalog(service: service) { [database] title, artist in
            var found = SongMatch()
            for text in names.searches(title: title, artist: artist) {
                let page = try await search(text)
                let choice = names.choose(title: title, artist: artist, among: page.map(\.record))
                if let index = choice {
                    return try await database.read {
                        try SongMatch(page[index], at: service, userID: userID, in: $0)
                    }
                }
                if found.nearest == nil, let first = page.first?.record {
                    found.nearest = "\(first.artist) – \(first.title)"
                }
                // Once a search has returned songs with these words, another search finds nothing better.
                if !page.isEmpty { break }
            }
            return found
        }
    }
}

extension SongMatch {
    fileprivate init(
        _ song: FoundSong, at service: MusicSource, userID: String, in reader: ReadTransaction
    ) throws {
        self.init()
        // The library may have the song under another id, or only from another service.
        let known =
            try reader.tracks.track(ofCatalogID: song.id, at: service, userID: userID)
            ?? reader.trackIdentity.track(sameAs: song.record, userID: userID)
        reference = known?.text ?? "\(service.rawValue):\(song.id)"
        isKnown = known != nil
        (title, artist, album) = (song.record.title, song.record.artist, song.record.album)
        (durationMs, isrc, isExplicit) = (song.record.durationMs, song.record.isrc, song.record.isExplicit)
        year = song.record.released.flatMap { Int(decimal: $0.text.prefix(4), in: 0...9_999) }
    }
}
