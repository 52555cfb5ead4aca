/// A Spotify URI, such as `spotify:track:4uLU6hMCjMI75M1A2tKUQC`.
struct SpotifyURI: Sendable, Equatable {
    enum Kind: String, Sendable {
        case track, album, episode, show, audiobook, artist, user, playlist

        /// The scope that an app needs to see whether something is saved.
        var readScope: String {
            switch self {
            case .track, .album, .episode, .show, .audiobook: "user-library-read"
            case .artist, .user: "user-follow-read"
            case .playlist: "playlist-read-private"
            }
        }

        /// The scope that an app needs to save and remove it.
        var modifyScope: String {
            switch self {
            case .track, .album, .episode, .show, .audiobook: "user-library-modify"
            case .artist, .user: "user-follow-modify"
            case .playlist: "playlist-modify-public"
            }
        }
    }

    let kind: Kind
    let id: String

    /// Returns `nil` for a text that is not a URI, and for the URI of a local file.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[0] == "spotify", let kind = Kind(rawValue: parts[1]),
            kind == .user ? !parts[2].isEmpty : Base62.isID(parts[2])
        else { return nil }
        self.kind = kind
        id = parts[2]
    }

    var text: String { "spotify:\(kind.rawValue):\(id)" }
}
