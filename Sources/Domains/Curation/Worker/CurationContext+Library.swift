import Curation
import Library
import Listening
import Model
import Storage

extension CurationContext {
    /// Reads what a person's library and listens contribute to a request.
    ///
    /// - Parameter plan: what a model has requested; `nil` without a model.
    init(
        _ request: CurationRequest, plan: CurationPlan?, userID: String, in reader: ReadTransaction, now: Timestamp
    ) throws {
        let analysis = PromptAnalysis(request.wish)
        var seeds: [LibraryTrack] = []
        var present: Set<LibraryID> = []
        var sessions: [ListeningSession] = []
        if request.kind != .playlist {
            sessions = try reader.listening.latestSessions(userID: userID, ofListens: Self.listens)
        }
        if let playlist = try request.playlist.flatMap({ try reader.playlists.playlist($0, userID: userID) }) {
            seeds = try reader.playlists.songs(ofPlaylist: playlist, userID: userID, limit: 500)
            present = try reader.playlists.songIDs(ofPlaylist: playlist, userID: userID)
        } else if !request.basedOn.isEmpty {
            let found = try reader.tracks.presentTracks(request.basedOn, userID: userID)
            seeds = request.basedOn.compactMap { found[$0] }
        } else if request.kind == .recommendations {
            let heard = Self.heardMost(in: sessions, since: now.advanced(by: .seconds(-30 * 86_400)))
            let found = try reader.tracks.presentTracks(heard, userID: userID)
            seeds = heard.compactMap { found[$0] }
        }

        var query = CandidateQuery(seed: request.seed)
        query.artists = analysis.phrases + seeds.prefix(100).map(\.artist) + (plan?.artists ?? [])
        query.genreWords =
            analysis.genreWords.sorted() + (plan?.genres ?? []).flatMap { FoldedText.words(of: $0) }
        query.years = analysis.years + [plan?.years].compactMap { $0 }
        var tracks = try reader.tracks.candidates(query, userID: userID)
        let first = seeds.prefix(100).map(\.id)
        let neighbors = try reader.playlists.playlistNeighbors(ofTracks: first, userID: userID, limit: 300)
        let onAlbums = try reader.albums.albumNeighbors(ofTracks: first, userID: userID, limit: 300)
        let heardWith = SongNeighbor.neighbors(of: first, in: sessions.map(\.tracks), limit: 300)
        let feedback = try SongFeedback(of: userID, in: reader)
        let known = Set(tracks.map(\.id))
        let further = Set(neighbors.keys).union(heardWith.keys).union(onAlbums.keys)
            .union(feedback.loved.prefix(Self.lovedSongs)).subtracting(known).sorted()
        let found = try reader.tracks.presentTracks(further, userID: userID)
        tracks += further.compactMap { found[$0] }

        let mostListed = neighbors.values.map(\.weight).max() ?? 1
        let mostHeard = heardWith.values.map(\.weight).max() ?? 1
        let mostOnAlbums = onAlbums.values.map(\.weight).max() ?? 1
        var candidates = tracks.map { track in
            var song = CandidateSong(track)
            let (listed, heard) = (neighbors[track.id] ?? SongNeighbor(), heardWith[track.id] ?? SongNeighbor())
            (song.sharedPlaylists, song.sharedSessions) = (listed.groups, heard.groups)
            song.connection = listed.weight / mostListed + heard.weight / mostHeard
            song.isLoved = feedback.lovedTracks.contains(track.id)
            if let albums = onAlbums[track.id] {
                (song.sharedAlbums, song.albumConnection) = (albums.groups, albums.weight / mostOnAlbums)
            }
            return song
        }
        if let strongest = candidates.map(\.connection).max(), strongest > 0 {
            for index in candidates.indices { candidates[index].connection /= strongest }
        }
        let names = Set(tracks.map(\.artist))
        let counts = try reader.tracks.songCounts(ofArtists: names, userID: userID)
        let heardSince = (request.heardWithinDays ?? analysis.heardWithinDays).map {
            now.advanced(by: .seconds(-$0 * 86_400))
        }
        let heard = try heardSince.map { try reader.listening.tracksHeard(since: $0, userID: userID) } ?? []
        self.init(
            candidates: candidates, seeds: seeds.map { CandidateSong($0) },
            artists: counts.map { KnownArtist(name: $0.key, songs: $0.value) },
            heard: Set(heard.map { LibraryID(key: $0).text }),
            present: Set(present.union(seeds.map(\.id)).map(\.text)),
            remastersAreSame: try reader.trackIdentity.remastersAreSame(userID: userID),
            libraryVersion: try reader.library.summary(userID: userID).change)
        excluded = try reader.tracks.names(of: request.excludedTracks, userID: userID)
        let dismissals = try reader.curation.dismissals(userID: userID)
        dismissed = try reader.tracks.names(of: dismissals.map(\.reference), userID: userID).union(feedback.hatedNames)
        dismissedSongs = dismissals.compactMap(\.song) + feedback.hated
        // A list made from the library alone has no other songs.
        if let heardSince, request.source != .library {
            heardElsewhere = try reader.listening.songsHeardElsewhere(since: heardSince, userID: userID)
        }
    }

    /// How many of the latest listens are searched for songs that are heard together.
    private static let listens = 10_000
    /// How many of a person's loved songs, the latest first, are candidates regardless of anything else.
    private static let lovedSongs = 300

    /// The tracks that were heard in the most sessions since a moment, at most 20.
    private static func heardMost(in sessions: [ListeningSession], since moment: Timestamp) -> [LibraryID] {
        var counts: [Int64: Int] = [:]
        for session in sessions where session.began >= moment {
            for track in session.tracks { counts[track, default: 0] += 1 }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(20).map { LibraryID(key: $0.key) }
    }
}

extension CandidateSong {
    init(_ track: LibraryTrack) {
        self.init(
            reference: track.id.text, title: track.title, artist: track.artist, album: track.album, origin: .library)
        genres = track.genres
        year = track.releaseDate.flatMap { Int(decimal: $0.prefix(4), in: 0...9_999) }
        durationMs = track.durationMs
        isrc = track.isrc
        isExplicit = track.isExplicit
        plays = track.playCount
        addedAt = track.addedAt
    }
}
