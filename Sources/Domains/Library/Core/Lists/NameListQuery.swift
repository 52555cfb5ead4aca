import Model
import Storage

/// What a page of the list of playlists or albums shows. Both lists are sorted by name.
package struct NameListQuery: Sendable {
    /// A position in the order of names; equal names are ordered by id.
    package typealias Position = Cursor<String, Int>

    /// The source to show; `nil` for all sources.
    package var source: MusicSource?
    /// The text that names must contain; `nil` for all names.
    package var search: SearchQuery?
    /// The artist whose albums are shown; `nil` for all artists. Playlists have no artist.
    package var artist: ArtistFilter?
    package var start: ListStart<Position>
    /// The maximum number of items on the page; at least 1.
    package var limit: Int

    package init(
        source: MusicSource? = nil, search: SearchQuery? = nil, artist: ArtistFilter? = nil,
        start: ListStart<Position> = .after(nil), limit: Int
    ) {
        self.source = source
        self.search = search
        self.artist = artist
        self.start = start
        self.limit = limit
    }

    /// The SQL condition for the source, beginning with ` AND`.
    var condition: SQL { source.map { " AND source = \($0.number)" } ?? "" }
}

/// The paged lists of a library other than the list of tracks (``TrackSort``).
package enum LibraryLists {
    package static let playlists = Keyset<String, Int>("libraryPlaylists", by: "name_key", "id")
    /// The entries of a playlist.
    package static let entries = Keyset<Int>("libraryPlaylistEntries", by: "position")
    package static let albums = Keyset<String, Int>("libraryAlbums", by: "name_key", "id")
    /// The tracks of an album, in the album's order.
    package static let albumTracks = Keyset<Int, Int>("libraryAlbumTracks", by: "album_position", "id")
    /// The change log, earliest first.
    package static let changes = Keyset<Int, Int>("libraryChanges", by: "at", "id")
    /// The change log, latest first.
    package static let latestChanges = Keyset<Int, Int>("libraryLatestChanges", by: "at", "id", descending: true)
    /// The user's decisions about tracks, latest first.
    package static let decisions = Keyset<Int>("libraryDecisions", by: "id", descending: true)
    /// Pairs of tracks that may be the same song, likeliest first.
    package static let duplicates = Keyset<Int, Int, Int>(
        "libraryDuplicates", by: "likelihood", "first_track_id", "second_track_id", descending: true)
}

extension Keyset {
    /// The parts of a statement that select the beginning of a page: the condition for the items after a cursor,
    /// beginning with ` AND`, and the number of items before a position.
    func beginning(of start: ListStart<Cursor<repeat each Value>>) -> (following: SQL, offset: Int) {
        switch start {
        case .after(let place): (following(place), 0)
        case .position(let position): ("", position)
        }
    }
}
