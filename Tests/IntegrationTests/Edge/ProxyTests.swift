import TestProcesses
import TestSupport
import Testing

@Suite("A gateway behind a proxy with TLS", .timeLimit(.minutes(20)))
struct ProxyTests {
    private static let site = "https://backline.example.org"
    private static let environment = [
        "BACKLINE_HTTP_PUBLIC_URL": site, "BACKLINE_HTTP_TRUSTED_PROXIES": "127.0.0.1",
        "BACKLINE_HTTP_TRANSPORT_SECURITY_SECONDS": "4242",
    ]

    @Test("The public URL and the header's age are those of the configuration")
    func publicURL() async throws {
        try await Installation.run { installation in
            try await installation.startGateway(environment: Self.environment)
            let token = try #require(try await installation.addUser().token)
            let signedIn = try await installation.visitor.post(
                "/v1/session", #"{"token":"\#(token)"}"#, headers: ["Origin": Self.site])
            #expect(signedIn.status == 200, "\(signedIn.text)")
            #expect(signedIn.header("Strict-Transport-Security") == "max-age=4242")
            let cookie = try #require(signedIn.header("Set-Cookie"))
            #expect(cookie.hasPrefix("__Host-backline_session=") && cookie.contains("; Secure"))

            var ada = installation.visitor
            ada.cookie = String(try #require(cookie.split(separator: ";").first))
            // Without a public URL, the origin with the request's host would be accepted.
            for (origin, status) in [(ada.baseURL, 403), ("http://backline.example.org", 403), (Self.site, 201)] {
                let added = try await ada.post("/v1/artists", #"{"name":"Air"}"#, headers: ["Origin": origin])
                #expect(added.status == status, "\(origin): \(added.text)")
            }
        }
    }

    @Test("A wrong token that the proxy forwards counts against the client that the proxy names")
    func trustedProxies() async throws {
        try await Installation.run { installation in
            try await installation.startGateway(environment: Self.environment)
            @Sendable func status(from client: String) async throws -> Int {
                try await installation.visitor.get(
                    "/v1/me", headers: ["Authorization": "Bearer wrong", "X-Forwarded-For": client]
                ).status
            }
            // Many requests are sent at once, because the limit lets one more pass every second.
            try await eventually("the limit of one client") { () -> Bool in
                try await withThrowingTaskGroup(of: Int.self, returning: Bool.self) { group in
                    for _ in 0..<60 { group.addTask { try await status(from: "192.0.2.1") } }
                    return try await group.reduce(false) { $0 || $1 == 429 }
                }
            }
            // Fewer than a client's limit of 30; one that has reached it may send one a second.
            for _ in 0..<20 { #expect(try await status(from: "192.0.2.2") == 401) }
        }
    }

    @Test("The log warns of a proxy that the configuration does not name")
    func unnamedProxy() async throws {
        try await Installation.run { installation in
            let warning = "http.trustedProxies is empty"
            let unnamed = try await installation.startGateway(
                environment: ["BACKLINE_HTTP_PUBLIC_URL": Self.site])
            try await unnamed.waitForLog(warning)
            unnamed.terminate()
            #expect(try await unnamed.waitForEnd() == .exited(0))
            let named = try await installation.startGateway(environment: Self.environment)
            try await named.waitForLog("listening url")
            #expect(!named.errors.contains(warning))
        }
    }
}
