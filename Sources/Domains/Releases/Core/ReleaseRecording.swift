import Model
import Storage

/// What a part of a service's answer changes in the list of an artist.
struct ReleaseRecording {
    let artist: WantedArtist
    let source: MusicSource
    /// When the list was last read; `nil` before the first time.
    let lastReading: Timestamp?
    let now: Timestamp
    /// The releases in the artist's list that an album of the part may belong to, by the keys of their titles.
    var credits: [String: [Credit]]
    /// The numbers of the stored editions' releases that are in the artist's list.
    var credited: Set<Int64>
    /// The albums of the part that are stored, by their ids.
    let editions: [String: StoredEdition]
    /// The releases whose editions have changed.
    var changed: Set<Int64> = []
    var newReleases = 0

    struct Credit {
        let number: Int64
        let isShort: Bool
        /// Those of its editions; likewise the numbers of tracks.
        var dates: [ReleaseDate?] = []
        var trackCounts: [Int?] = []
    }

    struct StoredEdition {
        let number: Int64
        let album: ListedAlbum
        let isMissing: Bool
    }

    /// The release of which an album is an edition; `nil` for a new one.
    ///
    /// Titles have to agree apart from the edition, and so has the length: the single before an album often has its
    /// name. Services draw the line between an EP and an album differently, so that equal days and numbers of tracks
    /// count as well.
    func release(of album: ListedAlbum, titleKey: String) -> Int64? {
        let alike = credits[titleKey] ?? []
        if let same = alike.first(where: { $0.isShort == album.type.isShort }) { return same.number }
        guard let date = album.date, date.precision == "day", let trackCount = album.trackCount else { return nil }
        return alike.first { $0.dates.contains(date) && $0.trackCounts.contains(trackCount) }?.number
    }
}

extension ListedAlbum {
    /// - Parameter row: of the editions.
    init(row: Row) throws {
        let type: Int64 = try row["type"]
        self.init(
            id: try row["album_id"], title: try row["title"], name: try row["name"],
            type: ReleaseType(rawValue: type) ?? .album, artists: try row.json("artists") ?? [],
            date: (try row["release_date"] as String?).flatMap { ReleaseDate($0) }, trackCount: try row["track_count"],
            picture: (try row["picture"] as String?).flatMap { Picture(releaseText: $0) }, url: try row["url"])
    }
}
