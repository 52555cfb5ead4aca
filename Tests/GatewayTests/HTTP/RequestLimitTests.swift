import Accounts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import NIOCore
import Platform
import TestSupport
import Testing

@testable import Gateway

@Suite("Request limits")
struct RequestLimitTests {
    private static let instant = MonotonicInstant(microseconds: 1_000_000_000)

    @Test("Each person and each address is counted separately, but those of one IPv6 subscriber together")
    func countedSubjects() throws {
        let limits = RequestLimits(RequestLimit(requestsPerSecond: 1)) { Self.instant }
        for (address, expected) in [
            ("192.0.2.1", true), ("192.0.2.1", false), ("192.0.2.2", true),
            // IPv4 addresses have this form at a socket for both families.
            ("::ffff:192.0.2.2", false), ("::ffff:192.0.2.3", true), ("192.0.2.3", false),
            ("2001:db8:0:1::1", true), ("2001:db8:0:1:ffff::2", false), ("2001:db8:0:2::1", true), ("::1", true),
        ] {
            let key = try #require(try SocketAddress(ipAddress: address, port: 1).subscriber)
            #expect((limits.count(.address(key)).refusal == nil) == expected, "\(address)")
        }
        for (person, expected) in [("ada", true), ("ada", false), ("bob", true)] {
            #expect((limits.count(.person(userID: person)).refusal == nil) == expected, "\(person)")
        }
        let refusal = try #require(limits.count(.person(userID: "ada")).refusal)
        #expect(refusal.code == .tooManyRequests && refusal.status == .tooManyRequests && refusal.retryAfter == 1)
        // Pictures have their own limit.
        for _ in 0..<RequestLimits.pictureFactor {
            #expect(limits.count(.pictures(userID: "ada")).refusal == nil)
        }
        #expect(limits.count(.pictures(userID: "ada")).refusal != nil)
    }

