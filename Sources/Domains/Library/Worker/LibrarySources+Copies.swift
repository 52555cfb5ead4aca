import AppleMusic
import Contracts
import Identity
import Library
import LibraryEdits
import Connections
import Model
import Spotify
import Storage

/// The services' catalogs, in which copies look for songs.
extension LibrarySources {
    package func copying(_ source: MusicSource, userID: String) async throws -> CopyCatalog {
        switch source {
        case .spotify:
            return CopyCatalog(
                codesPerCall: 1,
                withCodes: { [self] codes in
                    var found: [CopyCandidate] = []
                    for code in codes { found += try await searchSpotify("isrc:\(code)", 0, userID: userID) }
                    return found
                },
                search: { [self] text, offset in
                    try await searchSpotify(text.withoutSearchFields, offset, userID: userID)
                })
        case .appleMusic:
            let known = try await database.read { try $0.library.storefront(of: .appleMusic, userID: userID) }
            guard let storefront = known else { throw EditRefusal.sourceNotRead(.appleMusic) }
            return CopyCatalog(
                codesPerCall: AppleMusicClient.mostCodes,
                withCodes: { [appleMusic] codes in
                    try await appleMusic.call(userID: userID) {
                        try await $0.songs(withCodes: codes, storefront: storefront)
                    }.map { CopyCandidate($0, of: .appleMusic) }
                },
                search: { [appleMusic] text, offset in
                    try await appleMusic.call(userID: userID) {
                        try await $0.searchSongs(text, offset: offset, storefront: storefront)
                    }.map { CopyCandidate($0, of: .appleMusic) }
                })
        case .file: preconditionFailure("Files have no catalog")
        }
    }

    private func searchSpotify(_ text: String, _ offset: Int, userID: String) async throws -> [CopyCandidate] {
        let found = try await spotify.call(userID: userID) {
            try await $0.search(text, types: [.track], offset: offset)
        }
        return found.tracks?.items.map { CopyCandidate($0, of: .spotify) } ?? []
    }

    /// The person's ids at Spotify, by which their own playlists are recognized.
    func ownSpotifyIDs(userID: String) async throws -> [String] {
        let record = try await database.read {
            try $0.connections.record(userID: userID, provider: Provider.spotify.rawValue)
        }
        return [record?.accountUserID, record?.accountID].compactMap { $0 }
    }
}

extension String {
    /// The text of a search at Spotify, which would read a word before a colon as the name of a field.
    fileprivate var withoutSearchFields: String { String(map { $0 == ":" || $0 == "\"" ? " " : $0 }) }
}

extension CopyCandidate {
    fileprivate init(_ track: CatalogTrack, of source: MusicSource) {
        self.init(
            id: track.sourceID,
            record: IdentityRecord(
                title: track.title, artist: track.artists.joinedNames, album: track.album?.name ?? "",
                durationMs: track.durationMs, released: track.releaseDate, isrc: track.isrc,
                isExplicit: track.isExplicit, isClean: source.isClean(track.isExplicit)))
    }
}
