import Contracts
import Model

extension TypedJobKind where Payload == ReadSpotifyPlaysPayload, Result == ReadSpotifyPlaysResult {
    /// Reads what a person has recently played on Spotify.
    ///
    /// A schedule submits it, more often while the person listens (`listening.spotifySeconds`).
    package static var listeningReadSpotify: Self {
        Self(
            JobKind(
                name: "listening.readSpotify", version: 1, submitter: .system, maximumRunTime: .seconds(300),
                needs: [JobKind.Need(.spotify, scopes: [SpotifyScopes.recentlyPlayed])],
                // Each person has hundreds of these jobs per day.
                retention: .seconds(3_600), maximumRunningPerUser: 1))
    }
}

/// The payload of `listening.readSpotify`, version 1: `{}`.
package struct ReadSpotifyPlaysPayload: Codable, Sendable, Equatable {
    package init() {}
}

/// The result of `listening.readSpotify`.
package struct ReadSpotifyPlaysResult: Codable, Sendable, Equatable {
    /// How many plays Spotify returned, including known ones.
    package var plays: Int
    /// The kind of the `ProviderFailure` that prevented reading. The next job of the schedule reads the same plays.
    package var failure: String?

    package init(plays: Int, failure: String? = nil) {
        self.plays = plays
        self.failure = failure
    }
}
