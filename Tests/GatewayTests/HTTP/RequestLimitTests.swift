import Accounts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import NIOCore
import TestSupport
import Testing

@testable import Gateway

@Suite("Request limits")
struct RequestLimitTests {
    private static let instant = MonotonicInstant(microseconds: 1_000_000_000)

    /// The status of a request through a limit; 200 when it passed.
    private func status(_ limit: RequestLimitMiddleware, _ context: GatewayContext) async throws -> Int {
        do {
            return try await limit.handle(Request(), context: context) { _, _ in Response(status: .ok) }.status.code
        } catch let problem as Problem {
            #expect(problem.code == .tooManyRequests && problem.retryAfter == 1)
            return problem.status.code
        }
    }

    @Test("Each address is counted alone, those of one IPv6 subscriber together")
    func addresses() async throws {
        let limit = RequestLimitMiddleware(per: .address, RequestLimit(requestsPerSecond: 1)) { Self.instant }
        for (address, expected) in [
            ("192.0.2.1", 200), ("192.0.2.1", 429), ("192.0.2.2", 200),
            // The form of IPv4 addresses at a socket for both families.
            ("::ffff:192.0.2.2", 429), ("::ffff:192.0.2.3", 200), ("192.0.2.3", 429),
            ("2001:db8:0:1::1", 200), ("2001:db8:0:1:ffff::2", 429), ("2001:db8:0:2::1", 200), ("::1", 200),
        ] {
            #expect(try await status(limit, .from(address)) == expected, "\(address)")
        }
        // A local socket has no address to count.
        for _ in 0..<3 { #expect(try await status(limit, .from()) == 200) }
    }

    @Test("Each token is counted alone, whatever its address")
    func tokens() async throws {
        let limit = RequestLimitMiddleware(per: .token, RequestLimit(requestsPerSecond: 2)) { Self.instant }
        let tokens = [APIToken.random(), APIToken.random()]
        for token in tokens {
            for (address, expected) in [("192.0.2.1", 200), ("192.0.2.2", 200), ("192.0.2.3", 429)] {
                var context = try GatewayContext.from(address)
                context.token = token
                #expect(try await status(limit, context) == expected)
            }
        }
    }

    @Test("An address is refused before its token is read; health and metrics endpoints are never refused")
    func application() async throws {
        try await TestGateway.run(requestLimit: RequestLimit(requestsPerSecond: 2)) { gateway in
            let authorization = try await gateway.authorization()
            let application = Application(router: gateway.application.routes(now: { Self.instant }))
            try await application.test(.live) { client in
                for path in ["/healthz", "/readyz", "/metrics"] {
                    for _ in 0..<4 { #expect(try await client.execute(uri: path, method: .get).status == .ok) }
                }
                #expect(try await client.execute(uri: "/v1/jobs", method: .get).status == .unauthorized)
                #expect(try await client.execute(uri: "/nowhere", method: .get).status == .notFound)
                for headers in [authorization, [:], [.authorization: "Bearer wrong"]] {
                    let response = try await client.execute(uri: "/v1/jobs", method: .get, headers: headers)
                    #expect(response.status == .tooManyRequests)
                    #expect(response.headers[.retryAfter] == "1")
                    let problem = try response.problem
                    #expect(problem.code == "tooManyRequests" && problem.status == 429)
                    #expect(problem.detail.contains("2 requests per second"))
                }
                #expect(try await client.execute(uri: "/nowhere", method: .get).status == .tooManyRequests)
                #expect(try await client.execute(uri: "/healthz", method: .get).status == .ok)
            }
        }
    }

    @Test("A token is limited also without a client address")
    func tokenInApplication() async throws {
        try await TestGateway.run(requestLimit: RequestLimit(requestsPerSecond: 3)) { gateway in
            let ada = try await gateway.authorization("ada")
            let bob = try await gateway.authorization("bob")
            let application = Application(router: gateway.application.routes(now: { Self.instant }))
            // Without a network there is no address.
            try await application.test(.router) { client in
                for headers in [ada, bob] {
                    for _ in 0..<3 {
                        #expect(try await client.execute(uri: "/v1/jobs", method: .get, headers: headers).status == .ok)
                    }
                    let response = try await client.execute(uri: "/v1/artists", method: .get, headers: headers)
                    #expect(response.status == .tooManyRequests)
                    #expect(try response.problem.detail.contains("One token"))
                }
            }
        }
    }

    @Test("A token's sessions share its limit, and other sessions have their own")
    func sessions() async throws {
        try await TestGateway.run(requestLimit: RequestLimit(requestsPerSecond: 3)) { gateway in
            let accounts = Accounts(database: gateway.database)
            let token = try await gateway.addUser("ada")
            var sessions = [
                try #require(try await accounts.signIn(token: token)).0,
                try #require(try await accounts.signIn(token: token)).0,
            ]
            sessions.append(
                try #require(try await accounts.signIn(link: try await accounts.signInLink(user: "ada"))).0)
            let cookies = sessions.map { "backline_session=\($0.secret.reveal())" }
            let application = Application(router: gateway.application.routes(now: { Self.instant }))
            try await application.test(.router) { client in
                let bearer: HTTPFields = [.authorization: "Bearer \(token.secret.reveal())"]
                let asked: [(HTTPFields, Int)] = [
                    (bearer, 200), ([.cookie: cookies[0]], 200), ([.cookie: cookies[1]], 200),
                    ([.cookie: cookies[0]], 429), ([.cookie: cookies[1]], 429), (bearer, 429),
                    ([.cookie: cookies[2]], 200), ([.cookie: cookies[2]], 200), ([.cookie: cookies[2]], 200),
                    ([.cookie: cookies[2]], 429),
                ]
                for (index, (headers, status)) in asked.enumerated() {
                    let response = try await client.execute(uri: "/v1/jobs", method: .get, headers: headers)
                    #expect(response.status.code == status, "request \(index)")
                }
            }
        }
    }

    @Test("Every response, refusals and errors too, says how many requests are left")
    func headers() async throws {
        let limit = RequestLimit(requestsPerSecond: 2, burst: 5)
        try await TestGateway.run(requestLimit: limit) { gateway in
            let ada = try await gateway.authorization("ada")
            let bob = try await gateway.authorization("bob")
            let application = Application(router: gateway.application.routes(now: { Self.instant }))
            try await application.test(.live) { client in
                func ask(
                    _ path: String, _ headers: HTTPFields, _ status: Int, _ policy: String?, _ state: String?
                ) async throws {
                    let response = try await client.execute(uri: path, method: .get, headers: headers)
                    #expect(response.status.code == status)
                    #expect(response.headers[.rateLimitPolicy] == policy)
                    #expect(response.headers[.rateLimit] == state)
                }
                let policy = #""address";q=5;w=3, "token";q=5;w=3"#
                try await ask("/v1/jobs", ada, 200, policy, #""address";r=4;t=1, "token";r=4;t=1"#)
                try await ask("/v1/jobs/none", ada, 404, policy, #""address";r=3;t=1, "token";r=3;t=1"#)
                try await ask("/v1/jobs", bob, 200, policy, #""address";r=2;t=2, "token";r=4;t=1"#)
                try await ask("/v1/jobs", [:], 401, #""address";q=5;w=3"#, #""address";r=1;t=2"#)
                try await ask("/v1/jobs", ada, 200, policy, #""address";r=0;t=3, "token";r=2;t=2"#)
                try await ask("/v1/jobs", ada, 429, #""address";q=5;w=3"#, #""address";r=0;t=3"#)
                try await ask("/healthz", [:], 200, nil, nil)
            }
        }
    }

    @Test("X-Forwarded-For of a trusted proxy names the client, and that of others is ignored")
    func proxies() async throws {
        let limit = RequestLimit(
            requestsPerSecond: 1, trustedProxies: ["127.0.0.1", "10.0.0.0/8"].compactMap(AddressRange.init))
        for (peer, forwarded, client) in [
            ("127.0.0.1", nil, "127.0.0.1"), ("127.0.0.1", "192.0.2.1", "192.0.2.1"),
            // Entries before the last untrusted address were written by that client.
            ("127.0.0.1", "198.51.100.7, 192.0.2.1", "192.0.2.1"),
            ("127.0.0.1", "198.51.100.7, 192.0.2.1, 10.1.1.1", "192.0.2.1"),
            ("127.0.0.1", "10.9.9.9, 10.1.1.1", "10.9.9.9"), ("192.0.2.9", "198.51.100.7", "192.0.2.9"),
            ("127.0.0.1", "unknown", "127.0.0.1"), ("127.0.0.1", "192.0.2.1, _hidden", "127.0.0.1"),
            ("127.0.0.1", "192.0.2.1:4711", "192.0.2.1"), ("127.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"),
            ("127.0.0.1", "2001:db8::1", "2001:db8::1"), ("::ffff:10.1.1.1", "192.0.2.1", "192.0.2.1"),
            ("127.0.0.1", "", "127.0.0.1"), ("127.0.0.1", ",,", "127.0.0.1"),
        ] {
            var headers = HTTPFields()
            headers[.xForwardedFor] = forwarded
            let found = limit.client(
                of: Request(headers: headers), peer: try SocketAddress(ipAddress: peer, port: 50_000))
            #expect(found?.ipAddress == client, "\(peer) for \(forwarded ?? "nobody")")
        }
        // Several fields are one list (RFC 9110, section 5.3).
        var headers = HTTPFields()
        for value in ["198.51.100.7", "192.0.2.1"] { headers.append(HTTPField(name: .xForwardedFor, value: value)) }
        let peer = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        #expect(limit.client(of: Request(headers: headers), peer: peer)?.ipAddress == "192.0.2.1")
        #expect(RequestLimit(requestsPerSecond: 1).client(of: Request(headers: headers), peer: peer) == peer)
    }

    @Test("By default there is no limit")
    func off() async throws {
        try await TestGateway.run { gateway in
            let authorization = try await gateway.authorization()
            try await gateway.withClient { client in
                for _ in 0..<200 {
                    let response = try await client.execute(uri: "/v1/jobs", method: .get, headers: authorization)
                    #expect(response.status == .ok)
                }
            }
        }
    }
}
