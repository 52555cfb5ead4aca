/// The scopes that an app can request, with what the consent page says about each.
enum SpotifyScopes {
    static let meanings: [String: String] = [
        "user-read-private": "See what kind of Spotify subscription you have",
        "user-read-email": "See the email address of your account",
        "user-top-read": "See the artists and content that you listen to most",
        "user-library-read": "See what you have saved in Your Library",
        "user-library-modify": "Add and remove items in Your Library",
        "playlist-read-private": "See your private playlists",
        "playlist-read-collaborative": "See your collaborative playlists",
        "playlist-modify-public": "Create, edit and follow public playlists",
        "playlist-modify-private": "Create, edit and follow private playlists",
        "user-read-playback-state": "See what you are playing, and on which device",
        "user-read-currently-playing": "See what you are playing",
        "user-modify-playback-state": "Control Spotify on your devices",
        "user-read-recently-played": "See what you have played recently",
        "user-read-playback-position": "See your position in what you have played",
        "user-follow-read": "See whom you follow",
        "user-follow-modify": "Change whom you follow",
        "ugc-image-upload": "Upload pictures for your playlists",
        "streaming": "Play music in other applications",
        "app-remote-control": "Communicate with the Spotify app on your device",
    ]

    /// The scopes of a parameter, in its order.
    static func parse(_ text: String?) -> [String] {
        (text ?? "").split(separator: " ").map(String.init)
    }
}
