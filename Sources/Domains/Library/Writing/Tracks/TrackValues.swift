import Identity
import Library
import Model

/// The values of a track that people see and sort by, merged from its source tracks.
///
/// Apple Music's values take precedence, and missing values are filled in from the other source. The result depends
/// neither on the order of syncs nor on that of merges, so that after a source is removed, the values of the other one
/// remain.
struct TrackValues: Sendable, Hashable {
    var title: String
    var artist: String
    var album: String
    var albumArtist: String?
    var composer: String?
    var genres: [String]
    var durationMs: Int?
    var isrc: String?
    var isExplicit: Bool?
    var discNumber: Int?
    var trackNumber: Int?
    var releaseDate: ReleaseDate?
    var artworkURL: String?
    /// The earliest date of its saved source tracks, or of those in playlists if none is saved; without any date, when
    /// it was first seen.
    var addedAt: Timestamp
    var plays: Int
    /// The sum of the numbers of its sources.
    var sources: Int
    /// Whether the track is, or was, in a source's library.
    var isSaved: Bool
    /// When the track disappeared from the last source's library that had it.
    var missingSince: Timestamp?

    /// - Parameter parts: the track's source tracks; at least one.
    init(of parts: [SourceTrackRow]) {
        precondition(!parts.isEmpty, "A track has a source track")
        let ordered = parts.sorted { $0.precedes($1) }
        let tracks = ordered.map(\.track)
        func first<Value>(_ value: (SourceTrack) -> Value?) -> Value? {
            for track in tracks { if let found = value(track) { return found } }
            return nil
        }
        func text(_ value: (SourceTrack) -> String) -> String {
            first { value($0).isEmpty ? nil : value($0) } ?? ""
        }
        title = text(\.title)
        artist = text(\.artist)
        album = text(\.album)
        albumArtist = first(\.albumArtist)
        composer = first(\.composer)
        genres = GenreList.union(tracks.map(\.genres))
        durationMs = first(\.durationMs)
        isrc = first(\.isrc)
        isExplicit = first(\.isExplicit)
        // Both numbers are from one source track, since two source tracks may be on different albums.
        let numbered = tracks.first { $0.trackNumber != nil } ?? tracks[0]
        (discNumber, trackNumber) = (numbered.discNumber, numbered.trackNumber)
        releaseDate = first(\.releaseDate)
        artworkURL = first(\.artworkURL)
        plays = tracks.compactMap(\.playCount).max() ?? 0
        sources = Set(parts.map(\.source)).reduce(0) { $0 + $1.number }
        let saved = parts.filter(\.isSaved)
        let dated = saved.isEmpty ? parts : saved
        addedAt = dated.compactMap(\.track.addedAt).min() ?? dated.map(\.createdAt).min() ?? ordered[0].createdAt
        isSaved = !saved.isEmpty
        let isPresent = saved.contains { $0.missingSince == nil }
        missingSince = isPresent ? nil : saved.compactMap(\.missingSince).max()
    }

    /// The position on the album, by disc and then by track number; unknown numbers come last.
    var albumPosition: Int {
        func bounded(_ number: Int) -> Int { min(max(number, 0), 9_999) }
        return bounded(discNumber ?? 1) * 10_000 + bounded(trackNumber ?? 9_999)
    }
}
