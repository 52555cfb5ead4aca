import Accounts
import HTTPTypes
import Hummingbird
import Model
import Testing

@testable import Gateway

@Suite("Slowing those who guess")
struct SignInThrottleTests {
    private func attempt(_ throttle: SignInThrottle, from address: String?, _ value: Int?) async throws -> Int? {
        try await throttle.attempt(Request(), .from(address)) { value }
    }

    @Test("after so many failures one a second is tried, and successes cost nothing")
    func slowed() async throws {
        let clock = CredentialCacheTests.Clock()
        let throttle = SignInThrottle { clock.now }
        for _ in 0..<100 { #expect(try await attempt(throttle, from: "192.0.2.1", 1) == 1) }
        for _ in 0..<SignInThrottle.burst { #expect(try await attempt(throttle, from: "192.0.2.1", nil) == nil) }
        for _ in 0..<3 {
            let problem = await #expect(throws: Problem.self) { try await attempt(throttle, from: "192.0.2.1", 1) }
            #expect(problem?.code == "tooManyAttempts" && problem?.retryAfter == 1)
        }
        clock.advance(by: .seconds(1))
        #expect(try await attempt(throttle, from: "192.0.2.1", nil) == nil)
        await #expect(throws: Problem.self) { try await attempt(throttle, from: "192.0.2.1", 1) }
        clock.advance(by: .seconds(1))
        #expect(try await attempt(throttle, from: "192.0.2.1", 1) == 1)
    }

    @Test("nobody elsewhere is kept out, and all addresses of one subscriber count as one")
    func elsewhere() async throws {
        let throttle = SignInThrottle { MonotonicInstant(microseconds: 5_000_000) }
        for index in 0..<SignInThrottle.burst {
            _ = try await attempt(throttle, from: "2001:db8::\(String(index, radix: 16))", nil)
        }
        await #expect(throws: Problem.self) { try await attempt(throttle, from: "2001:db8::ffff", 1) }
        for other in ["2001:db8:0:1::1", "192.0.2.2", nil] {
            #expect(try await attempt(throttle, from: other, 1) == 1)
        }
    }

    @Test("who is known already goes on, though a neighbour guesses")
    func known() async throws {
        try await TestGateway.run { gateway in
            let now: @Sendable () -> MonotonicInstant = { MonotonicInstant(microseconds: 5_000_000) }
            let credentials = CredentialCache(accounts: Accounts(database: gateway.database), now: now)
            let throttle = SignInThrottle(now: now)
            let middleware = AuthenticationMiddleware(
                credentials: credentials, site: SiteOrigin(publicURL: nil), throttle: throttle)
            func status(_ token: AccessToken) async throws -> HTTPResponse.Status {
                let request = Request(headers: [.authorization: "Bearer \(token.secret.reveal())"])
                do {
                    return try await middleware.handle(request, context: .from("192.0.2.1")) { _, _ in
                        Response(status: .ok)
                    }.status
                } catch let problem as Problem {
                    return problem.status
                }
            }
            let (known, unknown) = (try await gateway.addUser("ada"), try await gateway.addUser("bob"))
            #expect(try await status(known) == .ok)
            for _ in 0..<SignInThrottle.burst { #expect(try await status(.random()) == .unauthorized) }
            #expect(try await status(.random()) == .tooManyRequests)
            #expect(try await status(unknown) == .tooManyRequests)
            #expect(try await status(known) == .ok)
        }
    }
}
