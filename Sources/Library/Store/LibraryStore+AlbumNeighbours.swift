import Model
import Storage

extension LibraryStore where Access == ReadTransaction {
    /// The most songs of albums that are looked at.
    private static var mostOnAlbums: Int { 5_000 }

    /// Songs that are on albums together with some others.
    ///
    /// - Parameter tracks: 250 at most.
    package func albumNeighbours(
        ofTracks tracks: [LibraryID], userID: String, limit: Int
    ) throws -> [LibraryID: SongNeighbour] {
        guard let library = try libraryID(ofUser: userID), !tracks.isEmpty else { return [:] }
        let wanted = Set(tracks.map(\.key))
        var names: Set<String> = []
        for part in tracks.map(\.key).inParts {
            try transaction.forEachRow(
                "SELECT album_key FROM library_tracks WHERE id IN (\(list: Array(part))) AND +library_id = \(library)"
            ) { row in
                names.insert(try row["album_key"])
                return .goOn
            }
        }
        // Tracks without an album are not on one without a name.
        names.remove("")
        var albums: [String: [AlbumSong]] = [:]
        for part in names.sorted().inParts {
            try transaction.forEachRow(
                """
                SELECT id, album, artist, album_artist FROM library_tracks
                WHERE library_id = \(library) AND album_key IN (\(list: Array(part))) AND missing_since IS NULL
                ORDER BY album_key, album_position, id LIMIT \(Self.mostOnAlbums)
                """
            ) { row in
                let (artist, albumArtist): (String, String?) = (try row["artist"], try row["album_artist"])
                // The key lacks the end of a long name.
                albums[SearchText.folded(try row["album"]), default: []].append(
                    AlbumSong(key: try row["id"], credit: AlbumCredit.names(in: albumArtist ?? artist)))
                return .goOn
            }
        }
        var groups: Set<[Int64]> = []
        for songs in albums.values {
            for song in songs where wanted.contains(song.key) {
                groups.insert(songs.filter { $0.isBeside(song) }.map(\.key))
            }
        }
        // In an order, so that their weights always add up to the same number.
        let ordered = groups.sorted { $0.lexicographicallyPrecedes($1) }
        return SongNeighbour.neighbours(of: tracks, in: ordered, limit: limit)
    }
}

/// A song on an album of some name. Many artists have an album of the same name (“Greatest Hits”), so songs are beside
/// each other where their albums have an artist in common. A collection connects its songs where the service names its
/// artist; by its name alone, nothing is certain.
private struct AlbumSong {
    var key: Int64
    /// The names of the album's artist, or else of the song's, folded.
    var credit: Set<String>

    func isBeside(_ other: AlbumSong) -> Bool { key == other.key || !credit.isDisjoint(with: other.credit) }
}
