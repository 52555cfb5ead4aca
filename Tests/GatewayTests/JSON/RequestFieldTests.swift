import Composition
import Contracts
import Domains
import Foundation
import Model
import Testing

@testable import Gateway

@Suite("Fields of a request")
struct RequestFieldTests {
    private func body(_ text: String) throws -> RequestField { try RequestField.body(Array(text.utf8)) }

    /// The value of a body's only field.
    private func field(_ value: String) throws -> RequestField {
        try #require(try body("{\"a\":\(value)}").object(["a"])["a"])
    }

    private func refusal(_ read: () throws -> some Any) throws -> Problem {
        let problem = try #require(throws: Problem.self) { _ = try read() }
        #expect(problem.status == .unprocessableContent)
        #expect(problem.code == .invalidField)
        #expect(problem.detail.hasPrefix("\(problem.field ?? "?"): "))
        return problem
    }

    @Test("The name of a playlist has one line and no control characters, and something to read")
    func playlistName() throws {
        #expect(try field(#""Road\r\n  trip\u0007""#).playlistName() == "Road trip")
        #expect(try field(#""Road trip""#).playlistName() == "Road trip")
        #expect(try field(#""Ro\u202Ead\u200B trip""#).playlistName() == "Road trip")
        for blank in [#"" ""#, #""\n""#, #""\u0007""#, #""\u2028 ""#, #""\u200D\u2066 ""#] {
            let problem = try refusal { try field(blank).playlistName() }
            #expect(problem.detail == "$.a: a playlist needs a name.")
        }
    }

    @Test("A body that is not JSON is refused with the byte offset")
    func notJSON() throws {
        let problem = try #require(throws: Problem.self) { try body("{\"a\":}") }
        #expect(problem.status == .badRequest && problem.code == .invalidJSON && problem.field == nil)
        #expect(problem.detail.contains("byte 5"))
    }

