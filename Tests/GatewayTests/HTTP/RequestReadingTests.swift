import HTTPTypes
import Hummingbird
import Testing

@testable import Gateway

@Suite("Reading headers, cookies and parameters")
struct RequestReadingTests {
    private func prefer(_ values: [String]) -> HTTPFields {
        var headers = HTTPFields()
        for value in values { headers.append(HTTPField(name: .prefer, value: value)) }
        return headers
    }

    @Test(
        "Prefer: wait is read as RFC 7240 defines it",
        arguments: [
            (["wait=1"], 1), (["wait=30"], 30), (["wait=31"], 30), (["wait=99999999999999999999"], 30), (["Wait=5"], 5),
            (["wait = 5"], 5), (["wait=\"5\""], 5), (["wait=5; strict"], 5), (["respond-async, wait=5"], 5),
            (["respond-async", "wait=5"], 5), (["wait=2, wait=9"], 2), (["wait=2", "wait=9"], 2),
            (["wait=x, wait=9"], 9),
            (["wait=007"], 7),
        ] as [([String], Int)])
    func preferredWaits(values: [String], seconds: Int) {
        #expect(Request(headers: prefer(values)).preferredWait == .seconds(seconds))
    }

    @Test(
        "Other preferences do not cause a wait",
        arguments: [
            [], [""], ["wait"], ["wait="], ["wait=0"], ["wait=-1"], ["wait=+5"], ["wait=1.5"], ["wait=5s"], ["wait=٥"],
            ["waiting=5"], ["respond-async"], ["wait=0, wait=5"], ["=5"], [",,;="],
        ] as [[String]])
    func noWait(values: [String]) {
        #expect(Request(headers: prefer(values)).preferredWait == nil)
    }

    @Test(
        "A cookie with two different values is ignored",
        arguments: [
            (["a=1"], "1"), (["b=2; a=1"], "1"), (["a=1; a=1"], "1"), (["a=1", "a=1"], "1"), (["a=1; a="], "1"),
            (["a=1; b=2; a=2"], nil), (["a=2; a=1"], nil), (["a=1", "a=2"], nil), (["a=1; a=2; a=1"], nil),
            (["b=1"], nil), ([], nil),
        ] as [([String], String?)])
    func ambiguousCookies(headers: [String], value: String?) {
        var fields = HTTPFields()
        for header in headers { fields.append(HTTPField(name: .cookie, value: header)) }
        #expect(Request(headers: fields).cookie("a")?.reveal() == value)
    }

    @Test(
        "Parameters are read as forms write them",
        arguments: [
            ("q=let+it", "let it"), ("q=let%20it", "let it"), ("q=let%2Bit", "let+it"), ("a=1&q=%C3%A9", "é"),
            ("q=%F0%9F%8E%B5", "🎵"), ("q=a=b", "a=b"), ("q=", ""), ("q", ""), ("q=1&q=2", "1"), ("a=q&&q=x", "x"),
            // Text that is not encoded correctly stays as it is.
            ("q=100%", "100%"), ("q=%FF+", "%FF "), ("", nil), ("qq=1", nil), ("Q=1", nil),
        ] as [(String, String?)])
    func formParameters(query: String, value: String?) {
        #expect(Request(.get, "/v1/library/tracks?" + query).parameter("q") == value)
    }

    @Test("A text to search for is UTF-8, and a percent sign that encodes nothing stands for itself")
    func texts() throws {
        for (query, value) in [
            ("q=R%C3%B6yk+sopp", "Röyk sopp"), ("q=100%", "100%"), ("q=5%zz", "5%zz"), ("q=", ""), ("", nil),
        ] as [(String, String?)] {
            #expect(try Request(.get, "/v1/users?" + query).text("q") == value, "\(query)")
        }
        for query in ["q=%FF", "q=%ED%A0%80", "q=a%C3"] {
            let problem = try #require(throws: Problem.self) { try Request(.get, "/v1/users?" + query).text("q") }
            #expect(problem.code == .invalidParameter && problem.field == "q", "\(query)")
        }
    }

