import Foundation
import Testing

@testable import UpstreamSimulator

/// Requests that Spotify refuses without a consent page, and the consent page itself.
@Suite("The simulated Spotify's authorization")
struct SimulatedSpotifyAuthorizationTests {
    @Test("The consent page names the scopes and has two buttons, and works without scripts")
    func consentPage() async throws {
        try await withSimulator { server in
            let page = try await server.send("GET", SpotifyVisitor.authorization())
            #expect(page.status == 200)
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            for part in [
                "<html lang=\"en\">", "<form method=\"post\">", ">Allow</button>", ">Cancel</button>",
                "user-read-private", "user-top-read", "Dana Novák",
            ] {
                #expect(page.text.contains(part), "\(part)")
            }
            #expect(!page.text.contains("<script"))
        }
    }

    @Test("Allow sends a code and the state back, Cancel an error and the state")
    func allowAndCancel() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let allowed = try await visitor.decide("allow")
            #expect(Set(allowed.keys) == ["code", "state"])
            #expect(allowed["state"] == "a state/with signs")
            let refused = try await visitor.decide("cancel")
            #expect(refused == ["error": "access_denied", "state": "a state/with signs"])
        }
    }

    @Test(
        "An error in a link is shown on a page, without a redirect",
        arguments: [
            ("client_id", "another", "Invalid client"), ("client_id", nil, "Invalid client"),
            ("response_type", "token", "response_type must be code"), ("response_type", nil, "response_type"),
            ("code_challenge_method", "plain", "must be S256"), ("code_challenge_method", nil, "must be S256"),
            ("code_challenge", nil, "code_challenge must be"), ("code_challenge", "c2hvcnQ", "code_challenge must be"),
            ("code_challenge", SpotifyVisitor.challenge + "=", "without padding"),
            ("redirect_uri", nil, "Missing redirect URI"),
            ("redirect_uri", "http://localhost:8080/v1/setup/spotify/callback", "Insecure redirect URI"),
            ("redirect_uri", "http://192.168.1.2/v1/setup/spotify/callback", "Insecure redirect URI"),
            ("redirect_uri", "http://127.0.0.1:8080/v1/setup/spotify/callback/", "Invalid redirect URI"),
            ("redirect_uri", "http://127.0.0.1:8080/", "Invalid redirect URI"),
            ("redirect_uri", "http://127.0.0.1:port/v1/setup/spotify/callback", "Invalid redirect URI"),
            ("redirect_uri", "https://127.0.0.1/v1/setup/spotify/callback", "Invalid redirect URI"),
            ("scope", "user-read-private user-rule-world", "Invalid scope"),
        ] as [(String, String?, String)])
    func refusedLinks(parameter: String, value: String?, reason: String) async throws {
        try await withSimulator { server in
            for method in ["GET", "POST"] {
                let answer = try await server.send(
                    method, SpotifyVisitor.authorization([parameter: value]),
                    headers: ["Content-Type: application/x-www-form-urlencoded"], body: "decision=allow")
                #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
                #expect(answer.headers["location"] == nil)
            }
        }
    }

    @Test("A loopback literal without a port admits every port; every other address must be the registered text")
    func redirectAddresses() {
        let open = "http://127.0.0.1/callback"
        for address in [open, "http://127.0.0.1:1/callback", "http://127.0.0.1:65535/callback"] {
            #expect(RedirectAddress.admits(registered: open, address))
        }
        #expect(RedirectAddress.admits(registered: "http://[::1]/callback", "http://[::1]:4711/callback"))
        for address in [
            "http://127.0.0.1:65536/callback", "http://127.0.0.1:/callback", "http://127.0.0.1:80@example.org/callback",
            "http://127.0.0.2/callback", "http://[::1]/callback", "http://127.0.0.1/callback?more=1",
        ] {
            #expect(!RedirectAddress.admits(registered: open, address), "\(address)")
        }
        #expect(!RedirectAddress.admits(registered: "http://127.0.0.1:80/callback", "http://127.0.0.1:81/callback"))
        #expect(!RedirectAddress.admits(registered: "https://example.org/a", "https://example.org:444/a"))
        for address in ["https://example.org/a", "http://127.0.0.1:8080/", "http://[::1]/", "app://callback"] {
            #expect(RedirectAddress.isSecure(address), "\(address)")
        }
        for address in [
            "http://localhost/", "https://localhost/", "http://example.org/", "http://127.0.0.1.example.org/",
            "/callback", "http://127.0.0.1@example.org/",
        ] {
            #expect(!RedirectAddress.isSecure(address), "\(address)")
        }
    }

    @Test("A person who has already consented to all scopes is redirected at once, unless the app requests the page")
    func repeatedConsent() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            _ = try await visitor.connect()
            #expect(try await server.send("GET", SpotifyVisitor.authorization()).status == 303)
            #expect(try await server.send("GET", SpotifyVisitor.authorization(["show_dialog": "true"])).status == 200)
            let more = SpotifyVisitor.authorization(["scope": "user-read-private playlist-modify-private"])
            #expect(try await server.send("GET", more).status == 200)
            try await visitor.order("config", #"{"signedInAs": "second-listener"}"#)
            #expect(try await server.send("GET", SpotifyVisitor.authorization()).text.contains("Lee O&#39;Hara"))
        }
    }

    @Test("Tests can register apps, with addresses that the dashboard accepts")
    func registeredApps() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order(
                "config", #"{"clients": [{"id": "mine", "redirectURIs": ["https://music.example.org/callback"]}]}"#)
            let mine: [String: String?] = ["client_id": "mine", "redirect_uri": "https://music.example.org/callback"]
            #expect(try await server.send("GET", SpotifyVisitor.authorization(mine)).status == 200)
            #expect(try await server.send("GET", SpotifyVisitor.authorization()).status == 400)
            let refused = try await server.send(
                "POST", "/_sim/spotify/config",
                body: #"{"clients": [{"id": "mine", "redirectURIs": ["http://localhost/callback"]}]}"#)
            #expect(refused.status == 400 && refused.text.contains("cannot be registered"))
        }
    }
}
