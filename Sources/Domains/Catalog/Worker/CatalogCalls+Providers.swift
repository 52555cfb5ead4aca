import Catalog
import Contracts
import Connections
import Model
import Spotify
import Storage
import Workers

extension CatalogCalls {
    /// Asks with people's own connections: Spotify for searches and top lists, the service that is named for items.
    init(spotify: SpotifyProvider, appleMusic: AppleMusicProvider, database: Database) {
        self.init(
            search: { search, userID in
                let found = try await spotify.call(userID: userID, isAwaited: true) {
                    try await $0.search(search.text, types: search.types, offset: search.offset)
                }
                var answers: [CatalogType: CatalogAnswer] = [:]
                answers[.track] = found.tracks.map { .tracks($0) }
                answers[.album] = found.albums.map { .albums($0) }
                answers[.artist] = found.artists.map { .artists($0) }
                answers[.playlist] = found.playlists.map { .playlists($0) }
                return answers
            },
            top: { top, userID in
                let scopes = TypedJobKind.catalogTop.kind.scopes(at: .spotify)
                return try await spotify.call(userID: userID, scopes: scopes, isAwaited: true) { client in
                    switch top.list {
                    case .artists: .artists(try await client.topArtists(top.range))
                    case .tracks: .tracks(try await client.topTracks(top.range))
                    }
                }
            },
            item: { item, userID in
                switch item.source {
                case .spotify:
                    try await spotify.call(userID: userID, isAwaited: true) { try await $0.catalogAnswer(to: item) }
                case .appleMusic:
                    try await appleMusic.call(userID: userID, isAwaited: true) { try await $0.catalogAnswer(to: item) }
                case .file: preconditionFailure("Files have no catalog")
                }
            },
            account: { source, userID in
                guard let provider = source.provider else { return nil }
                return try await database.read { reader in
                    try reader.connections.record(userID: userID, provider: provider.rawValue)?.consentMark
                }
            })
    }
}

extension SpotifyClient {
    fileprivate func catalogAnswer(to item: CatalogItemPayload) async throws -> CatalogAnswer {
        switch item.type {
        case .track: try await track(item.id).map { .item(CatalogItem(.track($0))) } ?? .missing
        case .album: try await albumAnswer(item)
        case .artist: try await artistAnswer(item)
        case .playlist: try await playlistAnswer(item)
        }
    }

    private func albumAnswer(_ item: CatalogItemPayload) async throws -> CatalogAnswer {
        if item.offset > 0 {
            let page = try await tracks(ofAlbum: item.id, offset: item.offset)
            return page.map { .item(CatalogItem(nil, tracks: $0)) } ?? .missing
        }
        guard let (album, tracks) = try await album(item.id) else { return .missing }
        return .item(CatalogItem(.album(album), tracks: tracks))
    }

    private func artistAnswer(_ item: CatalogItemPayload) async throws -> CatalogAnswer {
        if item.offset > 0 {
            let page = try await albums(ofArtist: item.id, offset: item.offset)
            return page.map { .item(CatalogItem(nil, albums: $0)) } ?? .missing
        }
        guard let artist = try await artist(item.id) else { return .missing }
        return .item(CatalogItem(.artist(artist), albums: try await albums(ofArtist: item.id, offset: 0)))
    }

    /// Apps in development mode see no tracks of other people's playlists.
    private func playlistAnswer(_ item: CatalogItemPayload) async throws -> CatalogAnswer {
        var subject: CatalogItem.Subject?
        if item.offset == 0 {
            guard let playlist = try await playlist(item.id) else { return .missing }
            subject = .playlist(playlist)
        }
        return switch try await tracks(ofPlaylist: item.id, offset: item.offset) {
        case .value(let page): .item(CatalogItem(subject, tracks: page))
        case .forbidden, .nothing: .item(CatalogItem(subject))
        case .notFound: .missing
        }
    }
}
