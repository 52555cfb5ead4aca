import HTTPTypes
import Hummingbird
import Testing

@testable import Gateway

@Suite("Where a request comes from")
struct SiteOriginTests {
    private func isOwn(_ origin: String?, host: String, publicURL: String? = nil) -> Bool? {
        let request = Request(.post, "/", host: host, headers: origin.map { [.origin: $0] } ?? [:])
        return SiteOrigin(publicURL: publicURL).isOrigin(of: request)
    }

    @Test(
        "an origin of the request's host and port is this site's",
        arguments: [
            ("http://127.0.0.1:8080", "127.0.0.1:8080"), ("http://[::1]:8080", "[::1]:8080"),
            ("https://backline.example.org", "backline.example.org"), ("HTTP://Example.ORG", "example.org"),
            // A browser leaves the standard port out of both, other clients may not.
            ("https://example.org", "example.org:443"), ("http://example.org:80", "example.org"),
        ])
    func own(origin: String, host: String) {
        #expect(isOwn(origin, host: host) == true)
    }

    @Test(
        "any other is not",
        arguments: [
            ("http://evil.example", "127.0.0.1:8080"), ("http://127.0.0.1:8081", "127.0.0.1:8080"),
            ("http://127.0.0.1", "127.0.0.1:8080"), ("null", "127.0.0.1:8080"), ("", "127.0.0.1:8080"), ("http://", ""),
            ("127.0.0.1:8080", "127.0.0.1:8080"), ("ftp://127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://127.0.0.1:8080.evil.example", "127.0.0.1:8080"),
            ("http://evil.example/127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://127.0.0.1:8080, http://evil.example", "127.0.0.1:8080"),
            ("https://example.org:80", "example.org"), ("http://example.org", "example.org:443"),
        ])
    func foreign(origin: String, host: String) {
        #expect(isOwn(origin, host: host) == false)
    }

    @Test("the public URL is this site's, whatever host a proxy names")
    func publicURL() {
        #expect(isOwn("https://b.example", host: "127.0.0.1:8080", publicURL: "https://b.example") == true)
        #expect(isOwn("http://b.example", host: "127.0.0.1:8080", publicURL: "https://b.example") == false)
        #expect(isOwn("http://127.0.0.1:8080", host: "127.0.0.1:8080", publicURL: "https://b.example") == true)
    }

    @Test("a request without an origin says nothing of where it comes from")
    func silent() {
        #expect(isOwn(nil, host: "127.0.0.1:8080") == nil)
    }
}
