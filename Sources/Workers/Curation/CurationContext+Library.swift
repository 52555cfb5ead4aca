import Curation
import Library
import Listening
import Model
import Storage

extension CurationContext {
    /// Reads what a person's library and listens say about a request.
    init(_ request: CurationRequest, userID: String, in reader: ReadTransaction, now: Timestamp) throws {
        let reading = PromptReading(request.wish)
        let library = reader.library
        var seeds: [LibraryTrack] = []
        if let playlist = try request.playlist.flatMap({ try library.playlist($0, userID: userID) }) {
            seeds = try library.songs(ofPlaylist: playlist, userID: userID, limit: 500)
        } else if !request.basedOn.isEmpty {
            let found = try library.presentTracks(request.basedOn, userID: userID)
            seeds = request.basedOn.compactMap { found[$0] }
        }

        var query = CandidateQuery(seed: request.seed)
        query.artists = reading.phrases + seeds.prefix(100).map(\.artist)
        query.genreWords = reading.genreWords.sorted()
        query.years = reading.years
        var tracks = try library.candidates(query, userID: userID)
        let neighbours = try library.playlistNeighbours(
            ofTracks: seeds.prefix(100).map(\.id), userID: userID, limit: 300)
        let known = Set(tracks.map(\.id))
        let further = neighbours.keys.filter { !known.contains($0) }.sorted()
        let found = try library.presentTracks(further, userID: userID)
        tracks += further.compactMap { found[$0] }

        let candidates = tracks.map { CandidateSong($0, sharedPlaylists: neighbours[$0.id] ?? 0) }
        let names = Set(tracks.map(\.artist))
        let counts = try library.songCounts(ofArtists: names, userID: userID)
        var heard: Set<String> = []
        if let days = request.heardWithinDays ?? reading.heardWithinDays {
            let since = now.advanced(by: .seconds(-days * 86_400))
            heard = Set(
                try reader.listening.tracksHeard(since: since, userID: userID).map { LibraryID(key: $0).text })
        }
        self.init(
            candidates: candidates, seeds: seeds.map { CandidateSong($0, sharedPlaylists: 0) },
            artists: counts.map { KnownArtist(name: $0.key, songs: $0.value) }, heard: heard,
            // A list that goes with some songs does not repeat them.
            present: Set(seeds.map(\.id.text)).union(try reader.curation.dismissals(userID: userID)),
            remastersAreSame: try library.remastersAreSame(userID: userID),
            libraryVersion: try library.summary(userID: userID).change)
    }
}

extension CandidateSong {
    init(_ track: LibraryTrack, sharedPlaylists: Int) {
        self.init(
            reference: track.id.text, title: track.title, artist: track.artist, album: track.album, origin: .library)
        genres = track.genres
        year = track.releaseDate.flatMap { Int($0.prefix(4)) }
        durationMs = track.durationMs
        isrc = track.isrc
        isExplicit = track.isExplicit
        plays = track.playCount
        addedAt = track.addedAt
        self.sharedPlaylists = sharedPlaylists
    }
}
