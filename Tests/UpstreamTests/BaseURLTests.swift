import Model
import Testing

@testable import Upstream

@Suite("Base URLs and the URLs composed from them")
struct BaseURLTests {
    @Test(
        "Valid base URLs are accepted",
        arguments: [
            ("https://app.ticketmaster.com/discovery/v2", "https://app.ticketmaster.com/discovery/v2", false),
            ("https://app.ticketmaster.com/discovery/v2/", "https://app.ticketmaster.com/discovery/v2", false),
            ("HTTPS://example.com", "https://example.com", false),
            ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x", true),
            ("http://127.5.6.7", "http://127.5.6.7", true),
            ("http://localhost:8080", "http://localhost:8080", true),
            ("http://[::1]:8080/", "http://[::1]:8080", true),
        ])
    func acceptedURLs(text: String, normalized: String, isLoopback: Bool) throws {
        let base = try BaseURL(text)
        #expect(base.text == normalized)
        #expect(base.isLoopback == isLoopback)
    }

    @Test(
        "Other base URLs are refused, with a reason that never repeats a query or a password",
        arguments: [
            "", "app.ticketmaster.com", "/discovery", "ftp://example.com", "http://example.com",
            "http://128.0.0.1", "http://127.0.0.1.example.com", "http://localhost.example.com", "http://[::2]",
            "http://192.168.0.1", "https://user:hunter2@example.com", "https://example.com/v2?apikey=hunter2",
            "https://example.com/#hunter2x", "https://exa mple.com", "https://example.com:99999", "https://",
        ])
    func refusedURLs(text: String) {
        do {
            let base = try BaseURL(text)
            Issue.record("accepted as \(base)")
        } catch {
            guard case .invalidBaseURL(let reason) = error else {
                Issue.record("unexpected \(error)")
                return
            }
            #expect(!reason.isEmpty)
            #expect(!"\(error)".contains("hunter2"))
        }
    }

    @Test("A form is encoded like a query, and is not sent twice")
    func encodedForm() {
        let request = UpstreamRequest.form(
            path: "/token", [("grant_type", "code"), ("redirect uri", "https://a.example/b?c=d&e=é+~")])
        #expect(
            request.body.map { String(decoding: $0, as: UTF8.self) }
                == "grant_type=code&redirect%20uri=https%3A%2F%2Fa.example%2Fb%3Fc%3Dd%26e%3D%C3%A9%2B~")
        #expect(request.method == .post && request.path == "/token" && !request.isIdempotent)
        #expect(request.headers.contains { $0 == ("Content-Type", "application/x-www-form-urlencoded") })
    }

    @Test("Text of any script is encoded byte by byte")
    func encodedText() throws {
        let request = UpstreamRequest(
            path: "/events.json", query: [("keyword", "Björk & 宇多田"), ("a b", "1/2?3#4")],
            secretQuery: [("apikey", Secret("s=&?#"))])
        let url = try URLText.compose(request, under: BaseURL("https://example.com/v2"))
        #expect(
            url == "https://example.com/v2/events.json?keyword=Bj%C3%B6rk%20%26%20%E5%AE%87%E5%A4%9A%E7%94%B0"
                + "&a%20b=1%2F2%3F3%234&apikey=s%3D%26%3F%23")
    }

    @Test(
        "A path that would change the meaning of the address is refused",
        arguments: ["x", "/a b", "/a?b", "/a#b", "/é"])
    func malformedPath(path: String) throws {
        let base = try BaseURL("https://example.com")
        #expect(throws: UpstreamError.self) { try URLText.compose(UpstreamRequest(path: path), under: base) }
    }
}
