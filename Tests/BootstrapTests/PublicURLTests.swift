import Settings
import Testing

@testable import Bootstrap

@Suite("http.publicURL")
struct PublicURLTests {
    @Test(
        "The value is stored as browsers write an origin",
        arguments: [
            ("https://backline.example.org", "https://backline.example.org"),
            ("HTTPS://Backline.Example.org:443/", "https://backline.example.org"),
            ("http://192.168.1.5:8080", "http://192.168.1.5:8080"), ("http://nas:80", "http://nas"),
            ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443"),
        ])
    func storedAsOrigin(text: String, expected: String) throws {
        #expect(try load(environment: ["BACKLINE_HTTP_PUBLIC_URL": text]).configuration.http.publicURL == expected)
    }

    @Test(
        "Only a URL of scheme, host and port is accepted",
        arguments: [
            "backline.example.org", "https://", "ftp://example.org", "https://example.org/backline",
            "https://example.org?x", "https://example.org#x", "https://ada@example.org", "https://example.org:0", "",
        ])
    func refusedURLs(text: String) throws {
        let error = try #require(throws: ConfigurationError.self) {
            try load(environment: ["BACKLINE_HTTP_PUBLIC_URL": text])
        }
        #expect(error.problems.count == 1 && "\(error)".contains("http.publicURL"))
    }

    @Test(
        "With a Spotify client id, the value must be an address that Spotify accepts for redirects",
        arguments: [
            ("https://backline.example.org", true), ("http://127.0.0.1:8080", true), ("http://[::1]:8080", true),
            ("http://localhost:8080", false), ("https://localhost", false), ("http://192.168.1.5:8080", false),
            ("http://nas", false),
        ])
    func redirectTarget(text: String, isAllowed: Bool) throws {
        let environment = ["BACKLINE_HTTP_PUBLIC_URL": text]
        #expect(throws: Never.self) { try load(environment: environment) }
        let withSpotify = environment.merging(["BACKLINE_SPOTIFY_CLIENT_ID": "app"]) { $1 }
        if isAllowed {
            #expect(throws: Never.self) { try load(environment: withSpotify) }
        } else {
            let error = try #require(throws: ConfigurationError.self) { try load(environment: withSpotify) }
            #expect(error.problems.count == 1)
            for word in ["http.publicURL", "Spotify", "localhost"] { #expect("\(error)".contains(word)) }
        }
    }
}
