import Accounts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import Platform
import Storage
import Synchronization
import Testing

@testable import AccountsHTTP
@testable import Gateway

@Suite("Limiting guesses of credentials")
struct SignInThrottleTests {
    private final class Looks: Sendable {
        let count = Atomic(0)
    }

    private func attempt(_ throttle: SignInThrottle, from address: String?, _ value: Int?) async throws -> Int? {
        try await throttle.attempt(Request(), .from(address)) { value }
    }

    /// The problem's code for a token; `nil` when the token is valid.
    private func refusal(
        _ throttle: SignInThrottle, from address: String?, _ value: Int?
    ) async throws -> String? {
        do {
            return try await throttle.find(Request(), .from(address)) { value } == nil ? "nobody's" : nil
        } catch let problem as Problem {
            return problem.code.rawValue
        }
    }

    @Test("After 30 failures one attempt a second is made, and successes do not count")
    func attemptsAfterFailures() async throws {
        let clock = CredentialCacheTests.Clock()
        let throttle = SignInThrottle { clock.now }
        for _ in 0..<100 { #expect(try await attempt(throttle, from: "192.0.2.1", 1) == 1) }
        for _ in 0..<SignInThrottle.burst { #expect(try await attempt(throttle, from: "192.0.2.1", nil) == nil) }
        for _ in 0..<3 {
            let problem = await #expect(throws: Problem.self) { try await attempt(throttle, from: "192.0.2.1", 1) }
            #expect(problem?.code == .tooManyAttempts && problem?.retryAfter == 1)
        }
        clock.advance(by: .seconds(1))
        #expect(try await attempt(throttle, from: "192.0.2.1", nil) == nil)
        await #expect(throws: Problem.self) { try await attempt(throttle, from: "192.0.2.1", 1) }
        clock.advance(by: .seconds(1))
        #expect(try await attempt(throttle, from: "192.0.2.1", 1) == 1)
    }

    @Test("An address that guessed is refused, and its valid credentials are accepted at once")
    func rightOne() async throws {
        let clock = CredentialCacheTests.Clock()
        let throttle = SignInThrottle { clock.now }
        for _ in 0..<SignInThrottle.burst {
            #expect(try await refusal(throttle, from: "192.0.2.1", nil) == "nobody's")
        }
        for _ in 0..<3 {
            #expect(try await refusal(throttle, from: "192.0.2.1", nil) == "tooManyAttempts")
            #expect(try await refusal(throttle, from: "192.0.2.1", 1) == nil)
        }
        clock.advance(by: .seconds(1))
        #expect(try await refusal(throttle, from: "192.0.2.1", nil) == "nobody's")
        #expect(try await refusal(throttle, from: "192.0.2.1", nil) == "tooManyAttempts")
    }

    @Test("Other addresses are not affected, and all addresses of one subscriber count as one")
    func addressesOfSubscribers() async throws {
        let throttle = SignInThrottle { MonotonicInstant(microseconds: 5_000_000) }
        for index in 0..<SignInThrottle.burst {
            _ = try await refusal(throttle, from: "2001:db8::\(String(index, radix: 16))", nil)
        }
        #expect(try await refusal(throttle, from: "2001:db8::ffff", nil) == "tooManyAttempts")
        for other in ["2001:db8:0:1::1", "192.0.2.2", nil] {
            #expect(try await refusal(throttle, from: other, nil) == "nobody's")
        }
    }

    @Test("Memory is bounded for any number of addresses")
    func manyAddresses() async throws {
        let throttle = SignInThrottle { MonotonicInstant(microseconds: 5_000_000) }
        for number in 0..<50_000 {
            let address = "10.\(number >> 16).\((number >> 8) & 255).\(number & 255)"
            #expect(try await refusal(throttle, from: address, nil) == "nobody's")
        }
        #expect(throttle.addressCount <= 20_000)
    }

    @Test("No more attempts begin at once than may fail")
    func atOnce() async throws {
        let throttle = SignInThrottle { MonotonicInstant(microseconds: 5_000_000) }
        let looks = Looks()
        let (notices, notice) = AsyncStream<Void>.makeStream()
        let all = Task { await notices.prefix(200).reduce(into: ()) { _, _ in } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    do {
                        _ = try await throttle.attempt(Request(), .from("192.0.2.1")) { () -> Int? in
                            looks.count.add(1, ordering: .relaxed)
                            notice.yield()
                            await all.value
                            return nil
                        }
                    } catch is Problem {
                        notice.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(looks.count.load(ordering: .relaxed) == SignInThrottle.burst)
    }

    @Test("An attempt that ends in an error does not count; one whose client leaves does")
    func attemptsWithoutAResult() async throws {
        let throttle = SignInThrottle { MonotonicInstant(microseconds: 5_000_000) }
        func attempt(throwing error: any Error) async throws {
            _ = try await throttle.attempt(Request(), .from("192.0.2.1")) { () -> Int? in throw error }
        }
        for _ in 0..<100 {
            await #expect(throws: StorageError.closed) { try await attempt(throwing: StorageError.closed) }
        }
        for _ in 0..<SignInThrottle.burst {
            await #expect(throws: CancellationError.self) { try await attempt(throwing: CancellationError()) }
        }
        let problem = await #expect(throws: Problem.self) { try await attempt(throwing: StorageError.closed) }
        #expect(problem?.code == .tooManyAttempts)
    }

    @Test("Valid tokens, sessions and links work in the gateway from an address that guesses")
    func validCredentialsOfAGuesser() async throws {
        try await TestGateway.run { gateway in
            let accounts = Accounts(database: gateway.database)
            let now: @Sendable () -> MonotonicInstant = { MonotonicInstant(microseconds: 5_000_000) }
            let credentials = CredentialCache(accounts: accounts, now: now)
            let throttle = SignInThrottle(now: now)
            let middleware = AuthenticationMiddleware(
                admission: .sample(credentials), site: SiteOrigin(publicURL: nil), throttle: throttle)
            func status(_ header: HTTPField.Name, _ value: String) async throws -> HTTPResponse.Status {
                do {
                    return try await middleware.handle(Request(headers: [header: value]), context: .from("192.0.2.1")) {
                        _, _ in Response(status: .ok)
                    }.status
                } catch let problem as Problem {
                    return problem.status
                }
            }
            func status(_ token: APIToken) async throws -> HTTPResponse.Status {
                try await status(.authorization, "Bearer \(token.secret.reveal())")
            }
            func status(_ session: SessionToken) async throws -> HTTPResponse.Status {
                try await status(.cookie, "backline_session=\(session.secret.reveal())")
            }
            let (known, unknown) = (try await gateway.addUser("ada"), try await gateway.addUser("bob"))
            let session = try #require(await accounts.signIn(token: unknown)).0
            #expect(try await status(known) == .ok)
            for _ in 0..<SignInThrottle.burst { #expect(try await status(APIToken.random()) == .unauthorized) }
            #expect(try await status(APIToken.random()) == .tooManyRequests)
            #expect(try await status(SessionToken.random()) == .tooManyRequests)
            #expect(try await status(unknown) == .ok)
            #expect(try await status(session) == .ok)
            #expect(try await status(known) == .ok)

            let routes = SessionRoutes(
                accounts: accounts, credentials: credentials, cookie: SessionCookie(isSecure: false),
                site: SiteOrigin(publicURL: nil), throttle: throttle, maximumBodyBytes: 1_024)
            let link = try await accounts.signInLink(user: "ada").secret.reveal()
            func signIn(_ body: String) async throws -> HTTPResponse.Status {
                do {
                    return try await routes.signIn(Request(.post, body: body), .from("192.0.2.1")).status
                } catch let problem as Problem {
                    return problem.status
                }
            }
            #expect(try await signIn(#"{"link":"\#(SignInCode.random().secret.reveal())"}"#) == .tooManyRequests)
            #expect(try await signIn(#"{"link":"\#(link)"}"#) == .ok)
            #expect(try await signIn(#"{"link":"\#(link)"}"#) == .tooManyRequests)
            #expect(try await signIn(#"{"token":"\#(unknown.secret.reveal())"}"#) == .ok)
        }
    }

    @Test("A route that answers everybody ignores a wrong token, and does not count it")
    func routesForEverybody() async throws {
        try await TestGateway.run { gateway in
            let routes = gateway.application.routes(now: { MonotonicInstant(microseconds: 5_000_000) })
            let responder = routes.buildResponder()
            func status(_ path: String) async throws -> Int {
                let headers: HTTPFields = [.authorization: "Bearer wrong", .cookie: "backline_session=old"]
                let request = Request(.get, path, headers: headers)
                return try await responder.respond(to: request, context: .from("192.0.2.1")).status.code
            }
            for _ in 0...SignInThrottle.burst {
                let status = try await status("/v1/auth")
                #expect(status == 200)
            }
            for _ in 0..<SignInThrottle.burst {
                let status = try await status("/v1/me")
                #expect(status == 401)
            }
            let (own, open) = (try await status("/v1/me"), try await status("/v1/auth"))
            #expect(own == 429 && open == 200)
        }
    }

    @Test("In the gateway, wrong tokens that a trusted proxy forwards count for the client that it names")
    func tokensBehindAProxy() async throws {
        let proxies = ["127.0.0.1", "::1"].compactMap(AddressRange.init)
        try await TestGateway.run(trustedProxies: proxies) { gateway in
            let routes = gateway.application.routes(now: { MonotonicInstant(microseconds: 5_000_000) })
            let application = Application(router: routes)
            try await application.test(.live) { client in
                func status(from address: String) async throws -> HTTPResponse.Status {
                    let headers: HTTPFields = [.authorization: "Bearer wrong", .xForwardedFor: address]
                    return try await client.execute(uri: "/v1/jobs", method: .get, headers: headers).status
                }
                for _ in 0..<SignInThrottle.burst {
                    let status = try await status(from: "192.0.2.1")
                    #expect(status == .unauthorized)
                }
                let (same, other) = (try await status(from: "192.0.2.1"), try await status(from: "192.0.2.2"))
                #expect(same == .tooManyRequests && other == .unauthorized)
            }
        }
    }
}
