import Settings

/// The upstreams, as the configuration names them.
package enum UpstreamName: String, Sendable, CaseIterable {
    case ticketmaster
    case spotify
    case spotifyAccounts
    case appleMusic
    case gemini
    case google
    case itunes

    var defaultBaseURL: String {
        switch self {
        case .ticketmaster: "https://app.ticketmaster.com/discovery/v2"
        case .spotify: "https://api.spotify.com/v1"
        case .spotifyAccounts: "https://accounts.spotify.com"
        case .appleMusic: "https://api.music.apple.com/v1"
        case .gemini: "https://generativelanguage.googleapis.com/v1beta"
        case .google: "https://accounts.google.com"
        case .itunes: "https://itunes.apple.com"
        }
    }

    /// Ticketmaster publishes its limit, and Gemini's free tier has been seen to have this one. The others publish
    /// none: these defaults stay well below the rates that they have been seen to refuse.
    var defaultLimit: (requests: Int, window: Duration) {
        switch self {
        case .ticketmaster: (5, .seconds(1))
        case .spotify: (90, .seconds(30))
        case .spotifyAccounts: (10, .seconds(1))
        case .appleMusic: (20, .seconds(1))
        case .gemini: (10, .seconds(60))
        case .google: (10, .seconds(1))
        // Apple documents this limit for each calling address.
        case .itunes: (20, .seconds(60))
        }
    }
}

extension UpstreamName {
    /// The most requests per day, for upstreams that have a daily limit; 0 sets no limit.
    var defaultRequestsPerDay: Int? {
        switch self {
        case .ticketmaster: 5_000
        // The limit that a free key has been seen to have.
        case .gemini: 250
        case .spotify, .spotifyAccounts, .appleMusic, .google, .itunes: nil
        }
    }

    /// The most input tokens per minute, for upstreams that count tokens; 0 sets no limit.
    var defaultTokensPerMinute: Int? {
        switch self {
        case .gemini: 250_000
        case .ticketmaster, .spotify, .spotifyAccounts, .appleMusic, .google, .itunes: nil
        }
    }
}

/// Keys that exist once for each upstream.
extension ConfigurationKeys {
    /// All keys of one upstream, in the order of `config/backline.yaml`.
    static func summaries(of upstream: UpstreamName) -> [ConfigurationKeySummary] {
        [upstreamBaseURL(upstream).summary, upstreamRequests(upstream).summary, upstreamWindowMs(upstream).summary]
            + [upstreamRequestsPerDay(upstream)?.summary, upstreamTokensPerMinute(upstream)?.summary].compactMap { $0 }
            + [upstreamTimeoutMs(upstream).summary]
    }

    static func upstreamRequestsPerDay(_ upstream: UpstreamName) -> ConfigurationKey<Int>? {
        upstream.defaultRequestsPerDay.map { standard in
            ConfigurationKey(
                "upstreams.\(upstream.rawValue).\(upstream == .gemini ? "dailyRequests" : "requestsPerDay")",
                .integer(0...100_000), default: standard,
                meaning: upstream == .gemini
                    ? """
                    The most requests per day for each model. Google's day ends at midnight in California.
                    0 sets no limit.
                    """
                    : """
                    The most requests per day. The day ends when the upstream's responses say so; otherwise any 24 hours
                    count as one. 0 sets no limit.
                    """)
        }
    }

    static func upstreamTokensPerMinute(_ upstream: UpstreamName) -> ConfigurationKey<Int>? {
        upstream.defaultTokensPerMinute.map { standard in
            ConfigurationKey(
                "upstreams.\(upstream.rawValue).tokens", .integer(0...10_000_000), default: standard,
                meaning: "The most input tokens of each model in any 60 seconds. 0 sets no limit.")
        }
    }

    static func upstreamBaseURL(_ upstream: UpstreamName) -> ConfigurationKey<String> {
        ConfigurationKey(
            "upstreams.\(upstream.rawValue).baseURL", .baseURL, default: upstream.defaultBaseURL,
            meaning: "The URL that every request's path is appended to. Tests and demos set the simulator's URL here.")
    }

    static func upstreamRequests(_ upstream: UpstreamName) -> ConfigurationKey<Int> {
        let name = upstream.rawValue
        return ConfigurationKey(
            "upstreams.\(name).requests", .integer(1...1_000), default: upstream.defaultLimit.requests,
            meaning: """
                The most requests that all processes together send in any period of upstreams.\(name).windowMs.
                The default is what the upstream allows, or less than it has been seen to refuse.
                """)
    }

    static func upstreamWindowMs(_ upstream: UpstreamName) -> ConfigurationKey<Duration> {
        ConfigurationKey(
            "upstreams.\(upstream.rawValue).windowMs", .milliseconds(100...3_600_000),
            default: upstream.defaultLimit.window, meaning: "The length of that period, in milliseconds.")
    }

    static func upstreamTimeoutMs(_ upstream: UpstreamName) -> ConfigurationKey<Duration> {
        ConfigurationKey(
            "upstreams.\(upstream.rawValue).timeoutMs", .milliseconds(100...120_000),
            // A language model may think for a long time before it answers.
            default: upstream == .gemini ? .seconds(60) : .seconds(10),
            meaning: "Milliseconds that one request may take, from its start to the end of the response.")
    }
}
