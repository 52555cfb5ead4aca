/// The permissions that Spotify knows.
package enum SpotifyScopes {
    /// What connecting asks for by itself: all that kinds of jobs need.
    package static func needed(by kinds: [JobKind] = JobKind.all) -> Set<String> {
        Set(kinds.flatMap { $0.scopes(at: .spotify) })
    }

    /// Reading `/me`.
    package static let profile = "user-read-private"

    /// What every connection is to have and this one was not given.
    package static func missing(from granted: [String], for kinds: [JobKind] = JobKind.all) -> Set<String> {
        needed(by: kinds).subtracting(granted)
    }

    /// What may be asked for.
    package static let all: Set<String> = [
        "user-read-private", "user-read-email", "user-top-read", "user-library-read", "user-library-modify",
        "playlist-read-private", "playlist-read-collaborative", "playlist-modify-public", "playlist-modify-private",
        "user-read-playback-state", "user-read-currently-playing", "user-modify-playback-state",
        "user-read-recently-played", "user-follow-read", "user-follow-modify",
    ]
}
