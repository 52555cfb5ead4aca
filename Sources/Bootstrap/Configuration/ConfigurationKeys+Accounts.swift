/// How people sign in and connect what is theirs.
extension ConfigurationKeys {
    static let spotifyClientID = ConfigurationKey(
        "spotify.clientID", optional: .clientID, example: "0123456789abcdef0123456789abcdef",
        meaning: """
            The client id of your app in Spotify's developer dashboard, which is no secret. Register
            http.publicURL with /v1/setup/spotify/callback behind it there as a redirect URI. Unset, nobody can
            connect Spotify.
            """)

    static let googleClientIDs = ConfigurationKey(
        "google.clientIDs", .clientIDs, default: [], example: "123-web.apps.googleusercontent.com",
        meaning: """
            The OAuth client ids whose Google sign-ins are accepted, with commas between. The first is the web
            client that this site's own sign-in page uses. Unset, people sign in with links and tokens alone.
            """)

    static let googleClientSecretFile = ConfigurationKey(
        "google.clientSecretFile", optional: .filePath, example: "/etc/backline/google-client-secret",
        meaning: """
            A file that holds nothing but the web client's secret. Only the sync-worker reads it. Without one this
            site's page offers no Google sign-in; apps that send an id token need none.
            """)

    static let googleSignUp = ConfigurationKey(
        "google.signUp", .signUp, default: .everyone,
        meaning: """
            Who gets an account here by signing in with Google for the first time: everyone whom your client lets
            in (until you publish the app, Google's console limits that to its test users), nobody, or a list with
            commas between of e-mail addresses and of Google Workspace domains, such as ada@gmail.com, @example.org.
            Those who have an account come in whatever it says.
            """)

    static let vaultKeyFile = ConfigurationKey(
        "vault.keyFile", optional: .filePath, example: "/etc/backline/vault.key",
        meaning: """
            The file of the key that opens people's secrets in the database. Workers read it, and the gateway need
            not. Unset, it is vault/vault.key beside the database. While there are no secrets, a worker makes it
            where it is missing. Back it up apart from the database: without it people must enter their keys and
            connect their services again.
            """)

    static let vaultPublicKeyFile = ConfigurationKey(
        "vault.publicKeyFile", optional: .filePath, example: "/var/lib/backline/vault.pub",
        meaning: """
            The file of the key that seals people's secrets, which is no secret itself. Workers write it from the
            other one, and the gateway reads it. Unset, it is vault.pub beside the database.
            """)
}
