import HTTPTypes
import Hummingbird
import Testing

@testable import Gateway

@Suite("The origin of a request")
struct SiteOriginTests {
    private func isOwn(_ origin: String?, host: String, publicURL: String? = nil) -> Bool? {
        let request = Request(.post, "/", host: host, headers: origin.map { [.origin: $0] } ?? [:])
        return SiteOrigin(publicURL: publicURL).isOrigin(of: request)
    }

    @Test(
        "The origin with the request's host and port is this site's",
        arguments: [
            ("http://127.0.0.1:8080", "127.0.0.1:8080"), ("http://[::1]:8080", "[::1]:8080"),
            ("https://backline.example.org", "backline.example.org"), ("HTTP://Example.ORG", "example.org"),
            // A browser omits the standard port in both headers; other clients may not.
            ("https://example.org", "example.org:443"), ("http://example.org:80", "example.org"),
        ])
    func ownOrigin(origin: String, host: String) {
        #expect(isOwn(origin, host: host) == true)
    }

    @Test(
        "Any other origin is not this site's",
        arguments: [
            ("http://evil.example", "127.0.0.1:8080"), ("http://127.0.0.1:8081", "127.0.0.1:8080"),
            ("http://127.0.0.1", "127.0.0.1:8080"), ("null", "127.0.0.1:8080"), ("", "127.0.0.1:8080"), ("http://", ""),
            ("127.0.0.1:8080", "127.0.0.1:8080"), ("ftp://127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://127.0.0.1:8080.evil.example", "127.0.0.1:8080"),
            ("http://evil.example/127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://127.0.0.1:8080, http://evil.example", "127.0.0.1:8080"),
            ("https://example.org:80", "example.org"), ("http://example.org", "example.org:443"),
        ])
    func foreignOrigins(origin: String, host: String) {
        #expect(isOwn(origin, host: host) == false)
    }

    @Test("With an https public URL, only exactly that origin is this site's, whatever the host")
    func securePublicURL() {
        let url = "https://b.example"
        for host in ["127.0.0.1:8080", "b.example", "b.example:443"] {
            #expect(isOwn(url, host: host, publicURL: url) == true)
            #expect(isOwn("HTTPS://B.example", host: host, publicURL: url) == true)
            // Anyone on the network can serve a page over plain http.
            for other in ["http://b.example", "http://b.example:443", "https://b.example:8443", "https://c.b.example"] {
                #expect(isOwn(other, host: host, publicURL: url) == false, "\(other)")
            }
            #expect(isOwn("http://\(host)", host: host, publicURL: url) == false)
            #expect(isOwn("https://127.0.0.1:8080", host: host, publicURL: url) == false)
            #expect(isOwn("null", host: host, publicURL: url) == false)
        }
    }

    @Test("With an http public URL, its origin and that of the request's host are this site's")
    func plainPublicURL() {
        #expect(isOwn("http://nas", host: "127.0.0.1:8080", publicURL: "http://nas") == true)
        #expect(isOwn("http://127.0.0.1:8080", host: "127.0.0.1:8080", publicURL: "http://nas") == true)
        #expect(isOwn("http://evil", host: "127.0.0.1:8080", publicURL: "http://nas") == false)
    }

    @Test("A request without an origin is undecided")
    func missingOrigin() {
        #expect(isOwn(nil, host: "127.0.0.1:8080") == nil)
    }
}
