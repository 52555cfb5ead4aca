import Telemetry

/// What a client may take of the gateway's time and memory.
extension ConfigurationKeys {
    static let httpTrustedProxies = ConfigurationKey(
        "http.trustedProxies", .addressRanges, default: [], example: "127.0.0.1, ::1, 10.0.0.0/8",
        meaning: """
            The proxies in front of the gateway. Only from them does the gateway take a client's address from
            X-Forwarded-For; the limits of wrong tokens, of sign-ins and of requests without a token apply to each
            address. If this is empty behind a proxy, all clients have the proxy's address: one that guesses slows all
            others, and all together have a quarter of the connections.
            """)

    static let httpTransportSecuritySeconds = ConfigurationKey(
        "http.transportSecuritySeconds", .seconds(0...63_072_000), default: .seconds(31_536_000),
        meaning: """
            Seconds for which a browser, after a visit, uses only https for this host (Strict-Transport-Security).
            The header is sent where http.publicURL begins with https, and holds for all ports of the host. 0 sends no
            header. To withdraw it, set 1 for as long as the former value lasts.
            """)

    static let httpHeaderTimeoutSeconds = ConfigurationKey(
        "http.headerTimeoutSeconds", .seconds(1...3_600), default: .seconds(10),
        meaning: """
            Seconds within which a request's header must arrive: from the start of a new connection, or from the
            header's first byte on a reused one. A slower client gets a 408 and is disconnected.
            """)

    static let httpBodyTimeoutSeconds = ConfigurationKey(
        "http.bodyTimeoutSeconds", .seconds(1...3_600), default: .seconds(60),
        meaning: """
            Seconds within which a request's body must arrive after its header. A slower client gets a 408 and is
            disconnected.
            """)

    static let httpKeepAliveSeconds = ConfigurationKey(
        "http.keepAliveSeconds", .seconds(1...3_600), default: .seconds(75),
        meaning: """
            Seconds that a connection stays open after a response, for the next request. Behind a proxy, set more than
            the proxy keeps its connections for.
            """)

    static let httpWriteTimeoutSeconds = ConfigurationKey(
        "http.writeTimeoutSeconds", .seconds(1...3_600), default: .seconds(60),
        meaning: """
            Seconds after which a client that reads nothing of a waiting response is disconnected, event streams
            included.
            """)

    static let httpMaximumHeaderBytes = ConfigurationKey(
        "http.maximumHeaderBytes", .integer(1_024...1_048_576), default: 32_768,
        meaning: "The largest accepted header of a request, in bytes, its first line included.")

    static let httpMetrics = ConfigurationKey(
        "http.metrics", .choice, default: MetricsAccess.local,
        meaning: """
            Who may read /metrics: administrators, with a token (token); also programs on the same machine without one,
            unless a proxy forwards the request (local); or everybody who reaches the gateway (open). A proxy is
            recognized by X-Forwarded-For or Forwarded. For one on the same machine that sends neither, set token, or
            let it refuse /metrics. local is token where http.publicURL suggests a proxy that http.trustedProxies does
            not name.
            """)
}
