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
            #expect(problem.code == "tooManyRequests" && problem.retryAfter == 1)
            return problem.status.code
        }
    }

    @Test("addresses are counted apart, those of one subscriber together")
    func addresses() async throws {
        let limit = RequestLimitMiddleware(per: .address, RequestLimit(requestsPerSecond: 1)) { Self.instant }
        for (address, expected) in [
            ("192.0.2.1", 200), ("192.0.2.1", 429), ("192.0.2.2", 200),
            // A socket for both families sees IPv4 addresses so.
            ("::ffff:192.0.2.2", 429), ("::ffff:192.0.2.3", 200), ("192.0.2.3", 429),
            ("2001:db8:0:1::1", 200), ("2001:db8:0:1:ffff::2", 429), ("2001:db8:0:2::1", 200), ("::1", 200),
        ] {
            #expect(try await status(limit, .from(address)) == expected, "\(address)")
        }
        // A local socket has no address to count.
        for _ in 0..<3 { #expect(try await status(limit, .from()) == 200) }
    }

    @Test("tokens are counted apart, wherever they come from")
    func tokens() async throws {
        let limit = RequestLimitMiddleware(per: .token, RequestLimit(requestsPerSecond: 2)) { Self.instant }
        let tokens = [AccessToken.random(), AccessToken.random()]
        for token in tokens {
            for (address, expected) in [("192.0.2.1", 200), ("192.0.2.2", 200), ("192.0.2.3", 429)] {
                var context = try GatewayContext.from(address)
                context.token = token
                #expect(try await status(limit, context) == expected)
            }
        }
    }

    @Test("an address is refused before its token is looked at; supervisors and monitoring never are")
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
                    #expect(problem.detail.contains("2 requests a second"))
                }
                #expect(try await client.execute(uri: "/nowhere", method: .get).status == .tooManyRequests)
                #expect(try await client.execute(uri: "/healthz", method: .get).status == .ok)
            }
        }
    }

    @Test("a token is refused when its requests come from nowhere in particular")
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

    @Test("by default there is none")
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
