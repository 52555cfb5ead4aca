import Model

/// What one source says of a track: a row of `library_source_tracks`.
struct SourceTrackRow: Sendable, Hashable {
    let id: Int64
    /// The track that it belongs to.
    var trackID: Int64
    let source: MusicSource
    /// The account whose library had it last.
    var accountID: Int64
    /// Whether the source has it in the library, or had it (then ``missingSince`` is set).
    var isSaved: Bool
    /// Since when the library does not have it any more.
    var missingSince: Timestamp?
    /// Its date is the service's. If it is not saved, that is the earliest moment that is known of its entries in
    /// playlists.
    var track: SourceTrack
    /// When it was first seen.
    let createdAt: Timestamp

    /// The row after a page of the library had it.
    func saved(as track: SourceTrack, account: Int64) -> SourceTrackRow {
        var row = self
        row.accountID = account
        row.isSaved = true
        row.missingSince = nil
        row.track = self.track.updated(to: track)
        if !isSaved { row.track.addedAt = track.addedAt }
        return row
    }

    /// The row after a playlist had it.
    ///
    /// - Parameter accounts: those that are known. What another had saved was disconnected.
    func listed(as track: SourceTrack, account: Int64, accounts: Set<Int64>) -> SourceTrackRow {
        var row = self
        if !accounts.contains(accountID) {
            row.isSaved = false
            row.missingSince = nil
        }
        if !row.isSaved { row.accountID = account }
        // What the list of saved tracks says of a saved one counts. Otherwise each sync would change it twice.
        row.track = row.isSaved ? track.updated(to: self.track) : self.track.updated(to: track)
        row.track.addedAt = row.isSaved ? self.track.addedAt : earliest(track.addedAt)
        return row
    }

    /// The date of a track in playlists after another entry. The order in which entries are read does not matter.
    private func earliest(_ date: Timestamp?) -> Timestamp? {
        // The date on which another account saved it does not count any more.
        if isSaved { return date }
        // Without a date, the track was added when it was first seen.
        guard let known = track.addedAt else { return date.flatMap { $0 < createdAt ? $0 : nil } }
        return date.map { min($0, known) } ?? known
    }

    /// Whether the service says other things of the track than before. The date of one that is not saved follows from
    /// the playlists that were read so far, and is no change of the track.
    func differsInTrack(from before: SourceTrackRow) -> Bool {
        var former = before.track
        if !isSaved { former.addedAt = track.addedAt }
        return former != track
    }
}

extension SourceTrack {
    /// Newer values, and the earlier ones of fields that those do not have: what a service leaves out is not taken
    /// back, since its answers differ in the fields that they have.
    func updated(to newer: SourceTrack) -> SourceTrack {
        var track = newer
        track.sourceID = sourceID
        if newer.title.isEmpty { track.title = title }
        if newer.artist.isEmpty { track.artist = artist }
        if newer.album.isEmpty { track.album = album }
        if newer.catalogID == nil { (track.catalogID, track.storefront) = (catalogID, storefront) }
        track.albumArtist = newer.albumArtist ?? albumArtist
        track.composer = newer.composer ?? composer
        if newer.genres.isEmpty { track.genres = genres }
        track.durationMs = newer.durationMs ?? durationMs
        track.isrc = newer.isrc ?? isrc
        track.isExplicit = newer.isExplicit ?? isExplicit
        track.discNumber = newer.discNumber ?? discNumber
        track.trackNumber = newer.trackNumber ?? trackNumber
        track.releaseDate = newer.releaseDate ?? releaseDate
        track.artworkURL = newer.artworkURL ?? artworkURL
        track.addedAt = newer.addedAt ?? addedAt
        track.popularity = newer.popularity ?? popularity
        track.previewURL = newer.previewURL ?? previewURL
        track.playCount = newer.playCount ?? playCount
        track.lastPlayedAt = newer.lastPlayedAt ?? lastPlayedAt
        track.rating = newer.rating ?? rating
        return track
    }

    /// The values as the database stores them.
    var normalized: SourceTrack {
        var track = self
        track.isrc = isrc.flatMap(ISRC.normalized)
        track.genres = GenreList.genres(in: GenreList.text(genres))
        if track.composer?.isEmpty == true { track.composer = nil }
        if track.albumArtist?.isEmpty == true { track.albumArtist = nil }
        return track
    }

    /// Whether values differ that people know a track by. Changes of others are not in the change log: popularity
    /// and addresses of pictures change by themselves.
    func differsNoticeably(from other: SourceTrack) -> Bool {
        (title, artist, album, isrc) != (other.title, other.artist, other.album, other.isrc)
            || (durationMs, isExplicit, releaseDate) != (other.durationMs, other.isExplicit, other.releaseDate)
    }
}
