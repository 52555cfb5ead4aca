import Model

/// The content of Spotify's list of recently played songs at one time.
package struct SpotifyPlays: Sendable {
    package struct Play: Sendable, Hashable {
        package var song: SongDescription
        package var endedAt: Timestamp

        package init(song: SongDescription, endedAt: Timestamp) {
            (self.song, self.endedAt) = (song, endedAt)
        }
    }

    /// The plays, the earliest first.
    package let plays: [Play]
    /// Whether the list had as many plays as Spotify lists at most, so that earlier ones may be missing.
    package let isFull: Bool

    /// - Parameter plays: the plays, in any order.
    package init(_ plays: [Play], isFull: Bool) {
        self.plays = plays.sorted { $0.endedAt < $1.endedAt }
        self.isFull = isFull
    }

    /// How long after the end of a play a person counts as listening.
    private static let pause = Duration.seconds(1_800)
    /// With intervals of at most 25 minutes no play is missed, since the list has 50 plays of more than 30 s each.
    private static let idleFactor = 5

    /// The time until the list is read again.
    ///
    /// - Parameter interval: the time between two reads while the person is listening.
    package func nextInterval(_ interval: Duration, at now: Timestamp) -> Duration {
        let isListening = plays.last.map { $0.endedAt.advanced(by: Self.pause) > now } ?? false
        return isListening ? interval : interval * Self.idleFactor
    }

    /// The plays as observations. A play that must have begun before the previous one ended was cut short, and was
    /// played at most for the time in between.
    ///
    /// - Parameter before: the end of the play before the first one.
    func observations(after before: Timestamp?) -> [NewObservation] {
        var last = before
        return plays.map { play in
            var played: Int?
            if let length = play.song.durationMilliseconds, let last {
                let between = Int(last.duration(to: play.endedAt).microseconds / 1_000)
                if between > 0, between < length { played = between }
            }
            last = play.endedAt
            return NewObservation(
                source: .spotifyRecent, song: play.song, time: play.endedAt, stamp: .end, precision: .millisecond,
                playedMilliseconds: played)
        }
    }
}
