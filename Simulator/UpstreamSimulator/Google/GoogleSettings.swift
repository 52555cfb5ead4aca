/// The settings of `/_sim/google/config`. In a change, missing members stay as they are.
struct GoogleSettings: Sendable, Codable, Equatable {
    /// A web client of the console.
    struct Client: Sendable, Codable, Equatable {
        var id: String
        var secret: String
        /// The redirect addresses, compared literally. Unlike the console, the simulator accepts `*` as a port, which
        /// matches any port: tests listen on free ones.
        var redirectURIs: [String]

        func admits(_ address: String) -> Bool {
            redirectURIs.contains { registered in
                guard let star = registered.range(of: ":*") else { return registered == address }
                let head = registered[..<star.lowerBound] + ":"
                guard address.hasPrefix(head) else { return false }
                let rest = address.dropFirst(head.count)
                let port = rest.prefix { $0.isASCII && $0.isNumber }
                return UInt16(port) != nil && rest.dropFirst(port.count) == registered[star.upperBound...]
            }
        }
    }

    var latencyMs: Int?
    var clients: [Client]?
    /// The `max-age` of the key set from now on.
    var keysMaxAgeSeconds: Int?
    /// How long a code can be exchanged; applies to codes made from now on.
    var codeSeconds: Int?

    static let initial = GoogleSettings(
        latencyMs: nil,
        clients: [
            Client(
                id: "demo-web.apps.googleusercontent.com", secret: "demo-google-secret",
                redirectURIs: [
                    "http://127.0.0.1:*/v1/auth/google/callback", "http://[::1]:*/v1/auth/google/callback",
                    "http://localhost:*/v1/auth/google/callback",
                ])
        ], keysMaxAgeSeconds: 19_800, codeSeconds: 600)

    /// These settings with a change applied.
    ///
    /// - Throws: ``InvalidSetting``.
    func changed(by change: GoogleSettings) throws -> GoogleSettings {
        for (name, value) in [
            ("latencyMs", change.latencyMs), ("keysMaxAgeSeconds", change.keysMaxAgeSeconds),
            ("codeSeconds", change.codeSeconds),
        ] {
            if let value, value < 0 { throw InvalidSetting(description: "\(name) must not be negative.") }
        }
        var result = self
        result.clients = change.clients ?? clients
        result.keysMaxAgeSeconds = change.keysMaxAgeSeconds ?? keysMaxAgeSeconds
        result.codeSeconds = change.codeSeconds ?? codeSeconds
        return result
    }
}
