import HTTPTypes
import Hummingbird
import Model
import Platform
import TestSupport
import Testing

@testable import AccountsHTTP
@testable import Gateway

@Suite("Starts of sign-ins with Google")
struct SignInStartTests {
    @Test("One address starts a hundred at once and then one a second, and others are not affected")
    func limitOfAnAddress() async throws {
        let clock = CredentialCacheTests.Clock()
        let starts = SignInStarts(proxies: TrustedProxies()) { clock.now }
        func isRefused(_ address: String?) throws -> Bool {
            do {
                try starts.count(Request(), .from(address))
                return false
            } catch let problem as Problem {
                #expect(problem.status == .tooManyRequests && problem.retryAfter != nil)
                return true
            }
        }
        for _ in 0..<SignInStarts.burst { #expect(try !isRefused("192.0.2.1")) }
        #expect(try isRefused("192.0.2.1"))
        #expect(try !isRefused("192.0.2.2"))
        #expect(try !isRefused(nil))
        clock.advance(by: .seconds(1))
        #expect(try !isRefused("192.0.2.1"))
        #expect(try isRefused("192.0.2.1"))
    }

    @Test("Behind an unnamed proxy, nobody's starts use up those of others; a named one identifies the clients")
    func clientsBehindAProxy() throws {
        let clock = CredentialCacheTests.Clock()
        let unnamed = SignInStarts(proxies: TrustedProxies()) { clock.now }
        for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            for _ in 0..<SignInStarts.burst * 2 { try unnamed.count(Request(), .from(address)) }
        }
        let named = SignInStarts(proxies: TrustedProxies(["127.0.0.1"].compactMap(AddressRange.init))) { clock.now }
        func start(_ client: String?) throws {
            var headers = HTTPFields()
            headers[.xForwardedFor] = client
            try named.count(Request(headers: headers), .from("127.0.0.1"))
        }
        for client in ["192.0.2.1", nil] {
            for _ in 0..<SignInStarts.burst { try start(client) }
            #expect(throws: Problem.self) { try start(client) }
        }
        try start("192.0.2.2")
    }

    @Test("The route counts starts before anything is written")
    func startsAreCountedFirst() async throws {
        let google = GoogleSignInClient(clientID: "1-web", servesBrowsers: true)
        try await TestGateway.run(google: google, publicURL: "https://backline.example.org") { gateway in
            // A job looks up Google's endpoint.
            try await gateway.database.write {
                try $0.run("CREATE TRIGGER none BEFORE INSERT ON jobs BEGIN SELECT RAISE(ABORT, 'broken'); END")
            }
            let now = MonotonicInstant(microseconds: 5_000_000)
            let responder = gateway.application.routes(now: { now }).buildResponder()
            var statuses: [Int] = []
            for _ in 0..<SignInStarts.burst + 1 {
                let response = try await responder.respond(
                    to: Request(.get, "/v1/auth/google/start"), context: .from("192.0.2.1"))
                statuses.append(response.status.code)
            }
            #expect(statuses == Array(repeating: 503, count: SignInStarts.burst) + [429])
        }
    }
}