    @Test("A page has its standard size, or the requested one within bounds")
    func pageLimits() throws {
        #expect(try Request(.get, "/v1/jobs").pageLimit(standard: 50, maximum: 200) == 50)
        for limit in [1, 50, 200] {
            #expect(
                try Request(.get, "/v1/jobs?state=queued&limit=\(limit)").pageLimit(standard: 50, maximum: 200) == limit
            )
        }
        for text in ["0", "-1", "201", "x", "", "1.5", "1e2", "99999999999999999999", "%31%30x", "1%00"] {
            let request = Request(.get, "/v1/jobs?limit=\(text)")
            let problem = try #require(throws: Problem.self) { try request.pageLimit(standard: 50, maximum: 200) }
            #expect(problem.code == .invalidParameter && problem.field == "limit")
            #expect(problem.detail.contains("1 to 200"))
        }
    }

    @Test("An idempotency key belongs to a method, a path and a body")
    func idempotencyKeys() throws {
        func key(_ value: String?, _ method: HTTPRequest.Method = .post, _ path: String = "/a", _ body: String = "{}")
            throws
            -> String?
        {
            var headers = HTTPFields()
            headers[.idempotencyKey] = value
            let key = try Request(method, path, headers: headers).idempotencyKey(body: Array(body.utf8))
            #expect(key?.key == value)
            return key?.fingerprint
        }
        #expect(try key(nil) == nil)
        let fingerprint = try #require(try key("k"))
        #expect(try key("another") == fingerprint)
        #expect(try key("k", .put) != fingerprint)
        #expect(try key("k", .post, "/b") != fingerprint)
        #expect(try key("k", .post, "/a", "{} ") != fingerprint)
        _ = try key(String(repeating: "k", count: 200))
        for value in ["", String(repeating: "k", count: 201), String(repeating: "é", count: 101)] {
            #expect(try #require(throws: Problem.self) { try key(value) }.code == .invalidIdempotencyKey)
        }
    }

    @Test("Content that the client already has is 304, for any form of its entity tag")
    func entityTags() throws {
        let bytes = Array("{\"a\":1}".utf8)
        let first = Response.cacheable(bytes, for: Request())
        let tag = try #require(first.headers[.eTag])
        #expect(first.status == .ok && tag.hasPrefix("\"") && tag.hasSuffix("\""))
        for known in [tag, "W/\(tag)", "*", "\"other\", \(tag)", "\"other\",W/\(tag) "] {
            let response = Response.cacheable(bytes, for: Request(headers: [.ifNoneMatch: known]))
            #expect(response.status == .notModified, "\(known)")
            #expect(response.headers[.eTag] == tag)
            #expect(response.body.contentLength == 0)
        }
        for other in ["\"other\"", "", "**", String(tag.dropLast())] {
            #expect(Response.cacheable(bytes, for: Request(headers: [.ifNoneMatch: other])).status == .ok)
        }
        let changed = Response.cacheable(Array("{\"a\":2}".utf8), for: Request(headers: [.ifNoneMatch: tag]))
        #expect(changed.status == .ok && changed.headers[.eTag] != tag)
    }

    @Test(
        "A body that is encoded in another way is refused with the name of the encoding, before it is read",
        arguments: [
            ([.contentEncoding: "gzip"], "'gzip'"), ([.contentEncoding: "identity, BR"], "'BR'"),
            ([.contentEncoding: "deflate"], "'deflate'"),
            ([.contentType: "application/json; charset=utf-16"], "'utf-16'"),
            ([.contentType: "application/json;Charset=\"ISO-8859-1\""], "'ISO-8859-1'"),
            ([.contentType: "text/plain; a=b; charset = windows-1252"], "'windows-1252'"),
        ] as [(HTTPFields, String)])
    func refusedEncodings(headers: HTTPFields, name: String) async throws {
        let problem = try await #require(throws: Problem.self) {
            _ = try await Request(.post, "/", headers: headers, body: "{}").json(limit: 5)
        }
        #expect(problem.status == .unsupportedMediaType && problem.code == .unsupportedEncoding)
        #expect(problem.detail.contains(name))
        let isCoding = headers[.contentEncoding] != nil
        #expect(problem.response().headers[.acceptEncoding] == (isCoding ? "identity" : nil))
    }

    @Test(
        "UTF-8 and ASCII are read, whatever they are called",
        arguments: [
            [:], [.contentEncoding: "identity"], [.contentEncoding: ""], [.contentType: "application/json"],
            [.contentType: "application/json; charset=UTF-8"], [.contentType: "application/json; charset=\"utf8\""],
            [.contentType: "text/plain;charset=us-ascii"], [.contentType: "application/json; charset="],
        ] as [HTTPFields])
    func plainEncodings(headers: HTTPFields) async throws {
        _ = try await Request(.post, "/", headers: headers, body: "{}").json(limit: 5).object([])
    }

    @Test("A body has a limit")
    func limitOfABody() async throws {
        #expect(try await Request(.post, "/", body: "12345").bodyBytes(limit: 5) == Array("12345".utf8))
        let problem = try await #require(throws: Problem.self) {
            try await Request(.post, "/", body: "123456").bodyBytes(limit: 5)
        }
        #expect(problem.status == .contentTooLarge && problem.code == .bodyTooLarge)
    }
}
