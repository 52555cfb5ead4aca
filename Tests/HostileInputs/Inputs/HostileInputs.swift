import Foundation
import TestSupport

/// Makes inputs that are like valid ones, and made to do harm. A seed determines them.
package struct HostileInputs {
    /// Texts that readers often handle wrongly where they expect a number, a text or a place.
    private static let extremes = [
        "-9223372036854775808", "9223372036854775807", "18446744073709551615", "1e400", "-0", "NaN", "0x10", "１２",
        "2147483648", "99999999999999999999999999", "\u{0}", "\"", "\\", "'", "\r", "\n\n", "é", "\u{FEFF}", "\u{202E}", "<!--",
        "]]>", "&#0;", "<!DOCTYPE a [", "--b\r\n", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999-23:59", "%00", "~",
    ].map { Array($0.utf8) }

    /// The most bytes of an input.
    private let longest: Int
    private var random: SeededRandom

    package init(seed: UInt64, longest: Int = 65_536) {
        random = SeededRandom(seed: seed)
        self.longest = longest
    }

    /// - Parameter seeds: at least one valid input.
    package mutating func next(from seeds: [[UInt8]]) -> [UInt8] {
        var bytes = seeds.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...3, using: &random) { bytes = changed(bytes, seeds) }
        return Array(bytes.prefix(longest))
    }

    private mutating func changed(_ bytes: [UInt8], _ seeds: [[UInt8]]) -> [UInt8] {
        guard !bytes.isEmpty else { return seeds.randomElement(using: &random) ?? [] }
        switch Int.random(in: 0...9, using: &random) {
        case 0...3: return random.damaged(bytes)
        case 4:
            // A part again and again: what grows faster than the input shows.
            let part = range(in: bytes, upTo: 200)
            let most = max(1, longest / max(1, part.count))
            let count = min(most, 1 << Int.random(in: 0...13, using: &random))
            return bytes[..<part.lowerBound] + (0..<count).flatMap { _ in bytes[part] } + bytes[part.lowerBound...]
        case 5:
            // Brackets that nobody closes, or a beginning of the input.
            let opening = [Array("[".utf8), Array("{\"a\":".utf8), Array("<a>".utf8), Array(bytes.prefix(8))]
            let part = opening.randomElement(using: &random) ?? []
            let count = min(longest / max(1, part.count), 1 << Int.random(in: 0...13, using: &random))
            return (0..<count).flatMap { _ in part } + bytes
        case 6, 7:
            let part = range(in: bytes, upTo: 24)
            return bytes[..<part.lowerBound] + (Self.extremes.randomElement(using: &random) ?? []) + bytes[part.upperBound...]
        case 8:
            let other = seeds.randomElement(using: &random) ?? []
            return bytes[..<range(in: bytes, upTo: 1).lowerBound] + other
        default:
            // A long run of one byte.
            let place = range(in: bytes, upTo: 1).lowerBound
            let run = [UInt8](repeating: bytes[place], count: 1 << Int.random(in: 0...13, using: &random))
            return bytes[..<place] + run + bytes[place...]
        }
    }

    private mutating func range(in bytes: [UInt8], upTo count: Int) -> Range<Int> {
        let start = Int.random(in: bytes.indices, using: &random)
        return start..<Int.random(in: start...min(start + count, bytes.count), using: &random)
    }
}
