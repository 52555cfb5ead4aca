/// The permissions that Spotify knows.
package enum SpotifyScopes {
    /// What connecting asks for by itself: to know whose account it is. Whatever wants more asks for it by name.
    package static let standard = ["user-read-private"]

    /// Reading `/me`.
    package static let profile = "user-read-private"

    /// What every connection is to have and this one was not given.
    package static func missing(from granted: [String]) -> [String] {
        standard.filter { !granted.contains($0) }
    }

    package static let all: Set<String> = [
        "user-read-private", "user-read-email", "user-top-read", "user-library-read", "user-library-modify",
        "playlist-read-private", "playlist-read-collaborative", "playlist-modify-public", "playlist-modify-private",
        "user-read-playback-state", "user-read-currently-playing", "user-modify-playback-state",
        "user-read-recently-played", "user-follow-read", "user-follow-modify",
    ]
}
