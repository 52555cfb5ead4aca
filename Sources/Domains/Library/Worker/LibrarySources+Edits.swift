import AppleMusic
import Contracts
import Library
import LibraryEdits
import LibraryWriting
import Model
import Spotify

/// The services, as edits write to them.
extension LibrarySources {
    /// The most Spotify songs that are described one by one. The next sync describes the rest.
    private static let mostDescribed = 50

    func editing(_ source: MusicSource, userID: String) async throws -> EditUpstream {
        let libraries = try await sources(userID: userID)
        guard let library = libraries.first(where: { $0.source == source }) else {
            preconditionFailure("\(source) has no library")
        }
        var upstream: EditUpstream
        switch source {
        case .spotify: upstream = spotifyEditing(library, userID: userID)
        case .appleMusic:
            let storefront = try await database.read { try $0.library.storefront(of: .appleMusic, userID: userID) }
            upstream = appleMusicEditing(library, userID: userID, storefront: storefront)
        case .file: preconditionFailure("Nothing is written to files")
        }
        upstream.asksForAdmission = true
        return upstream
    }

    // MARK: Spotify

    private func spotifyEditing(_ library: LibrarySource, userID: String) -> EditUpstream {
        let (saved, lists) = (SpotifyScopes.libraryWriting, SpotifyScopes.playlistWriting)
        return EditUpstream(
            library: library,
            save: { [self] tracks in
                try await spotify.call(userID: userID, scopes: saved) { try await $0.save(tracks: tracks.map(\.id)) }
            },
            unsave: { [self] tracks in
                try await spotify.call(userID: userID, scopes: saved) { try await $0.unsave(tracks: tracks.map(\.id)) }
            },
            areSaved: { [self] tracks in
                try await spotify.call(userID: userID) { try await $0.areSaved(tracks: tracks.map(\.id)) }
            },
            create: { [self] name, description, isPublic in
                let made = try await spotify.call(userID: userID, scopes: lists) {
                    try await $0.createPlaylist(name: name, description: description, isPublic: isPublic)
                }
                return EditUpstream.CreatedPlaylist(
                    sourceID: made.id, version: made.version, ownerID: made.ownerID, ownerName: made.ownerName)
            },
            append: { [self] playlist, tracks in
                try await spotify.call(userID: userID, scopes: lists) {
                    try await $0.add(tracks: tracks.map(\.id), to: playlist)
                }
            },
            insert: { [self] playlist, tracks, position in
                try await spotify.call(userID: userID, scopes: lists) {
                    try await $0.add(tracks: tracks.map(\.id), to: playlist, at: position)
                }
            },
            remove: { [self] playlist, ids in
                try await spotify.call(userID: userID, scopes: lists) {
                    try await $0.removeAllEntries(of: ids, from: playlist)
                }
            },
            rename: { [self] playlist, name, description in
                try await spotify.call(userID: userID, scopes: lists) {
                    try await $0.changeDetails(of: playlist, name: name, description: description)
                }
            },
            mark: { [self] playlist in
                let state = try await spotify.call(userID: userID) { try await $0.playlistState(playlist) }
                guard let state else { return nil }
                guard let count = state.entryCount else {
                    throw ProviderFailure(
                        .spotify, .unreadable, message: "Spotify does not say how many songs the playlist has.")
                }
                return PlaylistMark(count: count, version: state.version)
            },
            describe: { [self] ids in
                var tracks: [SourceTrack] = []
                // Apps in development mode may only ask for one at a time.
                for id in ids.prefix(Self.mostDescribed) {
                    let track = try await spotify.call(userID: userID) { try await $0.track(id) }
                    if let track { tracks.append(SourceTrack(track, id: id)) }
                }
                return tracks
            })
    }

    // MARK: Apple Music

    private func appleMusicEditing(_ library: LibrarySource, userID: String, storefront: String?) -> EditUpstream {
        EditUpstream(
            library: library,
            save: { [appleMusic] tracks in
                try await appleMusic.call(userID: userID) { try await $0.save(songs: tracks.map(\.id)) }
            },
            create: { [appleMusic] name, description, _ in
                let id = try await appleMusic.call(userID: userID) {
                    try await $0.createPlaylist(name: name, description: description)
                }
                return EditUpstream.CreatedPlaylist(sourceID: id, version: nil)
            },
            append: { [appleMusic] playlist, tracks in
                try await appleMusic.call(userID: userID) {
                    try await $0.add(songs: tracks.map(\.id), to: playlist)
                }
                return nil
            },
            mark: { [appleMusic] playlist in
                let count = try await appleMusic.call(userID: userID) { try await $0.entryCount(of: playlist) }
                if let count { return PlaylistMark(count: count, version: nil) }
                return try await Self.countedMark(of: playlist, library)
            },
            describe: { [appleMusic] ids in
                guard let storefront else { return [] }
                var tracks: [SourceTrack] = []
                for id in ids.prefix(Self.mostDescribed) {
                    let track = try await appleMusic.call(userID: userID) {
                        try await $0.song(id, storefront: storefront)
                    }
                    guard let track else { continue }
                    var song = SourceTrack(track, id: id)
                    (song.catalogID, song.storefront) = (id, storefront)
                    tracks.append(song)
                }
                return tracks
            })
    }

    /// Counts the entries of a playlist whose number Apple does not report.
    ///
    /// - Returns: `nil` for a playlist that no longer exists.
    private static func countedMark(of playlist: String, _ library: LibrarySource) async throws -> PlaylistMark? {
        var count = 0
        var offset: Int? = 0
        while let start = offset {
            switch try await library.entries(playlist, start) {
            case .page(let page):
                count += page.entryCount
                offset = page.nextOffset
            case .empty: offset = nil
            case .forbidden: return nil
            }
        }
        return PlaylistMark(count: count, version: nil)
    }
}

extension SourceTrack {
    /// A song as a catalog describes it.
    fileprivate init(_ track: CatalogTrack, id: String) {
        self.init(
            sourceID: id, title: track.title, artist: track.artists.joinedNames, album: track.album?.name ?? "")
        durationMs = track.durationMs
        isrc = track.isrc
        isExplicit = track.isExplicit
        (discNumber, trackNumber, releaseDate) = (track.discNumber, track.trackNumber, track.releaseDate)
        artworkURL = track.pictures.max { ($0.width ?? 0) < ($1.width ?? 0) }?.address
    }
}
