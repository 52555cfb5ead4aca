import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("The encoder of the simulator's documents")
struct DocumentEncoderTests {
    private struct Part: Encodable {
        var name: String
        var sizes: [Int]?
    }

    private struct Document: Encodable {
        let zone = "first"
        var price: Double
        @Nullable var next: String?
        var missing: String?
        let always = JSONNull()
        var parts: [Part?]
        let nothing: [String: String] = [:]
        let none: [String] = []
        var flag: Bool
        var nested: [[Int]]
        let small: UInt8 = 7

        enum CodingKeys: String, CodingKey {
            case zone, price, next, missing, always, parts, nothing, none
            case flag = "is_set"
            case nested, small
        }
    }

    private struct Identified: Encodable {
        func encode(to encoder: any Encoder) throws {
            try Part(name: "a", sizes: [1]).encode(to: encoder)
            try NamedMembers(members: [(name: "b", value: 2), (name: "a2", value: 3)]).encode(to: encoder)
        }
    }

    /// Encodes with containers that it requests itself, as synthesized code never does.
    private struct Nested: Encodable {
        enum CodingKeys: CodingKey { case list, object, rest }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            var list = members.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            var inner = list.nestedContainer(keyedBy: CodingKeys.self)
            try inner.encode("x", forKey: .rest)
            try list.encodeNil()
            #expect(list.count == 3)
            var object = members.nestedContainer(keyedBy: CodingKeys.self, forKey: .object)
            try object.encodeNil(forKey: .list)
            try [true].encode(to: members.superEncoder(forKey: .rest))
        }
    }

    @Test("Members are in the order of their declaration, and numbers keep their form")
    func order() {
        let document = Document(
            price: 19, next: nil, missing: nil, parts: [Part(name: "p", sizes: [1, 2]), nil, Part(name: "q")],
            flag: true, nested: [[1], [], [2, 3]])
        #expect(
            DocumentEncoder.text(of: document)
                == #"{"zone":"first","price":19.0,"next":null,"always":null,"parts":[{"name":"p","sizes":[1,2]},null,"#
                + #"{"name":"q"}],"nothing":{},"none":[],"is_set":true,"nested":[[1],[],[2,3]],"small":7}"#)
    }

    @Test("The members of several documents form one object")
    func joined() {
        #expect(DocumentEncoder.text(of: [Identified()]) == #"[{"name":"a","sizes":[1],"b":2,"a2":3}]"#)
    }

    @Test("Nested containers are closed when the container around them continues")
    func nested() {
        #expect(
            DocumentEncoder.text(of: Nested())
                == #"{"list":[1,{"rest":"x"},null],"object":{"list":null},"rest":[true]}"#)
    }

    @Test(
        "A single value is a document",
        arguments: [
            (JSONValue.null, "null"), (.bool(false), "false"), (.integer(-3), "-3"), (.number(0.5), "0.5"),
            (.string("a"), #""a""#), (.object(["b": 2, "a": .array([])]), #"{"a":[],"b":2}"#),
        ])
    func single(value: JSONValue, text: String) {
        #expect(DocumentEncoder.text(of: value) == text)
    }

    @Test("Texts are escaped as JSON requires, and are otherwise unchanged")
    func texts() throws {
        let text = "quote \" backslash \\ line\nreturn\r tab\t bell\u{7} slash / Ñ 宇 🎵"
        let encoded = DocumentEncoder.text(of: [text])
        #expect(encoded.contains(#"\" backslash \\ line\nreturn\u000d tab\t bell\u0007 slash / Ñ 宇 🎵"#))
        #expect(try JSONDecoder().decode([String].self, from: Data(encoded.utf8)) == [text])
    }
}
