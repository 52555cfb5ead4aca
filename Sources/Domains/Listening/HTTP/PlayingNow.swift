import Gateway
import Listening
import Model
import Synchronization

/// The songs that people are playing now, as programs report them. They are only in memory, and end by themselves.
package final class PlayingNow: Sendable {
    struct Song: Sendable {
        var song: SongDescription
        var client: String?
        /// The `track_metadata` as it was sent, for the ListenBrainz API.
        var metadata: String
        var until: MonotonicInstant
    }

    /// How long a song without a length is shown.
    static let standardTime = Duration.seconds(600)
    private static let longestTime = Duration.seconds(86_400)
    private static let capacity = 10_000

    private let songs = Mutex<[String: Song]>([:])
    private let now: @Sendable () -> MonotonicInstant

    package init(now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now) {
        self.now = now
    }

    func moment(after length: Duration?) -> MonotonicInstant {
        now().advanced(by: min(length ?? Self.standardTime, Self.longestTime))
    }

    func set(_ song: Song, userID: String) {
        let now = now()
        songs.withLock { songs in
            if songs.count >= Self.capacity { songs = songs.filter { $0.value.until > now } }
            if songs.count < Self.capacity || songs[userID] != nil { songs[userID] = song }
        }
    }

    func song(userID: String) -> Song? {
        let now = now()
        return songs.withLock { $0[userID] }.flatMap { $0.until > now ? $0 : nil }
    }

    func clear(userID: String) {
        _ = songs.withLock { $0.removeValue(forKey: userID) }
    }

    /// Ends the song once its listen has been reported.
    func clear(title: String, artist: String, userID: String) {
        songs.withLock { songs in
            if let song = songs[userID]?.song, song.title == title, song.artist == artist { songs[userID] = nil }
        }
    }
}
