import Settings

/// How people sign in and connect their accounts.
extension ConfigurationKeys {
    static let spotifyClientID = ConfigurationKey(
        "spotify.clientID", optional: .clientID, example: "0123456789abcdef0123456789abcdef",
        meaning: """
            The client id of your app in Spotify's developer dashboard; it is not a secret. Register http.publicURL
            followed by /v1/setup/spotify/callback there as a redirect URI. Unset, each person needs their own app,
            whose client id they enter in the setup.
            """)

    static let appleMusicTeamID = ConfigurationKey(
        "appleMusic.teamID", optional: .name, example: "A1B2C3D4E5",
        meaning: """
            The team id of your Apple developer account. With this, appleMusic.keyID and appleMusic.privateKeyFile,
            people connect Apple Music by signing in with Apple. Without all three, each person needs their own
            developer key.
            """)

    static let appleMusicKeyID = ConfigurationKey(
        "appleMusic.keyID", optional: .name, example: "F6G7H8I9J0",
        meaning: "The id of a key of that account that is enabled for MusicKit.")

    static let appleMusicPrivateKeyFile = ConfigurationKey(
        "appleMusic.privateKeyFile", optional: .filePath, example: "/etc/backline/apple-music.p8",
        meaning: """
            The .p8 file that Apple let you download for that key. Only the sync-worker reads it. It can be replaced
            without a restart.
            """)

    static let appleMusicScriptURL = ConfigurationKey(
        "appleMusic.scriptURL", .baseURL, default: "https://js-cdn.music.apple.com/musickit/v3/musickit.js",
        meaning: """
            MusicKit on the Web, Apple's script with which people sign in. Only the page for that step loads it, and
            only with a developer key. Tests and demos set the simulator's replacement here.
            """)

    static let appleMusicSignInOrigins = ConfigurationKey(
        "appleMusic.signInOrigins", .origins,
        default: [
            "https://authorize.music.apple.com", "https://api.music.apple.com", "https://play.itunes.apple.com",
        ],
        meaning: """
            The origins that this script may call from that page, separated by commas. If a browser's console reports
            that the page's Content-Security-Policy blocked one of Apple's hosts, add that host here.
            """)

    static let googleClientIDs = ConfigurationKey(
        "google.clientIDs", .clientIDs, default: [], example: "123-web.apps.googleusercontent.com",
        meaning: """
            The OAuth client ids whose Google sign-ins are accepted, separated by commas. The first is the web client,
            which this site's sign-in page uses. Unset, people sign in only with links and tokens.
            """)

    static let googleClientSecretFile = ConfigurationKey(
        "google.clientSecretFile", optional: .filePath, example: "/etc/backline/google-client-secret",
        meaning: """
            A file that contains only the web client's secret. Only the sync-worker reads it. Without it, the sign-in
            page does not offer Google sign-in. Apps that send an ID token do not need it.
            """)
}
