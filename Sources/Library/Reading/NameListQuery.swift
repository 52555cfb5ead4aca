import Model
import Storage

/// What a page of the list of playlists or of albums shows. Both are in the order of their names.
package struct NameListQuery: Sendable {
    /// The order of names; equal ones by id.
    package typealias Place = Cursor<String, Int>

    /// `nil` for all sources.
    package var source: MusicSource?
    /// `nil` for all names.
    package var search: SearchQuery?
    /// `nil` for the albums of all artists; playlists have none.
    package var artist: ArtistFilter?
    package var start: ListStart<Place>
    /// The most items of the page; at least 1.
    package var limit: Int

    package init(
        source: MusicSource? = nil, search: SearchQuery? = nil, artist: ArtistFilter? = nil,
        start: ListStart<Place> = .after(nil), limit: Int
    ) {
        self.source = source
        self.search = search
        self.artist = artist
        self.start = start
        self.limit = limit
    }

    /// The condition of the source, with ` AND` before it.
    var condition: SQL { source.map { " AND source = \($0.number)" } ?? "" }
}

/// The lists of libraries that are read in pages, beside that of tracks (``TrackSort``).
package enum LibraryLists {
    package static let playlists = Keyset<String, Int>("libraryPlaylists", by: "name_key", "id")
    /// The entries of a playlist.
    package static let entries = Keyset<Int>("libraryPlaylistEntries", by: "position")
    package static let albums = Keyset<String, Int>("libraryAlbums", by: "name_key", "id")
    /// The tracks of an album, in the album's order.
    package static let albumTracks = Keyset<Int, Int>("libraryAlbumTracks", by: "album_position", "id")
    /// What happened to a library, the earliest first.
    package static let changes = Keyset<Int, Int>("libraryChanges", by: "at", "id")
    /// The same, the latest first.
    package static let latestChanges = Keyset<Int, Int>("libraryLatestChanges", by: "at", "id", descending: true)
    /// What a person decided about tracks, the latest first.
    package static let decisions = Keyset<Int>("libraryDecisions", by: "id", descending: true)
    /// Pairs of tracks that may be one song, the likeliest first.
    package static let duplicates = Keyset<Int, Int, Int>(
        "libraryDuplicates", by: "likelihood", "first_track_id", "second_track_id", descending: true)
}

extension Keyset {
    /// What a statement needs to begin a page: the condition of the items after a cursor, with ` AND` before it, and
    /// the number of items before a position.
    func beginning(of start: ListStart<Cursor<repeat each Value>>) -> (following: SQL, offset: Int) {
        switch start {
        case .after(let place): (following(place), 0)
        case .position(let position): ("", position)
        }
    }
}
