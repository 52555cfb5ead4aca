import Catalog
import Curation
import Gateway
import Library
import Listening
import Model
import Shares
import Storage
import Visibility

/// A track of a service's catalog, and the country whose catalog it is in; `nil` where the service has no such track. It
/// may ask the service in the person's name, and throws a ``Problem``.
package typealias CatalogTrackLookup =
    @Sendable (_ id: String, _ source: MusicSource, _ userID: String) async throws -> (
        track: CatalogTrack, market: String
    )?

/// The song of a message, as a person sees the message at this moment; `nil` for a message that is not in one of their
/// threads, that they do not see any longer, or that has no song.
package typealias SentSongLookup =
    @Sendable (_ messageID: NumberedID, _ userID: String, _ reader: any SQLReader) throws -> ShareSong?

/// Finds what a share of a song shows. Ids at services are taken from what the service itself has answered, and from the
/// library's source tracks: never from what a client says.
struct ShareSongs: Sendable {
    let database: Database
    let catalogTrack: CatalogTrackLookup
    let sentSong: SentSongLookup

    /// - Throws: a ``Problem`` that names the field of a song that is not there.
    func song(_ choice: ShareChoice, of userID: String) async throws -> ShareSong {
        switch choice {
        case .track(let id):
            return try await read(or: .unknownTrack) {
                try Self.track(id, of: userID, in: $0)
            }
        case .catalog(let source, let id):
            guard let song = try await catalogSong(id, of: source, userID: userID) else {
                throw Problem.unknownTrack(at: source)
            }
            return song
        case .listed(let list, let track): return try await listed(track, in: list, of: userID)
        case .listen(let id):
            return try await read(or: .unknownListen) { reader in
                guard let listen = try reader.listening.listen(id, userID: userID) else { return nil }
                if let track = listen.trackID, let song = try Self.track(track, of: userID, in: reader) { return song }
                // Programs that send listens may say anything, so their ids and codes are left out.
                return ShareSong(
                    title: listen.song.title, artists: [listen.song.artist], album: listen.song.album,
                    durationMs: listen.song.durationMilliseconds)
            }
        case .share(let id): return try await database.read { try sharedSong(id, of: userID, in: $0) }
        case .message(let id): return try await database.read { try messageSong(id, of: userID, in: $0) }
        }
    }

    /// The song of a choice in the transaction that sends it.
    ///
    /// - Parameter found: from ``song(_:of:)``.
    /// - Throws: a ``Problem`` for the song of a share or a message that the sender does not see any longer: it may have
    ///   been deleted since it was found, or one of the two people may have blocked the other.
    func song(
        _ choice: ShareChoice, found: ShareSong, of userID: String, in transaction: WriteTransaction
    ) throws -> ShareSong {
        switch choice {
        case .track, .catalog, .listed, .listen: found
        case .share(let id): try sharedSong(id, of: userID, in: transaction)
        case .message(let id): try messageSong(id, of: userID, in: transaction)
        }
    }

    private func sharedSong(_ id: ShareID, of userID: String, in reader: some SQLReader) throws -> ShareSong {
        guard let viewer = try reader.visibility.viewer(userID: userID),
            let share = try reader.shares.share(id, for: viewer, now: .now())
        else { throw Problem.unknownSharedSong }
        return share.song
    }

    private func messageSong(_ id: NumberedID, of userID: String, in reader: some SQLReader) throws -> ShareSong {
        guard let song = try sentSong(id, userID, reader) else { throw Problem.unknownSentSong }
        return song
    }

    private func read(
        or unknown: Problem, _ find: @escaping @Sendable (ReadTransaction) throws -> ShareSong?
    ) async throws -> ShareSong {
        guard let song = try await database.read(find) else { throw unknown }
        return song
    }

    // MARK: Sources

    /// A track of the library, with what its source tracks say.
    private static func track(_ id: LibraryID, of userID: String, in reader: ReadTransaction) throws -> ShareSong? {
        guard let id = try reader.trackIdentity.survivor(of: id, userID: userID),
            let track = try reader.tracks.track(id, userID: userID)
        else { return nil }
        let sources = try reader.tracks.sourceTracks(ofTrack: id, userID: userID)
        let apple = sources.lazy.filter { $0.source == .appleMusic }.compactMap { source in
            source.catalogID.flatMap { ShareSong.AppleID($0, country: source.storefront) }
        }.first
        return ShareSong(
            title: track.title, artists: [track.artist], album: track.album, durationMs: track.durationMs,
            isrc: sources.first { $0.source != .file && $0.isrc != nil }?.isrc, isExplicit: track.isExplicit,
            picture: Picture(address: track.artworkURL), preview: sources.lazy.compactMap(\.previewURL).first,
            spotifyID: sources.first { $0.source == .spotify }?.sourceID, apple: apple)
    }

    private func catalogSong(_ id: String, of source: MusicSource, userID: String) async throws -> ShareSong? {
        guard let (track, market) = try await catalogTrack(id, source, userID) else { return nil }
        return ShareSong(track, of: source, market: market)
    }

    /// A song of a list. If its service cannot be asked now, the song is shown as the list has it.
    private func listed(_ track: String, in list: String, of userID: String) async throws -> ShareSong {
        let found = try await database.read { reader -> (CuratedTrack, ShareSong?)? in
            guard let list = try reader.curation.list(list, userID: userID),
                let item = try reader.curation.tracks(of: list).first(where: { $0.reference == track })
            else { return nil }
            guard let id = LibraryID(item.reference) else { return (item, nil) }
            return (item, try Self.track(id, of: userID, in: reader))
        }
        guard let (item, song) = found else {
            throw Problem.unknownListedSong
        }
        if let song { return song }
        var spotifyID: String?
        if case .catalog(let source, let id) = SongReference(item.reference), source.isTrackID(id) {
            if let song = try? await catalogSong(id, of: source, userID: userID) { return song }
            // Spotify gave it when the song was looked up for the list.
            if source == .spotify { spotifyID = id }
        }
        let shown = ShareSong(
            title: item.title, artists: [item.artist], album: item.album, durationMs: item.durationMs,
            spotifyID: spotifyID)
        guard let shown else { throw Problem.unknownSong("$.song.itemId", "the song has no title or no artist.") }
        return shown
    }
}

extension ShareSong {
    /// A track as the service describes it.
    fileprivate init?(_ track: CatalogTrack, of source: MusicSource, market: String) {
        self.init(
            title: track.title, artists: track.artists.map(\.name), album: track.album?.name,
            durationMs: track.durationMs, isrc: track.isrc, isExplicit: track.isExplicit,
            picture: Picture(sizes: track.pictures), spotifyID: source == .spotify ? track.sourceID : nil,
            apple: source == .appleMusic ? AppleID(track.sourceID, country: market) : nil)
    }
}
