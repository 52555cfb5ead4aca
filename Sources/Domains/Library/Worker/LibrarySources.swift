import AppleMusic
import Contracts
import Library
import LibraryWriting
import Connections
import Model
import Spotify
import Storage
import Synchronization
import Workers

/// The services whose libraries this worker reads.
package struct LibrarySources: Sendable {
    let spotify: SpotifyProvider
    let appleMusic: AppleMusicProvider
    let database: Database

    package init(_ process: WorkerProcess) throws {
        spotify = try process.providers.spotify()
        appleMusic = try process.providers.appleMusic()
        database = process.database
    }

    /// A value for every source. Calls to one that cannot be read fail with the reason.
    func sources(userID: String) async throws -> [LibrarySource] {
        let storefront = try await database.read { try $0.library.storefront(of: .appleMusic, userID: userID) }
        return [appleMusicLibrary(userID: userID, storefront: storefront), spotifyLibrary(userID: userID)]
    }

    /// The sources that a person has connected, including those that have to be reconnected.
    package func connected(userID: String) async throws -> [MusicSource] {
        let now = Timestamp.now()
        return try await database.read { [installation = spotify.clientID] reader in
            let apps = try reader.connections.spotifyApps(userID: userID, installation: installation)
            return try MusicSource.services.filter { source in
                guard let provider = source.provider,
                    let record = try reader.connections.record(userID: userID, provider: provider.rawValue)
                else { return false }
                let state = try record.connectionState(
                    at: now, clientID: source == .spotify ? apps.client(of: record) : nil)
                return switch state {
                case .disconnected, .authorizing(until: _, after: .none): false
                case .authorizing, .connected, .degraded, .needsReconnect: true
                }
            }
        }
    }

    // MARK: Spotify

    private func spotifyLibrary(userID: String) -> LibrarySource {
        let (saved, listed) = (["user-library-read"], ["playlist-read-collaborative", "playlist-read-private"])
        return LibrarySource(
            .spotify, pageSize: SpotifyClient.libraryPageSize,
            account: { [spotify] in try await spotify.accountID(userID: userID) },
            // The account's id from the time before Spotify sent an `account_id`.
            formerAccount: { [database] in
                try await database.read { reader in
                    try reader.connections.record(userID: userID, provider: Provider.spotify.rawValue)?.accountUserID
                }
            },
            tracks: { [self] offset in
                try await callSpotify(userID, scopes: saved) { try await $0.savedTracks(offset: offset) }
            },
            playlists: { [self] offset in
                try await callSpotify(userID, scopes: listed) { try await $0.playlists(offset: offset) }
            },
            entries: { [self] id, offset in
                let answer = try await callSpotify(userID, scopes: listed) {
                    try await $0.playlistEntries(of: id, offset: offset)
                }
                return switch answer {
                case .value(let page): .page(page)
                case .nothing: .empty
                // The playlist was deleted since the list was read; the next sync will show that.
                case .forbidden, .notFound: .forbidden
                }
            },
            albums: { [self] offset in
                try await callSpotify(userID, scopes: saved) { try await $0.savedAlbums(offset: offset) }
            })
    }

    private func callSpotify<Value: Sendable>(
        _ userID: String, scopes: [String], _ body: (SpotifyClient) async throws -> Value
    ) async throws -> Value {
        try await spotify.call(userID: userID, scopes: scopes, urgency: .background, body)
    }

    // MARK: Apple Music

    private func appleMusicLibrary(userID: String, storefront known: String?) -> LibrarySource {
        let country = KnownStorefront(known)
        return LibrarySource(
            .appleMusic, pageSize: AppleMusicClient.libraryPageSize,
            account: { [appleMusic] in try await appleMusic.credentialMark(userID: userID) },
            storefront: { [appleMusic] in
                let asked = try await appleMusic.call(userID: userID, urgency: .background) {
                    try await $0.storefront()
                }
                country.set(asked)
                return asked
            },
            tracks: { [appleMusic] offset in
                let storefront = try country.text
                return try await appleMusic.call(userID: userID, urgency: .background) {
                    // Most songs need no lookup, since most pages are unchanged.
                    try await $0.librarySongs(offset: offset, storefront: storefront, looksUpISRCs: false)
                }
            },
            complete: { [self] tracks in
                try await completed(tracks, userID: userID, storefront: try country.text)
            },
            playlists: { [appleMusic] offset in
                try await appleMusic.call(userID: userID, urgency: .background) {
                    try await $0.libraryPlaylists(offset: offset)
                }
            },
            entries: { [appleMusic] id, offset in
                let storefront = try country.text
                return try await appleMusic.call(userID: userID, urgency: .background) { client in
                    do {
                        let page = try await client.playlistEntries(of: id, offset: offset, storefront: storefront)
                        return page.map { EntriesAnswer.page($0) } ?? .empty
                    } catch AppleMusicError.requestRefused(status: 404, code: _) {
                        // Deleted since the list was read, as above.
                        return .forbidden
                    }
                }
            },
            albums: { [appleMusic] offset in
                try await appleMusic.call(userID: userID, urgency: .background) {
                    try await $0.libraryAlbums(offset: offset)
                }
            })
    }

    /// Looks up the ISRCs of songs that have none and were not looked up before.
    private func completed(
        _ tracks: [SourceTrack], userID: String, storefront: String
    ) async throws -> [SourceTrack] {
        guard tracks.contains(where: { $0.isrc == nil && $0.catalogID != nil }) else { return tracks }
        let ids = try await database.read {
            try $0.tracks.tracksToLookUp(among: tracks, source: .appleMusic, userID: userID)
        }
        let wanted = tracks.filter { ids.contains($0.sourceID) }
        guard !wanted.isEmpty else { return tracks }
        let found = try await appleMusic.call(userID: userID, urgency: .background) {
            try await $0.lookingUpISRCs(of: wanted, storefront: storefront)
        }
        let byID = Dictionary(found.map { ($0.sourceID, $0) }) { first, _ in first }
        return tracks.map { byID[$0.sourceID] ?? $0 }
    }
}

/// A person's storefront, which the sync asks for.
private final class KnownStorefront: Sendable {
    private let state: Mutex<String?>

    init(_ known: String?) {
        state = Mutex(known)
    }

    func set(_ storefront: String) { state.withLock { $0 = storefront } }

    var text: String {
        get throws {
            guard let storefront = state.withLock({ $0 }) else {
                throw ProviderFailure(
                    .appleMusic, .unreadable,
                    message: "Apple Music has not reported the country of the person's account.")
            }
            return storefront
        }
    }
}
