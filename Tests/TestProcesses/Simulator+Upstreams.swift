extension Simulator {
    /// The environment with which all processes of an installation call this simulator, with ``Simulator/key`` for
    /// Ticketmaster.
    package var environment: [String: String] {
        let url = client.baseURL
        return [
            "BACKLINE_UPSTREAMS_TICKETMASTER_BASE_URL": baseURL,
            "BACKLINE_TICKETMASTER_API_KEY": Self.key,
            "BACKLINE_UPSTREAMS_SPOTIFY_BASE_URL": url + "/spotify/v1",
            "BACKLINE_UPSTREAMS_SPOTIFY_ACCOUNTS_BASE_URL": url + "/spotify-accounts",
            "BACKLINE_SPOTIFY_CLIENT_ID": Self.spotifyClientID,
            "BACKLINE_UPSTREAMS_GEMINI_BASE_URL": url + "/gemini/v1beta",
            "BACKLINE_UPSTREAMS_APPLE_MUSIC_BASE_URL": url + "/apple-music/v1",
            "BACKLINE_APPLE_MUSIC_SCRIPT_URL": url + "/apple-music-web/musickit.js",
            "BACKLINE_APPLE_MUSIC_SIGN_IN_ORIGINS": url,
            "BACKLINE_UPSTREAMS_GOOGLE_BASE_URL": url + "/google",
            "BACKLINE_UPSTREAMS_ITUNES_BASE_URL": url + "/itunes",
            "BACKLINE_GOOGLE_CLIENT_IDS": Self.googleClientID,
        ]
    }

    package static let spotifyClientID = "demo-spotify-client"
    /// The key that Gemini accepts until a test changes the setting `keys`.
    package static let geminiKey = "demo-gemini-key"
    /// Google's web client. ``Installation/startSimulator(latencyMs:requestsPerSecond:)`` puts its secret
    /// into a file for the processes.
    package static let googleClientID = "demo-web.apps.googleusercontent.com"
    package static let googleClientSecret = "demo-google-secret"

    /// Spotify's accounts and its Web API.
    package var spotify: SimulatedUpstream { SimulatedUpstream(name: "spotify", client: client) }
    package var gemini: SimulatedUpstream { SimulatedUpstream(name: "gemini", client: client) }
    /// The model server, which no process calls until it is configured (`ai.endpoints`).
    package var aiEndpointURL: String { client.baseURL + "/ai-endpoint" }
    package var aiEndpoint: SimulatedUpstream { SimulatedUpstream(name: "ai-endpoint", client: client) }
    package var appleMusic: SimulatedUpstream { SimulatedUpstream(name: "apple-music", client: client) }
    package var google: SimulatedUpstream { SimulatedUpstream(name: "google", client: client) }

    /// The key and user token that a person enters to connect Apple Music.
    package struct AppleMusicKey: Decodable, Sendable {
        package var teamId: String
        package var keyId: String
        /// PEM.
        package var privateKey: String
        package var userToken: String
    }

    package func appleMusicKey() async throws -> AppleMusicKey {
        try await appleMusic.ask("key")
    }
}

/// Control routes that only Spotify has.
extension SimulatedUpstream {
    /// The endpoints' names in the counters.
    package static let spotifyExchange = "api/token authorization_code"
    package static let spotifyRefresh = "api/token refresh_token"

    /// All codes and tokens that Spotify has issued.
    package struct SpotifySecrets: Decodable, Sendable {
        package var codes: [String]
        package var accessTokens: [String]
        package var refreshTokens: [String]
    }

    package func spotifySecrets() async throws -> SpotifySecrets {
        try await ask("tokens")
    }

    /// Invalidates tokens.
    ///
    /// - Parameters:
    ///   - access: `expire` or `revoke`.
    ///   - refresh: `expire` (six months are over) or `revoke` (the person withdrew the consent).
    ///   - days: the number of days to let pass since the consent.
    package func endTokens(access: String? = nil, refresh: String? = nil, days: Int? = nil) async throws {
        var command: [String: JSON] = [:]
        command["access"] = access.map { .string($0) }
        command["refresh"] = refresh.map { .string($0) }
        command["days"] = days.map { .integer($0) }
        try await order("tokens", .object(command))
    }
}
