/// Spotify's scopes (developer.spotify.com/documentation/web-api/concepts/scopes).
package enum SpotifyScopes {
    /// The scopes that connecting asks for: all that the kinds of jobs need, and those for reading a library.
    package static func needed(by kinds: JobKinds) -> Set<String> {
        Set(kinds.all.flatMap { $0.scopes(at: .spotify) }).union(library)
    }

    /// The scopes for reading saved tracks, albums and playlists. A sync names them with its calls, since it continues
    /// with other sources if they are missing.
    package static let library: Set<String> = [
        "user-library-read", "playlist-read-private", "playlist-read-collaborative",
    ]

    /// The scopes for changing playlists.
    package static let playlistWriting = ["playlist-modify-private", "playlist-modify-public"]

    /// The scope for saving songs and removing them.
    package static let libraryWriting = ["user-library-modify"]

    /// The scopes for changing a library.
    package static let writing = playlistWriting + libraryWriting

    /// The scope for reading `/me`.
    package static let profile = "user-read-private"

    /// The scope for reading top lists.
    package static let top = "user-top-read"

    /// The scope for reading recent plays.
    package static let recentlyPlayed = "user-read-recently-played"

    /// The needed scopes that were not granted to a connection.
    package static func missing(from granted: [String], for kinds: JobKinds) -> Set<String> {
        needed(by: kinds).subtracting(granted)
    }

    /// The scopes that Backline may request.
    package static let all: Set<String> = [
        "user-read-private", "user-read-email", "user-top-read", "user-library-read", "user-library-modify",
        "playlist-read-private", "playlist-read-collaborative", "playlist-modify-public", "playlist-modify-private",
        "user-read-playback-state", "user-read-currently-playing", "user-modify-playback-state",
        "user-read-recently-played", "user-follow-read", "user-follow-modify",
    ]
}
