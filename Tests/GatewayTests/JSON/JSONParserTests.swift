import Testing

@testable import Gateway

@Suite("JSON by RFC 8259")
struct JSONParserTests {
    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static func object(members count: Int) -> String {
        "{" + (0..<count).map { "\"m\($0)\":\($0)" }.joined(separator: ",") + "}"
    }

    @Test(
        "Valid JSON is accepted",
        arguments: [
            // Structure
            "[]", "{}", "[[]]", "[{}]", "{\"\":0}", "{\"a\":[]}", "[1,\"a\",true,false,null,{}]", "[[],[[]]]",
            " [1] ", "\t\n\r []\n", "{ \"a\" : 1 , \"b\" : 2 }", "[1\n,\n2]", "{\"a\":{\"a\":{\"a\":1}}}",
            "{\"a\":1,\"A\":2}", "[\"a\",\"a\"]", nested(64), object(members: 64),
            // Values alone
            "null", "true", "false", "0", "\"\"", " 7 ",
            // Numbers
            "-0", "-1", "10", "123456789012345678901234567890", "0.0", "-0.1", "0e0", "0e+1", "1e1", "1E22", "1e-2",
            "1E+2", "1.5e9", "1e400", "-123.456e-789", "0.000000000000000000000000000001",
            // Strings
            #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\u00e9\u00E9""#, #""\uFFFF""#, #""\ud83c\udfb5""#,
            #""\uDBFF\uDFFF""#,
            "\"é日本語🎵\"", "\"\u{7F}\"", "\"\u{2028}\u{2029}\"", "\"\u{FEFF}\"", "\"\u{10FFFF}\"", #""\\u0000""#,
            "\"//\"", "\"/*\"", #"{"\u0061":1}"#,
        ])
    func acceptedDocuments(text: String) throws {
        _ = try JSONParser.parse(Array(text.utf8))
        // The same must hold where values are only checked.
        if text != Self.nested(64), text != Self.object(members: 64) {
            _ = try JSONParser.parse(Array("{\"payload\":\(text)}".utf8), opaqueMembers: ["payload"])
        }
    }

