import Model
import Storage

extension AlbumStore where Access == ReadTransaction {
    /// The maximum number of album songs to examine.
    private static var mostOnAlbums: Int { 5_000 }

    /// Songs that share albums with the given songs.
    ///
    /// - Parameter tracks: at most 250 tracks.
    package func albumNeighbors(
        ofTracks tracks: [LibraryID], userID: String, limit: Int
    ) throws -> [LibraryID: SongNeighbor] {
        guard let library = try transaction.library.libraryID(ofUser: userID), !tracks.isEmpty else { return [:] }
        let wanted = Set(tracks.map(\.key))
        var names: Set<String> = []
        for part in tracks.map(\.key).inParts {
            try transaction.forEachRow(
                "SELECT album_key FROM library_tracks WHERE id IN (\(list: Array(part))) AND +library_id = \(library)"
            ) { row in
                names.insert(try row["album_key"])
                return .continue
            }
        }
        // An empty album name would match all tracks without an album.
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
                // The key of a long name is truncated.
                albums[SearchText.folded(try row["album"]), default: []].append(
                    AlbumSong(key: try row["id"], credit: AlbumCredit.names(in: albumArtist ?? artist)))
                return .continue
            }
        }
        var groups: Set<[Int64]> = []
        for songs in albums.values {
            for song in songs where wanted.contains(song.key) {
                groups.insert(songs.filter { $0.isBeside(song) }.map(\.key))
            }
        }
        // The groups are sorted so that adding up their weights always yields the same number.
        let ordered = groups.sorted { $0.lexicographicallyPrecedes($1) }
        return SongNeighbor.neighbors(of: tracks, in: ordered, limit: limit)
    }
}

/// A song on an album of a certain name. Many artists have albums of the same name (“Greatest Hits”), so songs count as
/// being on the same album if their albums have an artist in common. A compilation only connects its songs if the
/// service names its artist; the name alone is not sufficient.
private struct AlbumSong {
    var key: Int64
    /// The folded names of the album's artists, or of the song's if the album has none.
    var credit: Set<String>

    func isBeside(_ other: AlbumSong) -> Bool { key == other.key || !credit.isDisjoint(with: other.credit) }
}
