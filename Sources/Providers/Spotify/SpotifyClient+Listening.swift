import Model
import Upstream

extension SpotifyClient {
    /// The most plays that Spotify returns.
    package static let mostRecentPlays = 50

    /// `GET /me/player/recently-played`: the last plays of more than 30 s, without episodes and private sessions. It
    /// needs `user-read-recently-played`.
    ///
    /// It is called without a cursor, since plays may arrive late, below ones that are already known.
    ///
    /// - Throws: ``SpotifyError``, also for an answer that is not a page; and the errors of `send`.
    package func recentlyPlayed() async throws -> RecentPlays {
        let page = try await read(
            "/me/player/recently-played", query: [("limit", String(Self.mostRecentPlays))], as: Page<PlayObject>.self)
        return RecentPlays(plays: page.values.compactMap(\.play), count: page.items.count)
    }
}

/// A play as Spotify reports it.
package struct SpotifyPlay: Sendable, Hashable {
    package var track: SourceTrack
    /// Spotify's `played_at`, which is when the play ended.
    package var endedAt: Timestamp
}

/// The plays that Spotify reports as recent.
package struct RecentPlays: Sendable {
    /// The plays that could be read.
    package var plays: [SpotifyPlay]
    /// The number of all entries in the answer.
    package var count: Int
}

struct PlayObject: Decodable, Sendable {
    private var track: TrackObject
    private var playedAt: Timestamp?

    private enum CodingKeys: String, CodingKey {
        case track
        case playedAt = "played_at"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        track = try container.decode(TrackObject.self, forKey: .track)
        playedAt = container.text(.playedAt).flatMap { Timestamp(spotify: $0) }
    }

    /// `nil` for a play without a time, and for anything but a track.
    var play: SpotifyPlay? {
        guard case .track(let track) = track.content, let playedAt else { return nil }
        return SpotifyPlay(track: track, endedAt: playedAt)
    }
}
