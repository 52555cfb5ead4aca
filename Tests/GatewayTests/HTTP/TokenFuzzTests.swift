import TestSupport
import Testing

@testable import Gateway

@Suite("Event ids from a hostile sender")
struct TokenFuzzTests {
    @Test("An event id is refused or becomes a valid change number", arguments: Fuzzing.seeds())
    func eventIDs(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<10_000 {
            let id = Int64.random(in: 0...(.max), using: &random) >> Int64.random(in: 0...62, using: &random)
            #expect(EventID.parse("\(id)") == id)
            let damaged = String(decoding: random.damaged(Array("\(id)".utf8)), as: UTF8.self)
            guard let other = EventID.parse(damaged) else { continue }
            #expect(other >= 0 && EventID.parse("\(other)") == other)
            #expect(damaged.allSatisfy(\.isASCII) && damaged.utf8.count <= 19)
        }
        for text in [
            "", "-1", "+1", " 1", "1 ", "1e3", "0x1", "١", "1\u{0}", "9223372036854775808", "01234567890123456789",
        ] {
            #expect(EventID.parse(text) == nil, "\(text)")
        }
    }
}
