import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Model
import NIOCore
import Storage
import Testing

@testable import Gateway

@Suite("The routes of signing in with Google", .timeLimit(.minutes(5)))
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
        "What is offered is what the installation has a client, and a secret of it, for",
        arguments: [
            (nil, false, nil), (GoogleSignInClient(clientID: "1-ios", servesBrowsers: false), true, nil),
            (client, true, "https://backline.example.org/v1/auth/google/start"),
        ] as [(GoogleSignInClient?, Bool, String?)])
    func ways(client: GoogleSignInClient?, available: Bool, startURL: String?) async throws {
        try await TestGateway.run(google: client, publicURL: "https://backline.example.org") { gateway in
            try await gateway.withClient { http in
                let response = try await http.execute(uri: "/v1/auth", method: .get)
                let ways = try JSONDecoder().decode(Ways.self, from: Data(response.body.readableBytesView))
                #expect(ways.google == Ways.Google(available: available, startURL: startURL))
            }
        }
    }

    @Test("The way back takes no attempt that is over, and another's is not used up by asking")
    func attempts() async throws {
        try await TestGateway.run(google: Self.client, publicURL: "https://backline.example.org") { gateway in
            let vault = gateway.application.vault
            _ = try vault.keyFile.make()
            let authorizations = GoogleAuthorizations(vault: vault, clientID: "1-web")
            let (browser, now) = (SignInBrowser.random(), Timestamp.now())
            @Sendable func state(begun time: Timestamp) async throws -> String {
                let url = try await gateway.database.write { transaction in
                    try authorizations.begin(
                        endpoint: "https://accounts.example.com/auth", browser: browser,
                        redirectURI: "https://backline.example.org/v1/auth/google/callback", returnTo: "/library",
                        in: transaction, now: time)
                }
                let items = URLComponents(string: url)?.queryItems ?? []
                return try #require(items.first { $0.name == "state" }?.value)
            }
            let over = try await state(begun: now.advanced(by: .zero - GoogleAuthorizations.lifetime))
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
}
