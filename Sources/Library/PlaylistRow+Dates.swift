import Model

extension PlaylistRow {
    /// The tracks among entries, each once, with the earliest moment that is known of its entries. It becomes the date
    /// of tracks that only playlists have (``SourceTrackRow/listed(as:account:accounts:)``).
    ///
    /// Apple Music dates no entries, and Spotify not those of very old playlists. When such a playlist is read for the
    /// first time, its tracks were there before: they have the playlist's date, or else that of their release. Later,
    /// a track without a date has come since the last reading, so that the moment when it is first seen is right.
    func datedTracks(in page: [SourcePlaylistEntry], now: Timestamp) -> [SourceTrack] {
        var tracks: [SourceTrack] = []
        var places: [String: Int] = [:]
        for entry in page {
            guard case .track(var track) = entry.content else { continue }
            track.addedAt = entry.addedAt ?? track.addedAt ?? formerDate(of: track, now: now)
            if let place = places[track.sourceID] {
                tracks[place].addedAt = [tracks[place].addedAt, track.addedAt].compactMap(\.self).min()
            } else {
                places[track.sourceID] = tracks.count
                tracks.append(track)
            }
        }
        return tracks
    }

    /// A moment at which a track was in the playlist at the earliest; `nil` if its entries have been read before.
    private func formerDate(of track: SourceTrack, now: Timestamp) -> Timestamp? {
        guard entries != .read else { return nil }
        // Tracks can be listed before their release.
        return playlist.addedAt ?? track.releaseDate?.beginning.flatMap { $0 <= now ? $0 : nil }
    }
}

extension ReleaseDate {
    /// The beginning of the day, month or year, in UTC.
    fileprivate var beginning: Timestamp? {
        let day = text + String("-01-01".suffix(10 - text.utf8.count))
        return LocalDate(day).map { Timestamp(microseconds: Int64($0.dayNumber) * 86_400_000_000) }
    }
}
