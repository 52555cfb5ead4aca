/// What a client may take of the gateway's time and memory.
extension ConfigurationKeys {
    static let httpTrustedProxies = ConfigurationKey(
        "http.trustedProxies", .addressRanges, default: [], example: "127.0.0.1, ::1, 10.0.0.0/8",
        meaning: """
            The proxies that stand before the gateway. A request of theirs counts, for limits.requestsPerSecond and
            for wrong tokens and sign-ins, as one of the address that they name in X-Forwarded-For; nobody else's word
            is taken for it. Left empty behind a proxy, everybody has the proxy's address: one who guesses slows all.
            """)

    static let httpTransportSecuritySeconds = ConfigurationKey(
        "http.transportSecuritySeconds", .seconds(0...63_072_000), default: .seconds(31_536_000),
        meaning: """
            Seconds for which browsers come over https alone, once they were here (the header
            Strict-Transport-Security), where http.publicURL begins with https. It holds for all ports of the host. 0
            leaves the header out; to take it back, set 1 for as long as it was set before.
            """)

    static let httpHeaderTimeoutSeconds = ConfigurationKey(
        "http.headerTimeoutSeconds", .seconds(1...3_600), default: .seconds(10),
        meaning: """
            Seconds in which the header of a request must be there: from the connection's beginning, on a
            connection that is used again from the header's first byte. A slower one is answered with 408 and cut off.
            """)

    static let httpBodyTimeoutSeconds = ConfigurationKey(
        "http.bodyTimeoutSeconds", .seconds(1...3_600), default: .seconds(60),
        meaning: """
            Seconds in which the body of a request must be there after its header. A slower one is answered with
            408 and cut off.
            """)

    static let httpKeepAliveSeconds = ConfigurationKey(
        "http.keepAliveSeconds", .seconds(1...3_600), default: .seconds(75),
        meaning: """
            Seconds that a connection is kept after an answer for the next request. Behind a proxy, more than the
            proxy keeps its connections for.
            """)

    static let httpWriteTimeoutSeconds = ConfigurationKey(
        "http.writeTimeoutSeconds", .seconds(1...3_600), default: .seconds(60),
        meaning: """
            Seconds after which a client is cut off that takes nothing of what waits to be sent to it, event
            streams included.
            """)

    static let httpMaximumHeaderBytes = ConfigurationKey(
        "http.maximumHeaderBytes", .integer(1_024...1_048_576), default: 32_768,
        meaning: "The largest header of a request that is accepted, in bytes, its first line included.")
}
