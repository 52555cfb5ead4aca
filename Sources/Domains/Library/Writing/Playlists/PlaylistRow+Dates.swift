import Model

extension PlaylistRow {
    /// The distinct tracks among the entries, each with the earliest known date of its entries. It becomes the added
    /// date of tracks that are only in playlists (``SourceTrackRow/listed(as:account:accounts:)``).
    ///
    /// Apple Music does not date entries, and Spotify does not date those of very old playlists. When such a playlist
    /// is read for the first time, its tracks were already there: they get the playlist's date, or else their release
    /// date. On later readings, a track without a date was added since the previous reading, so the moment at which it
    /// is first seen is right.
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

    /// The earliest moment at which the track can have been in the playlist; `nil` if the entries have been read
    /// before.
    private func formerDate(of track: SourceTrack, now: Timestamp) -> Timestamp? {
        guard entries != .read else { return nil }
        // Services list some tracks before their release date.
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
