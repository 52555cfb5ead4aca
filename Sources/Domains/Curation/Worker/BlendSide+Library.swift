import Curation
import Library
import Model
import Storage

extension BlendSide {
    /// Reads what a person's library contributes to a blend with another person's.
    init(
        of userID: String, with otherID: String, seed: Int, services: [MusicSource], in reader: ReadTransaction
    ) throws {
        var tracks = try reader.tracks.candidates(CandidateQuery(seed: seed), userID: userID)
        let known = Set(tracks.map(\.id))
        // The same for both sides, so that shared songs are recognized.
        let isFirst = userID < otherID
        let shared = try reader.tracks.sharedTracks(
            of: isFirst ? userID : otherID, with: isFirst ? otherID : userID, seed: seed, limit: 500)
        tracks += (isFirst ? shared.own : shared.other).filter { !known.contains($0.id) }
        let feedback = try SongFeedback(of: userID, in: reader)
        let dismissals = try reader.curation.dismissals(userID: userID)
        let ids = try reader.tracks.catalogIDs(ofTracks: tracks.map(\.id), userID: userID)
        let artists = try reader.tracks.songCounts(ofArtists: Set(tracks.map(\.artist)), userID: userID)
        self.init(
            songs: tracks.map { track in
                var candidate = CandidateSong(track)
                candidate.isLoved = feedback.lovedTracks.contains(track.id)
                return Song(candidate, catalogIDs: ids[track.id] ?? [:])
            },
            artists: artists.map { KnownArtist(name: $0.key, songs: $0.value) }, services: services,
            dismissed: try reader.tracks.names(of: dismissals.map(\.reference), userID: userID).union(
                feedback.hatedNames),
            dismissedSongs: dismissals.compactMap(\.song) + feedback.hated)
    }
}
