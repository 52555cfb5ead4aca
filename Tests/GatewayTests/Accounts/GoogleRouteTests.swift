import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Model
import NIOCore
import Storage
import Testing
import Vault

@testable import AccountsHTTP
@testable import Gateway

@Suite("Routes of the sign-in with Google", .timeLimit(.minutes(5)))
struct GoogleRouteTests {
    private static let client = GoogleSignInClient(clientID: "1-web", servesBrowsers: true)

    private struct Ways: Decodable {
        struct Google: Decodable, Equatable {
            var available: Bool
            var startURL: String?
        }

        var google: Google
    }

    @Test(
        "The sign-in is offered to apps if there is a client, and to browsers if it also has a secret",
        arguments: [
            (nil, false, nil), (GoogleSignInClient(clientID: "1-ios", servesBrowsers: false), true, nil),
            (client, true, "https://backline.example.org/v1/auth/google/start"),
        ] as [(GoogleSignInClient?, Bool, String?)])
    func offeredSignIns(client: GoogleSignInClient?, available: Bool, startURL: String?) async throws {
        try await TestGateway.run(google: client, publicURL: "https://backline.example.org") { gateway in
            try await gateway.withClient { http in
                let response = try await http.execute(uri: "/v1/auth", method: .get)
                let ways = try JSONDecoder().decode(Ways.self, from: Data(response.body.readableBytesView))
                #expect(ways.google == Ways.Google(available: available, startURL: startURL))
            }
        }
    }

    @Test("The callback refuses an attempt that has expired or is another browser's, and does not use it up")
    func attemptsOfOtherBrowsers() async throws {
        try await TestGateway.run(google: Self.client, publicURL: "https://backline.example.org") { gateway in
            let sealer = gateway.application.services.sealer
            try sealer.file.write(VaultKey.random().publicKey)
            let authorizations = GoogleAuthorizations(sealer: sealer, clientID: "1-web")
            let (browser, now) = (SignInBrowser.random(), Timestamp.now())
            @Sendable func state(begun time: Timestamp) async throws -> String {
                let begun = try await gateway.database.write { transaction in
                    try authorizations.begin(
                        endpoint: "https://accounts.example.com/auth", browser: browser,
                        redirectURI: "https://backline.example.org/v1/auth/google/callback", returnTo: "/library",
                        in: transaction, now: time)
                }
                let items = URLComponents(string: begun.authorizeURL)?.queryItems ?? []
                return try #require(items.first { $0.name == "state" }?.value)
            }
            let over = try await state(begun: now.advanced(by: .zero - AuthorizationFlow.lifetime))
            let open = try await state(begun: now)
            let cookie = "__Host-backline_sign_in=\(browser.secret.reveal())"
            try await gateway.withClient { http in
                func comeBack(_ query: String, cookie: String) async throws -> String? {
                    let response = try await http.execute(
                        uri: "/v1/auth/google/callback?\(query)", method: .get, headers: [.cookie: cookie])
                    #expect(response.status == .seeOther && response.headers[.cacheControl] == "no-store")
                    return response.headers[.location]
                }
                let unknown = "/sign-in?code=stateUnknown"
                #expect(try await comeBack("state=\(over)&error=access_denied", cookie: cookie) == unknown)
                #expect(try await comeBack("state=\(open)&error=access_denied", cookie: "") == unknown)
                let otherBrowser = "__Host-backline_sign_in=blb_x"
                #expect(try await comeBack("state=\(open)&error=access_denied", cookie: otherBrowser) == unknown)
                #expect(
                    try await comeBack("state=\(open)&error=access_denied", cookie: cookie)
                        == "/sign-in?next=%2Flibrary")
                #expect(try await comeBack("state=\(open)&error=access_denied", cookie: cookie) == unknown)
                let failed = try await state(begun: now)
                #expect(
                    try await comeBack("state=\(failed)&error=server_error", cookie: cookie)
                        == "/sign-in?code=consentFailed&next=%2Flibrary")
            }
        }
    }

    @Test("A browser gets a failure on the sign-in page, and a program gets a problem")
    func failuresOfASignIn() async throws {
        try await TestGateway.run(google: Self.client, publicURL: "https://backline.example.org") { gateway in
            let sealer = gateway.application.services.sealer
            try sealer.file.write(VaultKey.random().publicKey)
            let authorizations = GoogleAuthorizations(sealer: sealer, clientID: "1-web")
            let browser = SignInBrowser.random()
            let begun = try await gateway.database.write { transaction in
                try authorizations.begin(
                    endpoint: "https://accounts.example.com/auth", browser: browser,
                    redirectURI: "https://backline.example.org/v1/auth/google/callback", returnTo: "/library",
                    in: transaction)
            }
            let state = try #require(
                URLComponents(string: begun.authorizeURL)?.queryItems?.first { $0.name == "state" }?.value)
            try await gateway.database.write {
                try $0.run("CREATE TRIGGER none BEFORE INSERT ON jobs BEGIN SELECT RAISE(ABORT, 'broken'); END")
            }
            try await gateway.withClient { http in
                func open(_ path: String, _ accept: String) async throws -> TestResponse {
                    let cookie = "__Host-backline_sign_in=\(browser.secret.reveal())"
                    return try await http.execute(
                        uri: "/v1/auth/google/" + path, method: .get, headers: [.cookie: cookie, .accept: accept])
                }
                for (path, location) in [
                    ("start?returnTo=/library", "/sign-in?code=storageFailed&next=%2Flibrary"),
                    ("start?returnTo=//elsewhere.example", "/sign-in?code=invalidParameter"),
                    ("callback?state=\(state)&code=x", "/sign-in?code=storageFailed&next=%2Flibrary"),
                ] {
                    let response = try await open(path, "text/html")
                    #expect(response.status == .seeOther && response.headers[.location] == location, "\(path)")
                }
                let problem = try await open("start", "application/json")
                #expect(try problem.status == .serviceUnavailable && problem.problem.code == "storageFailed")
                // The attempt is not used up.
                try await gateway.database.write { try $0.run("DROP TRIGGER none") }
                let cancelled = try await open("callback?state=\(state)&error=access_denied", "text/html")
                #expect(cancelled.headers[.location] == "/sign-in?next=%2Flibrary")
            }
        }
    }
}
