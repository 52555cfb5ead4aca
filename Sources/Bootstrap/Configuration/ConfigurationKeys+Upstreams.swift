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
    /// none: these keep well below what was seen to be refused.
    var defaultLimit: (requests: Int, window: Duration) {
        switch self {
        case .ticketmaster: (5, .seconds(1))
        case .spotify: (90, .seconds(30))
        case .spotifyAccounts: (10, .seconds(1))
        case .appleMusic: (20, .seconds(1))
        case .gemini: (10, .seconds(60))
        case .google: (10, .seconds(1))
        // Of each address that calls, as Apple documents it.
        case .itunes: (20, .seconds(60))
        }
    }
}

extension UpstreamName {
    /// Of upstreams that also count by the day; 0 sets no limit.
    var defaultRequestsPerDay: Int? {
        switch self {
        case .ticketmaster: 5_000
        // What a free key has been seen to have.
        case .gemini: 250
        case .spotify, .spotifyAccounts, .appleMusic, .google, .itunes: nil
        }
    }

    /// Of upstreams that also count tokens; 0 sets no limit.
    var defaultTokensPerMinute: Int? {
        switch self {
        case .gemini: 250_000
        case .ticketmaster, .spotify, .spotifyAccounts, .appleMusic, .google, .itunes: nil
        }
    }
}

/// Keys that exist once for each upstream.
extension ConfigurationKeys {
    /// All of one upstream, in the order of `config/backline.yaml`.
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
                    The most requests of a day for each model. As Google counts, the day ends at midnight in California.
                    0 sets no limit.
                    """
                    : """
                    The most requests of a day, which ends when the upstream's answers say so, otherwise of any 24
                    hours. 0 sets no limit.
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
            meaning: "The URL that every request's path is appended to. Tests and demos name the simulator here.")
    }

    static func upstreamRequests(_ upstream: UpstreamName) -> ConfigurationKey<Int> {
        let name = upstream.rawValue
        return ConfigurationKey(
            "upstreams.\(name).requests", .integer(1...1_000), default: upstream.defaultLimit.requests,
            meaning: """
                The most requests that all processes together send in any span of upstreams.\(name).windowMs.
                The default is what the upstream allows, or below what it was seen to refuse.
                """)
    }

    static func upstreamWindowMs(_ upstream: UpstreamName) -> ConfigurationKey<Duration> {
        ConfigurationKey(
            "upstreams.\(upstream.rawValue).windowMs", .milliseconds(100...3_600_000),
            default: upstream.defaultLimit.window, meaning: "The length of that span, in milliseconds.")
    }

    static func upstreamTimeoutMs(_ upstream: UpstreamName) -> ConfigurationKey<Duration> {
        ConfigurationKey(
            "upstreams.\(upstream.rawValue).timeoutMs", .milliseconds(100...120_000),
            // A model thinks before it writes.
            default: upstream == .gemini ? .seconds(60) : .seconds(10),
            meaning: "Milliseconds that one request may take, from its start to the end of the response.")
    }
}