    @Test("An address is limited without a valid token; valid ones work, and health and metrics are never refused")
    func limitWithoutAToken() async throws {
        try await TestGateway.run(requestLimit: RequestLimit(requestsPerSecond: 2)) { gateway in
            let (ada, bob) = (try await gateway.authorization("ada"), try await gateway.authorization("bob"))
            let application = Application(router: gateway.application.routes(now: { Self.instant }))
            try await application.test(.live) { client in
                for path in ["/healthz", "/readyz", "/metrics"] {
                    for _ in 0..<4 { #expect(try await client.execute(uri: path, method: .get).status == .ok) }
                }
                #expect(try await client.execute(uri: "/v1/jobs", method: .get).status == .unauthorized)
                #expect(try await client.execute(uri: "/nowhere", method: .get).status == .notFound)
                for headers: HTTPFields in [[:], [.authorization: "Bearer wrong"], [.cookie: "backline_session=wrong"]]
                {
                    let response = try await client.execute(uri: "/v1/jobs", method: .get, headers: headers)
                    #expect(response.status == .tooManyRequests)
                    #expect(response.headers[.retryAfter] == "1")
                    let problem = try response.problem
                    #expect(problem.code == "tooManyRequests" && problem.status == 429)
                    #expect(problem.detail.contains("One address may make 2 requests per second without"))
                }
                #expect(try await client.execute(uri: "/nowhere", method: .get).status == .tooManyRequests)
                // Somebody behind the same proxy is not refused because of that.
                for headers in [ada, bob] {
                    for _ in 0..<2 {
                        #expect(try await client.execute(uri: "/v1/jobs", method: .get, headers: headers).status == .ok)
                    }
                    let response = try await client.execute(uri: "/v1/artists", method: .get, headers: headers)
                    #expect(response.status == .tooManyRequests)
                    #expect(try response.problem.detail.contains("One person may make 2 requests per second"))
                }
                #expect(try await client.execute(uri: "/healthz", method: .get).status == .ok)
            }
        }
    }

    @Test("A person's tokens and sessions share one limit")
    func limitOfAPerson() async throws {
        try await TestGateway.run(requestLimit: RequestLimit(requestsPerSecond: 3)) { gateway in
            let accounts = Accounts(database: gateway.database)
            let token = try await gateway.addUser("ada")
            let other = try await accounts.addToken(user: "ada", name: "other").token
            let session = try #require(try await accounts.signIn(token: token)).0
            let application = Application(router: gateway.application.routes(now: { Self.instant }))
            try await application.test(.router) { client in
                let asked: [(HTTPFields, Int)] = [
                    ([.authorization: "Bearer \(token.secret.reveal())"], 200),
                    ([.authorization: "Bearer \(other.secret.reveal())"], 200),
                    ([.cookie: "backline_session=\(session.secret.reveal())"], 200),
                    ([.authorization: "Bearer \(token.secret.reveal())"], 429),
                    ([.authorization: "Bearer \(other.secret.reveal())"], 429),
                    ([.cookie: "backline_session=\(session.secret.reveal())"], 429),
                ]
                for (index, (headers, status)) in asked.enumerated() {
                    let response = try await client.execute(uri: "/v1/jobs", method: .get, headers: headers)
                    #expect(response.status.code == status, "request \(index)")
                }
            }
        }
    }

    @Test("Programs that send listens have the same limits, and get 503 for listens, which they then send again")
    func limitOfListens() async throws {
        try await TestGateway.run(requestLimit: RequestLimit(requestsPerSecond: 2)) { gateway in
            let token = try await gateway.addUser("ada").secret.reveal()
            let application = Application(router: gateway.application.routes(now: { Self.instant }))
            try await application.test(.live) { client in
                let headers: HTTPFields = [.authorization: "Token \(token)"]
                for _ in 0..<2 {
                    let response = try await client.execute(
                        uri: "/1/user/ada/listen-count", method: .get, headers: headers)
                    #expect(response.status == .ok)
                }
                for (path, method, status) in [
                    ("/1/user/ada/listens", HTTPRequest.Method.get, 429), ("/1/submit-listens", .post, 503),
                    ("/1/delete-listen", .post, 429),
                ] {
                    let response = try await client.execute(
                        uri: path, method: method, headers: headers, body: ByteBuffer(string: "{}"))
                    #expect(response.status.code == status, "\(path)")
                    #expect(response.headers[.retryAfter] == "1")
                    #expect(response.headers[HTTPField.Name("X-RateLimit-Remaining")!] == "0")
                    #expect(response.headers[HTTPField.Name("X-RateLimit-Reset-In")!] == "1")
                    #expect(String(buffer: response.body).hasPrefix(#"{"code":\#(status),"error":"One person"#))
                }
                // Requests without a valid token count for the address.
                for status in [401, 401, 503] {
                    let response = try await client.execute(
                        uri: "/1/submit-listens", method: .post, headers: [.authorization: "Token wrong"])
                    #expect(response.status.code == status)
                }
            }
        }
    }

    @Test("Every response, including refusals and errors, says how many requests are left")
    func headersOfEveryResponse() async throws {
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
                let policy = #""person";q=5;w=3"#
                try await ask("/v1/jobs", ada, 200, policy, #""person";r=4;t=1"#)
                try await ask("/v1/jobs/none", ada, 404, policy, #""person";r=3;t=1"#)
                try await ask("/v1/jobs", bob, 200, policy, #""person";r=4;t=1"#)
                try await ask("/v1/jobs", [:], 401, #""address";q=5;w=3"#, #""address";r=4;t=1"#)
                try await ask("/v1/pictures/none", ada, 404, #""pictures";q=50;w=3"#, #""pictures";r=49;t=1"#)
                for remaining in [2, 1, 0] {
                    try await ask(
                        "/v1/jobs", ada, 200, policy, #""person";r=\#(remaining);t=\#((5 - remaining + 1) / 2)"#)
                }
                try await ask("/v1/jobs", ada, 429, policy, #""person";r=0;t=3"#)
                try await ask("/healthz", [:], 200, nil, nil)
            }
        }
    }

    @Test("X-Forwarded-For of a trusted proxy names the client, and that of others is ignored")
    func forwardedAddresses() async throws {
        let proxies = TrustedProxies(["127.0.0.1", "10.0.0.0/8"].compactMap(AddressRange.init))
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
            let found = proxies.client(
                of: Request(headers: headers), peer: try SocketAddress(ipAddress: peer, port: 50_000))
            #expect(found?.ipAddress == client, "\(peer) for \(forwarded ?? "nobody")")
        }
        // Several fields are one list (RFC 9110, section 5.3).
        var headers = HTTPFields()
        for value in ["198.51.100.7", "192.0.2.1"] { headers.append(HTTPField(name: .xForwardedFor, value: value)) }
        let peer = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        #expect(proxies.client(of: Request(headers: headers), peer: peer)?.ipAddress == "192.0.2.1")
        #expect(TrustedProxies().client(of: Request(headers: headers), peer: peer) == peer)
    }

    @Test("Without a limit nothing is refused")
    func noLimit() async throws {
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
