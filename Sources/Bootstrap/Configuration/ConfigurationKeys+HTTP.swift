import Settings
import Telemetry

/// Limits on the time and memory that a client may take from the gateway, and who is trusted.
extension ConfigurationKeys {
    static let httpTrustedProxies = ConfigurationKey(
        "http.trustedProxies", .addressRanges, default: [], example: "127.0.0.1, ::1, 10.0.0.0/8",
        meaning: """
            The proxies in front of the gateway. The gateway accepts a client's address from X-Forwarded-For only from
            them. The limits on wrong tokens, on sign-ins and on requests without a token apply to each address. If this
            is empty behind a proxy, all clients appear to have the proxy's address: one that guesses tokens slows down
            all others, and together they get only a quarter of the connections.
            """)

    static let httpTransportSecuritySeconds = ConfigurationKey(
        "http.transportSecuritySeconds", .seconds(0...63_072_000), default: .seconds(31_536_000),
        meaning: """
            Seconds for which a browser, after a visit, uses only https for this host (Strict-Transport-Security). The
            header is sent if http.publicURL begins with https, and applies to all ports of the host. 0 sends no header.
            To withdraw it, set 1 for as long as the previous value lasts.
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
            Seconds that a connection stays open after a response, waiting for the next request. Behind a proxy, set
            more than the time for which the proxy keeps its own connections open.
            """)

    static let httpWriteTimeoutSeconds = ConfigurationKey(
        "http.writeTimeoutSeconds", .seconds(1...3_600), default: .seconds(60),
        meaning: """
            Seconds after which a client that reads nothing of a pending response is disconnected, event streams
            included.
            """)

    static let httpMaximumHeaderBytes = ConfigurationKey(
        "http.maximumHeaderBytes", .integer(1_024...1_048_576), default: 32_768,
        meaning: "The largest accepted request header, in bytes, including the request line.")

    static let httpMetrics = ConfigurationKey(
        "http.metrics", .choice, default: MetricsAccess.local,
        meaning: """
            Who may read /metrics: administrators, with a token (token); also programs on the same machine without one,
            unless a proxy forwards the request (local); or everybody who can reach the gateway (open). A proxy is
            recognized by X-Forwarded-For or Forwarded. If a proxy on the same machine sends neither, set token, or have
            the proxy refuse /metrics. local has the effect of token if http.publicURL suggests a proxy that
            http.trustedProxies does not list.
            """)
}
