import Model
import TestSupport
import Testing

@testable import Shares

@Suite("Ids of shares")
struct ShareIDTests {
    @Test("An id has the form of a UUIDv7, and its number and moment are read back from it")
    func roundTrip() throws {
        var random = SeededRandom(seed: 40)
        for _ in 0..<2_000 {
            let id = ShareID(
                number: Int64.random(in: 0..<(1 << 48), using: &random),
                milliseconds: Int64.random(in: 0..<(1 << 48), using: &random))
            #expect(UUIDv7.isWellFormed(id.text))
            #expect(id.text.dropFirst(14).first == "7" && "89ab".contains(id.text.dropFirst(19).prefix(1)))
            #expect(ShareID(id.text) == id)
        }
    }

    @Test("Ids of later moments sort after earlier ones")
    func order() {
        let texts = (0..<50).map { ShareID(number: 1_000 + $0, milliseconds: 1_800_000_000_000 + $0 / 10).text }
        #expect(texts == texts.sorted())
    }

    @Test(
        "Any other text is no id",
        arguments: [
            "", "x", "00000000-0000-0000-0000-000000000000", "0199f3a2-0000-7000-8000-000000000001",
            "0199F3A2-0000-7000-8000-000000000001", "ffffffff-ffff-ffff-ffff-ffffffffffff",
        ])
    func others(text: String) {
        #expect(ShareID(text) == nil)
    }

    @Test("A changed digit is noticed")
    func changedDigits() {
        let text = ShareID(number: 77_000, milliseconds: 1_800_000_000_000).text
        for index in text.indices where text[index] != "-" {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "0" ? "1" : "0")
            #expect(ShareID(changed) == nil, "\(changed)")
        }
    }
}
