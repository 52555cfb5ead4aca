import Library
import Model

extension SourceTrackRow {
    /// The row after the track appeared on a page of saved tracks.
    func saved(as track: SourceTrack, account: Int64) -> SourceTrackRow {
        var row = self
        row.accountID = account
        row.isSaved = true
        row.missingSince = nil
        row.track = self.track.updated(to: track)
        if !isSaved { row.track.addedAt = track.addedAt }
        return row
    }

    /// The row after the track appeared in a playlist.
    ///
    /// - Parameter accounts: the known accounts. A track that was saved by an account that is not among them is no
    ///   longer saved, since that account was disconnected.
    func listed(as track: SourceTrack, account: Int64, accounts: Set<Int64>) -> SourceTrackRow {
        var row = self
        if !accounts.contains(accountID) {
            row.isSaved = false
            row.missingSince = nil
        }
        if !row.isSaved { row.accountID = account }
        // For a saved track, the values from the list of saved tracks take precedence. Otherwise every sync would
        // change it twice.
        row.track = row.isSaved ? track.updated(to: self.track) : self.track.updated(to: track)
        row.track.addedAt = row.isSaved ? self.track.addedAt : earliest(track.addedAt)
        return row
    }

    /// The added date of a track in playlists after another entry was read. It does not depend on the order in which
    /// entries are read.
    private func earliest(_ date: Timestamp?) -> Timestamp? {
        // The date on which another account saved the track no longer counts.
        if isSaved { return date }
        // A track without a date was added when it was first seen.
        guard let known = track.addedAt else { return date.flatMap { $0 < createdAt ? $0 : nil } }
        return date.map { min($0, known) } ?? known
    }

    /// Whether the service describes the track differently than before. The date of a track that is not saved is
    /// ignored: it is derived from the playlists that have been read so far, so a new date does not mean that the track
    /// changed.
    func differsInTrack(from before: SourceTrackRow) -> Bool {
        var former = before.track
        if !isSaved { former.addedAt = track.addedAt }
        return former != track
    }
}

extension SourceTrack {
    /// The newer values, with the earlier ones for fields that the newer description lacks. A field that a service
    /// leaves out is not deleted, since its answers do not all include the same fields.
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

    /// The values in the form in which the database stores them.
    var normalized: SourceTrack {
        var track = self
        track.isrc = isrc.flatMap(ISRC.normalized)
        track.genres = GenreList.genres(in: GenreList.text(genres))
        if track.composer?.isEmpty == true { track.composer = nil }
        if track.albumArtist?.isEmpty == true { track.albumArtist = nil }
        return track
    }

    /// Whether any value differs by which people recognize a track. Other changes are not logged: popularity and
    /// artwork URLs change on their own.
    func differsNoticeably(from other: SourceTrack) -> Bool {
        (title, artist, album, isrc) != (other.title, other.artist, other.album, other.isrc)
            || (durationMs, isExplicit, releaseDate) != (other.durationMs, other.isExplicit, other.releaseDate)
    }
}
