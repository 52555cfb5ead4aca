import TestSupport
import Testing

@testable import Identity

/// Each of these would take minutes if any step grew with the square of a text's length.
@Suite("Texts of any length are compared quickly")
struct LongTextTests {
    private static let length = 60_000
    /// Marks on one letter, in two orders: Unicode normalization sorts them.
    private static let marks = ["\u{301}\u{323}", "\u{323}\u{301}"]

    private static func long(_ part: String) -> String { long("", part, "") }

    private static func long(_ start: String, _ part: String, _ end: String = "") -> String {
        start + String(repeating: part, count: length / part.utf8.count) + end
    }

    private static let pairs: [(String, String)] = [
        (long("a"), long("b")), (long("東"), long("大")), (long("ライブ"), long("ライヴ")),
        (long("Harbor ", "ab"), long("Harbur ", "ab")), (long("a (b) "), long("a (c) ")),
        (long("f**k "), long("m**r ")), (long("a", " (b remix)"), long("a", " (c remix)")),
        (long("a (", "livers ", ")"), long("a (", "ライブ", ")")), (long("a, pt. 2 "), long("a, pt. 3 ")),
        (long("a", marks[0]), long("a", marks[1])),
        (long("a (b", marks[0], " remix)"), long("a (b", marks[1], " remix)")),
        (long("a (live b", marks[0], ")"), long("a (live b", marks[1], ")")),
    ]

    @Test("Long titles, artists and albums with an equal ISRC are compared quickly", arguments: pairs)
    func longTexts(one: String, other: String) {
        func record(_ title: String, _ artist: String = "Nora Vale", _ album: String = "") -> IdentityRecord {
            IdentityRulesTests.record(title, artist, album: album, isrc: "GBAYE0601477")
        }
        let rules = IdentityRules()
        for (left, right) in [
            (record(one), record(other)), (record("Rain", one), record("Rain", other)),
            (record("Rain", "Nora Vale", one), record("Rain", "Nora Vale", other)),
        ] {
            let comparison = rules.compare(left, right)
            #expect(comparison.sentences.count > 1)
            #expect(rules.compare(left, left).verdict == .same)
        }
    }

    @Test("Long lists of names are compared quickly")
    func longLists() {
        func names(_ vowel: String) -> String {
            (0..<8_000).map { "n\(String(repeating: "ou", count: $0 % 7))\(vowel)rvl\(vowel)\($0)" }
                .joined(separator: ", ")
        }
        let records = [names("a"), names("e")].map { IdentityRulesTests.record("Rain", $0) }
        #expect(IdentityRules().compare(records[0], records[1]).verdict != .same)
    }

    @Test("The distance equals that of the full table of prefixes, wherever two texts differ")
    func distanceEqualsFullTable() {
        var random = SeededRandom(seed: 16)
        func text(_ letters: ClosedRange<UInt8>, _ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: letters, using: &random) }
        }
        for round in 0..<400 {
            let shared = text(0x61...0x7A, round % 60)
            let (one, other) = (
                shared + text(0x61...0x64, Int.random(in: 0...128, using: &random)) + shared,
                shared + text(0x61...0x64, Int.random(in: 0...128, using: &random)) + shared
            )
            let distance = Self.distance(one, other)
            let (left, right) = (String(decoding: one, as: UTF8.self), String(decoding: other, as: UTF8.self))
            #expect(EditDistance.isAtMost(distance, left, right))
            #expect(EditDistance.isAtMost(distance, right, left))
            #expect(!EditDistance.isAtMost(distance - 1, left, right))
        }
        let long = Self.long("a")
        #expect(EditDistance.isAtMost(0, long, long) && !EditDistance.isAtMost(10, long, long + "b"))
    }

    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (index, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let replaced = diagonal + (byte == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
