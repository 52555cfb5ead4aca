import Identity
import Model

/// The values of a track that people see and sort by, which follow from those of its source tracks.
///
/// The rules are those of the first app (`shared/seeds/002`, "Metadata Merge Behaviour"): what Apple Music says comes
/// first, and what one source does not say is taken from the other. Neither the order of syncs nor that of merges
/// matters, so that a source's removal leaves what the other says.
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
    /// The earliest date of its saved source tracks, or else of those in playlists; without any, when it was first
    /// seen.
    var addedAt: Timestamp
    var plays: Int
    /// The sum of the numbers of its sources.
    var sources: Int
    /// Whether a source has it in the library, or had it.
    var isSaved: Bool
    /// Since when no source has it in the library any more.
    var missingSince: Timestamp?

    /// - Parameter parts: the source tracks of the track, at least one.
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
        // Both from one source track: two may be of different albums.
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

    /// The place on an album, by disc and then by number; unknown numbers are last.
    var albumPosition: Int {
        func bounded(_ number: Int) -> Int { min(max(number, 0), 9_999) }
        return bounded(discNumber ?? 1) * 10_000 + bounded(trackNumber ?? 9_999)
    }
}

extension SourceTrackRow {
    /// Whether it comes before another one of its track: Apple Music's first, then what the library has before what
    /// only a playlist has. The service's ids decide the rest, since our own follow from when a row was read.
    func precedes(_ other: SourceTrackRow) -> Bool {
        let (left, right) = ((source.number, isSaved ? 0 : 1), (other.source.number, other.isSaved ? 0 : 1))
        return left == right ? listing < other.listing : left < right
    }
}