    @Test("A byte order mark of UTF-8 is ignored, and text in UTF-16 or UTF-32 is refused by its name")
    func encodingsOfText() throws {
        let text = #"{"a":"é"}"#
        let marked = try RequestField.body([0xEF, 0xBB, 0xBF] + Array(text.utf8))
        let field = try #require(try marked.object(["a"])["a"])
        #expect(try field.string(limit: 1) == "é" && field.rawText == "\"é\"")
        for (name, encodings) in [
            ("UTF-16", [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian]),
            ("UTF-32", [.utf32, .utf32LittleEndian, .utf32BigEndian]),
        ] {
            for encoding in encodings {
                let bytes = Array(try #require(text.data(using: encoding)))
                let problem = try #require(throws: Problem.self) { try RequestField.body(bytes) }
                #expect(problem.status == .badRequest && problem.code == .invalidJSON)
                #expect(problem.detail.hasSuffix("the text is encoded as \(name); send it as UTF-8."))
            }
        }
    }

    @Test(
        "An error names the path of the invalid field",
        arguments: [
            ("[]", "$"), ("7", "$"), ("{}", "$"), (#"{"jobs":{}}"#, "$.jobs"), (#"{"jobs":[]}"#, "$.jobs"),
            (#"{"others":[]}"#, "$.others"), (#"{"jobs":[1]}"#, "$.jobs[0]"), (#"{"jobs":[{}]}"#, "$.jobs[0]"),
            (#"{"jobs":[{"kind":"diagnostics.echo"},{"kind":"diagnostics.echo"},{"kind":7}]}"#, "$.jobs[2].kind"),
            (#"{"jobs":[{"kind":"diagnostics.echo","priority":-1e3}]}"#, "$.jobs[0].priority"),
            (#"{"jobs":[{"kind":"diagnostics.echo","colour":{"payload":1}}]}"#, "$.jobs[0].colour"),
            (#"{"jobs":[{"kind":"diagnostics.echo"},{"kind":"diagnostics.echo","runAt":"x"}]}"#, "$.jobs[1].runAt"),
            (#"{"jobs":[{"kind":"diagnostics.echo","uniqueKey":[]}]}"#, "$.jobs[0].uniqueKey"),
        ])
    func pathsOfErrors(text: String, path: String) throws {
        #expect(
            try refusal { try JobRequest.batch(try body(text), kinds: JobKinds(of: .all), isAdmin: false) }.field
                == path)
    }

    @Test("A payload of a batch is stored byte for byte")
    func payloadsByteForByte() throws {
        let text = "{\"jobs\":[{\"kind\":\"diagnostics.echo\",\"payload\": { \"b\":1.0,\n\"a\" : [ ] } }]}"
        let bytes = try RequestField.body(Array(text.utf8), opaqueMembers: JobRequest.opaqueMembers)
        #expect(
            try JobRequest.batch(bytes, kinds: JobKinds(of: .all), isAdmin: false).map(\.payload) == [
                "{ \"b\":1.0,\n\"a\" : [ ] }"
            ])
    }

    @Test(
        "An error about a type names the expected and the found type",
        arguments: [
            ("null", "null"), ("true", "a boolean"), ("1.5", "a number"), ("\"x\"", "a string"), ("[]", "an array"),
            ("{}", "an object"),
        ])
    func typesInErrors(value: String, kind: String) throws {
        // A member that is null counts as absent, but an element does not.
        let field = try #require(try self.field("[\(value)]").array(limit: 1, of: "things").first)
        #expect(field.path == "$.a[0]")
        let readers: [(String, () throws -> Any)] = [
            ("an object", { try field.object([]) }), ("an array", { try field.array(limit: 9, of: "things") }),
            ("a string", { try field.string(limit: 9) }), ("a whole number", { try field.integer(in: 0...9) }),
            ("a string", { try field.timestamp() }),
        ]
        for (expected, read) in readers where expected != kind && !(expected == "a whole number" && kind == "a number")
        {
            if kind == "a string", expected == "a string" { continue }
            let problem = try refusal(read)
            #expect(problem.detail.contains("expected \(expected), found \(kind)"), "\(problem.detail)")
        }
    }

    @Test("Unknown members are refused even when null; known members that are null count as absent")
    func unknownMembers() throws {
        let members = try body(#"{"a":1,"b":null}"#).object(["a", "b", "c"])
        #expect(members["a"] != nil && members["b"] == nil && members["c"] == nil)
        let withNull = try body(#"{"a":1,"b":null}"#).object(["a", "b", "c"], keepsNull: true)
        #expect(withNull["a"]?.isNull == false && withNull["b"]?.isNull == true && withNull["c"] == nil)
        let problem = try refusal { try body(#"{"x":null}"#).object(["a", "b"]) }
        #expect(problem.field == "$.x")
        #expect(problem.detail.contains("a, b"))
    }

    @Test("A long name is cut in the path")
    func longNames() throws {
        let name = String(repeating: "é\u{301}", count: 250)
        let problem = try refusal { try body("{\"\(name)\":1}").object(["a"]) }
        #expect(try #require(problem.field).unicodeScalars.count == 62)
    }

    @Test(
        "Whole numbers within the range are accepted in any notation",
        arguments: [
            ("0", 0), ("-0", 0), ("-100", -100), ("100", 100), ("1e2", 100), ("5.0", 5), ("50E-1", 5), ("0.5e1", 5),
        ])
    func wholeNumbers(text: String, value: Int) throws {
        #expect(try field(text).integer(in: -100...100) == value)
    }

    @Test(
        "Other numbers are refused",
        arguments: [
            "101", "-101", "1.5", "1e3", "1e400", "-1e400", "0.1", "1e-400", "9223372036854775808", "1e18",
            "123456789012345678901234567890",
        ])
    func wrongIntegers(text: String) throws {
        // This number is so small that it is zero as a Double.
        if text == "1e-400" {
            #expect(try field(text).integer(in: -100...100) == 0)
            return
        }
        #expect(try refusal { try field(text).integer(in: -100...100) }.detail.utf8.count < 200)
    }

    @Test("The length of a text is counted in scalars, since a character may have any number of them")
    func lengthsInScalars() throws {
        #expect(try field("\"日本語\"").string(limit: 3) == "日本語")
        #expect(try refusal { try field("\"日本語x\"").string(limit: 3) }.detail.contains("4 characters"))
        let accents = "e" + String(repeating: "\u{301}", count: 1_000)
        _ = try refusal { try field("\"\(accents)\"").string(limit: 100) }
    }

    @Test("Text with a NUL, which databases cut off or refuse, is refused")
    func textWithNUL() throws {
        #expect(try refusal { try field(#""a\u0000b""#).string(limit: 100) }.field == "$.a")
    }

    @Test("Arrays have a limit")
    func limitsOfArrays() throws {
        #expect(try field("[1,2,3]").array(limit: 3, of: "jobs").map(\.path) == ["$.a[0]", "$.a[1]", "$.a[2]"])
        #expect(try refusal { try field("[1,2,3]").array(limit: 2, of: "jobs") }.detail.contains("3 jobs"))
    }

    @Test("Times are RFC 3339")
    func timesInRFC3339() throws {
        #expect(
            try field("\"2026-11-20T21:00:00+01:00\"").timestamp()
                == Timestamp(rfc3339: "2026-11-20T20:00:00.000000Z"))
        for text in ["tomorrow", "2026-11-20", "2026-02-30T00:00:00Z", ""] {
            #expect(try refusal { try field("\"\(text)\"").timestamp() }.field == "$.a")
        }
    }
}
