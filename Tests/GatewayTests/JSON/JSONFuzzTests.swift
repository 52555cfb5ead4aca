import Foundation
import TestSupport
import Testing

@testable import Gateway

@Suite("JSON from a hostile client")
struct JSONFuzzTests {
    /// Errors of JSON that Backline refuses on purpose and Foundation accepts (see ``JSONParser``).
    private static let ownRules = [
        "twice", "nested deeper", "more than \(JSONParser.maximumMembers) members", "a member's name with more than",
    ]

    @Test("Random bytes are read as JSON or refused", arguments: Fuzzing.seeds(4))
    func randomBytes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            compareWithFoundation(bytes)
        }
    }

    @Test("Random JSON tokens are read as JSON or refused", arguments: Fuzzing.seeds(4))
    func randomTokens(seed: UInt64) {
        let tokens = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\"a\"", "\"b\":", "0", "1", "-", ".", "e", "E+", "true", "null",
            " ",
            "\n", "\\u", "d83c", "\\udfb5", "é", "\u{0}", "\u{7F}", "9",
        ]
        var random = SeededRandom(seed: seed)
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 1...14, using: &random)).map { _ in
                tokens.randomElement(using: &random) ?? ""
            }
            compareWithFoundation(Array(text.joined().utf8))
        }
    }

    @Test("Documents and damaged copies are read or refused as Foundation does", arguments: Fuzzing.seeds(4))
    func agreementWithFoundation(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<1_500 {
            let document = RandomDocument.bytes(using: &random)
            _ = try JSONParser.parse(document)
            compareWithFoundation(document)
            for _ in 0..<3 { compareWithFoundation(RandomDocument.damaged(document, using: &random)) }
        }
    }

    @Test("An opaque value is checked like a decoded one", arguments: Fuzzing.seeds())
    func opaqueValues(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<2_000 {
            var document = RandomDocument.bytes(using: &random)
            if Bool.random(using: &random) { document = RandomDocument.damaged(document, using: &random) }
            let wrapped = Array("{\"payload\":".utf8) + document + Array("\n}".utf8)
            let read: JSONNode
            do throws(JSONSyntaxError) {
                read = try JSONParser.parse(wrapped)
            } catch {
                if !Self.ownRules.contains(where: error.reason.contains) {
                    #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(wrapped, opaqueMembers: ["payload"]) }
                }
                continue
            }
            guard let checked = try? JSONParser.parse(wrapped, opaqueMembers: ["payload"]),
                case .object(let left) = read.value, case .object(let right) = checked.value
            else {
                Issue.record("read, but refused when only checked: \(String(decoding: wrapped, as: UTF8.self))")
                continue
            }
            #expect(left.map(\.value.range) == right.map(\.value.range))
        }
    }

    /// Foundation accepts a comma before a closing bracket, which RFC 8259 does not allow.
    private func isClosedAfterComma(_ bytes: [UInt8], at offset: Int) -> Bool {
        let blanks = Array(" \t\r\n".utf8)
        return offset < bytes.count && Array("]}".utf8).contains(bytes[offset])
            && bytes[..<offset].last { !blanks.contains($0) } == UInt8(ascii: ",")
    }

    private func compareWithFoundation(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        // Foundation guesses encodings from zero bytes and byte order marks; JSON for requests is UTF-8 without one.
        let isUTF8 = !bytes.prefix(4).contains(0) && !bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let reference = isUTF8 ? try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) : nil
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(JSONSyntaxError) {
            let node = try JSONParser.parse(bytes)
            guard isUTF8 else {
                Issue.record("not UTF-8, but accepted: \(text.debugDescription)", sourceLocation: sourceLocation)
                return
            }
            if let reference {
                #expect(node.isSame(as: reference), "\(text.debugDescription)", sourceLocation: sourceLocation)
            } else {
                // RFC 8259 sets no bounds on numbers; Foundation's are those of Double.
                #expect(
                    node.hasNumberBeyondDouble, "only here: \(text.debugDescription)", sourceLocation: sourceLocation)
            }
        } catch {
            #expect(error.offset <= bytes.count, sourceLocation: sourceLocation)
            if reference != nil, !Self.ownRules.contains(where: error.reason.contains),
                !isClosedAfterComma(bytes, at: error.offset)
            {
                Issue.record("\(error.reason): \(text.debugDescription)", sourceLocation: sourceLocation)
            }
        }
    }
}

extension JSONNode {
    /// Whether Foundation read the same value.
    fileprivate func isSame(as reference: Any) -> Bool {
        switch value {
        case .null: reference is NSNull
        case .bool(let flag): reference as? Bool == flag
        case .number(let text): (reference as? NSNumber)?.doubleValue == Double(text)
        case .string(let text): reference as? String == text
        case .array(let elements):
            (reference as? [Any]).map {
                $0.count == elements.count && zip(elements, $0).allSatisfy { $0.isSame(as: $1) }
            }
                ?? false
        case .object(let members):
            (reference as? [String: Any]).map { reference in
                reference.count == members.count
                    && members.allSatisfy { member in reference[member.name].map(member.value.isSame) ?? false }
            } ?? false
        case .opaque: false
        }
    }

    fileprivate var hasNumberBeyondDouble: Bool {
        switch value {
        case .number(let text): Double(text).map { !$0.isFinite } ?? true
        case .array(let elements): elements.contains(where: \.hasNumberBeyondDouble)
        case .object(let members): members.contains { $0.value.hasNumberBeyondDouble }
        case .null, .bool, .string, .opaque: false
        }
    }
}
