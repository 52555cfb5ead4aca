import Foundation
import Model
import TestSupport
import Testing

@testable import Gateway

@Suite("Writing JSON")
struct JSONWriterTests {
    private func read(_ bytes: [UInt8]) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(bytes))
        // The gateway's own parser accepts the written JSON.
        _ = try JSONParser.parse(bytes)
        return try #require(object as? [String: Any])
    }

    @Test("Every type of member is read back unchanged")
    func membersOfEveryType() throws {
        let moment = try #require(Timestamp(rfc3339: "2026-11-20T20:00:00.000001Z"))
        let bytes = JSONWriter.object { json in
            json.member("text", "a")
            json.member("none", nil as String?)
            json.member("number", Int.min)
            json.member("noNumber", nil as Int?)
            json.member("yes", true)
            json.member("no", false)
            json.member("moment", moment)
            json.member("never", nil as Timestamp?)
            json.member("raw", raw: "[1,{\"a\":2}]")
            json.member("noRaw", raw: nil)
            json.member("array") { $0.array([1, 2, 3]) { $0.raw(String($1)) } }
            json.member("names") { $0.array(["a", "b"]) { $0.value($1) } }
            json.member("empty") { $0.array([Int]()) { $0.raw(String($1)) } }
            json.member("objects") { json in
                json.array([1, 2]) { json, number in json.object { $0.member("n", number) } }
            }
            json.member("object") { json in json.object { _ in } }
            json.member("last", 1)
        }
        let object = try read(bytes)
        #expect(object.count == 16)
        #expect(object["text"] as? String == "a")
        #expect(["none", "noNumber", "never", "noRaw"].allSatisfy { object[$0] is NSNull })
        #expect(object["number"] as? Int == .min)
        #expect(object["yes"] as? Bool == true && object["no"] as? Bool == false)
        #expect(object["moment"] as? String == moment.description)
        #expect((object["raw"] as? [Any])?.count == 2)
        #expect(object["array"] as? [Int] == [1, 2, 3])
        #expect(object["names"] as? [String] == ["a", "b"])
        #expect((object["empty"] as? [Any])?.isEmpty == true)
        #expect((object["objects"] as? [[String: Int]])?.map { $0["n"] } == [1, 2])
        #expect((object["object"] as? [String: Any])?.isEmpty == true)
        #expect(object["last"] as? Int == 1)
        #expect(bytes.first == UInt8(ascii: "{") && bytes.last == UInt8(ascii: "}"))
    }

    @Test("An object may be empty")
    func emptyObject() {
        #expect(JSONWriter.object { _ in } == Array("{}".utf8))
    }

    @Test("Control characters, quotes and backslashes are escaped, and no others")
    func escapedCharacters() throws {
        for value in UInt32(0)...0x2FF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a\(scalar)b"
            let bytes = JSONWriter.object { $0.member("text", text) }
            #expect(bytes.allSatisfy { $0 >= 0x20 }, "U+\(String(value, radix: 16))")
            #expect(try read(bytes)["text"] as? String == text)
            let mustEscape = value < 0x20 || scalar == "\"" || scalar == "\\"
            #expect(bytes.contains(UInt8(ascii: "\\")) == mustEscape)
        }
    }

    @Test("Any text is read back unchanged", arguments: 0..<4)
    func randomTexts(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let text = random.text(upTo: 40)
            let object = try read(JSONWriter.object { $0.member("text", text) })
            #expect(Array((object["text"] as? String ?? "").utf8) == Array(text.utf8))
        }
    }
}