    @Test(
        "Invalid JSON is refused with the byte offset",
        arguments: [
            // Structure
            ("", 0), (" ", 1), ("[", 1), ("{", 1), ("]", 0), ("}", 0), ("[1", 2), ("[1,", 3), ("[1,]", 3), ("[,1]", 1),
            ("[1,,2]", 3), ("[1 2]", 3), ("[1]]", 3), ("[1}", 2), ("{\"a\"}", 4), ("{\"a\":}", 5), ("{\"a\":1,}", 7),
            ("{,}", 1), ("{\"a\" 1}", 5), ("{\"a\":1 \"b\":2}", 7), ("{1:1}", 1), ("{a:1}", 1), ("{'a':1}", 1),
            ("{null:1}", 1), ("{\"a\":1]", 6), ("{} {}", 3), ("[]x", 2), ("null null", 5), ("1 /* one */", 2),
            ("// 1", 0),
            ("[\u{A0}1]", 1), ("[\u{0C}1]", 1), ("\u{0}", 0), ("[]\u{0}", 2), ("\u{FEFF}[]", 0),
            // Words
            ("nul", 0), ("True", 0), ("NULL", 0), ("nullx", 4), ("undefined", 0), ("NaN", 0), ("Infinity", 0),
            ("-Infinity", 1),
            // Numbers
            ("-", 1), ("+1", 0), ("01", 1), ("-01", 2), ("00", 1), ("1.", 2), (".5", 0), ("-.5", 1), ("1.e1", 2),
            ("1e", 2),
            ("1e+", 3), ("1.5e", 4), ("1e1.5", 3), ("0x1F", 1), ("1_000", 1), ("1,5", 1), ("- 1", 1), ("--1", 1),
            ("1a", 1),
            ("１", 0), ("[1e5", 4),
            // Strings
            ("\"", 1), ("\"a", 2), ("'a'", 0), ("\"a\"b\"", 3), ("\"\\", 2), ("\"\\\"", 3), ("\"\\x41\"", 2),
            ("\"\\a\"", 2),
            ("\"\\'\"", 2), ("\"\\U0041\"", 2), ("\"\\u\"", 3), ("\"\\u12\"", 3), ("\"\\u123\"", 3), ("\"\\u12G4\"", 3),
            ("\"\\u+123\"", 3), ("\"\\u 123\"", 3), ("\"\\u00", 3), ("\"\\\u{0}\"", 2),
        ] as [(String, Int)])
    func refusedDocuments(text: String, offset: Int) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text.utf8)) }
        #expect(error.offset == offset, "\(error.reason)")
        #expect(!error.reason.isEmpty)
        #expect(throws: JSONSyntaxError.self) {
            try JSONParser.parse(Array("{\"payload\":\(text)}".utf8), opaqueMembers: ["payload"])
        }
    }

    @Test(
        "Half a surrogate pair is refused",
        arguments: [
            #"\ud800"#, #"\udbff"#, #"\udc00"#, #"\udfff"#, #"\ud800x"#, #"\ud800\n"#, #"\ud800\u0041"#,
            #"\ud800\ud800"#,
            #"\udc00\ud800"#, #"\ud800\"#, #"\ud800\u"#, #"\ud800\udc"#, #"x\ud83cy\udfb5"#,
        ])
    func halfSurrogatePairs(escape: String) {
        for text in ["\"\(escape)\"", "{\"\(escape)\":1}", "[\"\(escape)\"]"] {
            #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text.utf8)) }
        }
    }

    @Test("Every control character must be escaped")
    func controlCharacters() throws {
        for byte in UInt8(0)..<0x20 {
            for text in [
                [UInt8(ascii: "\""), byte, UInt8(ascii: "\"")], Array("\"\\n".utf8) + [byte, UInt8(ascii: "\"")],
            ] {
                let error = try #require(throws: JSONSyntaxError.self) { try JSONParser.parse(text) }
                #expect(error.reason.contains("control character"))
                #expect(text[error.offset] == byte)
            }
        }
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [
            [0x80], [0xBF], [0xC3], [0xC3, 0x28], [0xC0, 0x80], [0xC1, 0xBF], [0xE2, 0x82], [0xE0, 0x80, 0x80],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x9F, 0x8E], [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC3, 0x5C, 0x6E], [0x5C, 0x6E, 0x80],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        let string = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        for text in [
            string, Array("[".utf8) + string + Array("]".utf8), Array("{".utf8) + string + Array(":1}".utf8), bytes,
        ] {
            #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(text) }
            let payload = Array("{\"payload\":".utf8) + text + Array("}".utf8)
            #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(payload, opaqueMembers: ["payload"]) }
        }
    }

    @Test("Arrays and objects nest at most 64 levels deep, opaque or not")
    func maximumDepth() throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(Self.nested(65).utf8)) }
        #expect(error.offset == 64 && error.reason.contains("64"))
        let objects = { String(repeating: "{\"a\":", count: $0) + "1" + String(repeating: "}", count: $0) }
        _ = try JSONParser.parse(Array(objects(64).utf8))
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(objects(65).utf8)) }
        _ = try JSONParser.parse(Array("{\"p\":\(Self.nested(63))}".utf8), opaqueMembers: ["p"])
        #expect(throws: JSONSyntaxError.self) {
            try JSONParser.parse(Array("{\"p\":\(Self.nested(64))}".utf8), opaqueMembers: ["p"])
        }
        // Values side by side are not deeper.
        _ = try JSONParser.parse(Array("[\(Array(repeating: "[]", count: 1_000).joined(separator: ","))]".utf8))
        // A whole body of open brackets must not exhaust the stack.
        #expect(throws: JSONSyntaxError.self) {
            try JSONParser.parse(Array(repeating: UInt8(ascii: "["), count: 1 << 20))
        }
    }

    @Test("A decoded object has at most 64 members; an opaque one may have more")
    func maximumMembers() throws {
        let many = Self.object(members: 65)
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(many.utf8)) }
        _ = try JSONParser.parse(Array("{\"p\":\(Self.object(members: 5_000))}".utf8), opaqueMembers: ["p"])
    }

    @Test(
        "A repeated member is refused, even if escaped differently",
        arguments: [#"{"a":1,"a":1}"#, #"{"a":1,"b":2,"\u0061":3}"#, #"{"é":1,"\u00e9":2}"#, #"[{"":1,"":2}]"#])
    func repeatedMembers(text: String) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text.utf8)) }
        #expect(error.reason.contains("twice"))
        #expect(Array(text.utf8)[error.offset] == UInt8(ascii: "\""))
    }

    @Test("Escapes become the characters they stand for")
    func escapedStrings() throws {
        let cases: [(String, String)] = [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""a\u0000b""#, "a\0b"), (#""\u00e9\u00E9é""#, "ééé"),
            (#""\ud83c\udfb5 \uD83C\uDFB5""#, "🎵 🎵"), (#""\ud800\udc00\udbff\udfff""#, "\u{10000}\u{10FFFF}"),
            (#""\uffff\ue000""#, "\u{FFFF}\u{E000}"), (#""日本\n語""#, "日本\n語"), (#""\\u0041""#, "\\u0041"),
        ]
        for (text, expected) in cases {
            guard case .string(let value) = try JSONParser.parse(Array(text.utf8)).value else {
                Issue.record("\(text) is a string")
                continue
            }
            #expect(Array(value.utf8) == Array(expected.utf8), "\(text)")
        }
    }

    @Test("Numbers keep their spelling")
    func spellingOfNumbers() throws {
        for text in ["0", "-0", "1.50", "1E+2", "123456789012345678901234567890", "1e400"] {
            guard case .number(let value) = try JSONParser.parse(Array(" \(text) ".utf8)).value else {
                Issue.record("\(text) is a number")
                continue
            }
            #expect(value == text)
        }
    }

    @Test("Members keep their order, and every value its byte range")
    func byteRangesOfValues() throws {
        let text = "{ \"b\" : [ 1 , \"é\" ] ,\"a\":{\"c\":null} }"
        let bytes = Array(text.utf8)
        let node = try JSONParser.parse(bytes)
        func written(_ node: JSONNode) -> String { String(decoding: bytes[node.range], as: UTF8.self) }
        guard case .object(let members) = node.value, case .array(let elements)? = members.first?.value.value else {
            Issue.record("an object with an array")
            return
        }
        #expect(members.map(\.name) == ["b", "a"])
        #expect(members.map { written($0.value) } == ["[ 1 , \"é\" ]", "{\"c\":null}"])
        #expect(elements.map(written) == ["1", "\"é\""])
        #expect(written(node) == text)
    }

    @Test(
        "An opaque member is checked and keeps its exact bytes",
        arguments: [
            "{ \"b\" : 1.50,\n\t\"a\":[ ] , \"é\":\"\\u00e9\\/🎵\", \"huge\":123456789012345678901234567890 }",
            "{\"a\":1,\"a\":2}", "[ 1 ,2]", "[]", "{}", "\"\\ud83c\\udfb5\"", "-0.0e-0", "null", "true",
        ])
    func opaqueMembers(payload: String) throws {
        let bytes = Array("{\"kind\":\"k\", \"payload\" :\t\(payload)\r\n, \"z\":{\"payload\": \(payload)}}".utf8)
        let node = try JSONParser.parse(bytes, opaqueMembers: ["payload"])
        guard case .object(let members) = node.value, members.count == 3,
            case .object(let inner) = members[2].value.value
        else {
            Issue.record("an object of three members, the last an object")
            return
        }
        #expect(String(decoding: bytes[members[1].value.range], as: UTF8.self) == payload)
        #expect(String(decoding: bytes[inner[0].value.range], as: UTF8.self) == payload)
    }

    /// The reason why a text is refused; `nil` if it is not.
    private static func refusal(of text: String, opaqueMembers: [String] = []) -> String? {
        do throws(JSONSyntaxError) {
            _ = try JSONParser.parse(Array(text.utf8), opaqueMembers: opaqueMembers)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("A document has a bounded number of values for its length, so that it takes a bounded amount of memory")
    func maximumValues() {
        let zeros = "[" + String(repeating: "0,", count: 500_000) + "0]"
        #expect(Self.refusal(of: zeros) == "more than 72500 values, which are too many for a document of this length")
        // Values that are only checked use no memory.
        #expect(Self.refusal(of: "{\"payload\":\(zeros)}", opaqueMembers: ["payload"]) == nil)
        #expect(Self.refusal(of: "[" + String(repeating: "0,", count: 9_000) + "0]") == nil)
        let objects =
            "["
            + Array(repeating: "{\"a\":\"0123456789abcdef\",\"b\":\"0123456789abcdef\"}", count: 50_000)
            .joined(separator: ",") + "]"
        #expect(Self.refusal(of: objects) == nil)
        // An array grows by doubling. Text of more than 15 bytes has its own allocation.
        let perValue = 2 * max(MemoryLayout<JSONNode>.stride, MemoryLayout<JSONNode.Member>.stride) + 48
        for bytes in [0, 1 << 20, 10_240_000] {
            let most = JSONParser.maximumValues(bytes: bytes) * perValue + bytes
            #expect(most <= bytes * JSONParser.memoryPerByte + JSONParser.memoryBeside)
        }
    }

    @Test("A member's name has at most 1,024 bytes")
    func maximumNameLength() {
        let name = String(repeating: "n", count: 1_024)
        #expect(Self.refusal(of: "{\"\(name)\":1}") == nil)
        #expect(Self.refusal(of: "{\"\(name)n\":1}") == "a member's name with more than 1024 bytes")
        // Names are compared as they are written, not as people read them.
        #expect(Self.refusal(of: "{\"e\u{301}\":1,\"é\":2}") == nil)
        #expect(Self.refusal(of: "{\"é\":1,\"é\":2}")?.contains("occurs twice") == true)
    }
}
