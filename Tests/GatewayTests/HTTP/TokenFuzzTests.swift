import Storage
import TestSupport
import Testing

@testable import Gateway

@Suite("Event ids from a hostile sender")
struct TokenFuzzTests {
    @Test("An event id is refused or becomes a valid history and change number", arguments: Fuzzing.seeds())
    func eventIDs(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<10_000 {
            let change = Int64.random(in: 0...(.max), using: &random) >> Int64.random(in: 0...62, using: &random)
            let name = String(UInt64.random(in: 0...(.max), using: &random), radix: 36)
            let history = Bool.random(using: &random) ? DatabaseHistory(name) : nil
            let id = EventID(history: history, change: change, isPart: change > 0 && Bool.random(using: &random))
            #expect(EventID("\(id)") == id)
            #expect(id.ofWholeChange.change == (id.isPart ? change - 1 : change))
            let damaged = String(decoding: random.damaged(Array("\(id)".utf8)), as: UTF8.self)
            guard let other = EventID(damaged) else { continue }
            #expect(other.change >= 0 && EventID("\(other)") == other)
            #expect(damaged.allSatisfy(\.isASCII) && damaged.utf8.count <= 34)
            #expect(other.ofWholeChange.change >= 0)
        }
        for text in [
            "", "-1", "+1", " 1", "1 ", "1e3", "0x1", "١", "1\u{0}", "9223372036854775808", "01234567890123456789",
            "-", "a-", "a", "A-1", "a-b-1", "a--1", "é-1", "0123456789abcd-1", "a-9223372036854775808", ".", "0.",
            "1..", ".1", "1.5", "a-.", "a.-1",
        ] {
            #expect(EventID(text) == nil, "\(text)")
        }
    }
}
