import Foundation
import TestSupport

/// Makes inputs that resemble valid ones but are designed to do harm. A seed determines them.
package struct HostileInputs {
    /// Texts that readers often handle wrongly when they expect a number, a text or a position.
    private static let extremes = [
        "-9223372036854775808", "9223372036854775807", "18446744073709551615", "1e400", "-0", "NaN", "0x10", "１２",
        "2147483648", "99999999999999999999999999", "\u{0}", "\"", "\\", "'", "\r", "\n\n", "é", "\u{FEFF}", "\u{202E}",
        "<!--", "]]>", "&#0;", "<!DOCTYPE a [", "--b\r\n", "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999999-23:59", "%00", "~",
    ].map { Array($0.utf8) }

    /// The largest size of an input, in bytes.
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

    /// An input that repeats a part of another one again and again: long inputs reveal work that grows faster than the
    /// input. The copies are equal, or numbered like the ids of rows.
    ///
    /// - Parameter count: the largest size in bytes, which the input almost reaches.
    package mutating func grown(_ input: [UInt8], to count: Int) -> [UInt8] {
        guard !input.isEmpty else { return input }
        let part = Bool.random(using: &random) ? range(in: input, upTo: 200) : element(in: input)
        guard !part.isEmpty else { return input }
        let rest = input[part.lowerBound...]
        let place = Bool.random(using: &random) ? Int.random(in: part, using: &random) : nil
        var grown = Array(input[..<part.lowerBound])
        grown.reserveCapacity(count)
        for number in 0... {
            let digits = place == nil ? [] : Array(String(number).utf8)
            guard grown.count + part.count + digits.count + rest.count <= count else { break }
            grown += input[part.lowerBound..<(place ?? part.lowerBound)]
            grown += digits
            grown += input[(place ?? part.lowerBound)..<part.upperBound]
        }
        return grown + rest
    }

    private mutating func changed(_ bytes: [UInt8], _ seeds: [[UInt8]]) -> [UInt8] {
        guard !bytes.isEmpty else { return seeds.randomElement(using: &random) ?? [] }
        switch Int.random(in: 0...9, using: &random) {
        case 0...3: return random.damaged(bytes)
        case 4:
            // Repeats a part again and again, which reveals work that grows faster than the input.
            let part = range(in: bytes, upTo: 200)
            let most = max(1, longest / max(1, part.count))
            let count = min(most, 1 << Int.random(in: 0...13, using: &random))
            return bytes[..<part.lowerBound] + (0..<count).flatMap { _ in bytes[part] } + bytes[part.lowerBound...]
        case 5:
            // Adds brackets that are never closed, or only a beginning of the input.
            let opening = [Array("[".utf8), Array("{\"a\":".utf8), Array("<a>".utf8), Array(bytes.prefix(8))]
            let part = opening.randomElement(using: &random) ?? []
            let count = min(longest / max(1, part.count), 1 << Int.random(in: 0...13, using: &random))
            return (0..<count).flatMap { _ in part } + bytes
        case 6, 7:
            let part = range(in: bytes, upTo: 24)
            return bytes[..<part.lowerBound] + (Self.extremes.randomElement(using: &random) ?? [])
                + bytes[part.upperBound...]
        case 8:
            let other = seeds.randomElement(using: &random) ?? []
            return bytes[..<range(in: bytes, upTo: 1).lowerBound] + other
        default:
            // Adds a long run of one byte.
            let place = range(in: bytes, upTo: 1).lowerBound
            let run = [UInt8](repeating: bytes[place], count: 1 << Int.random(in: 0...13, using: &random))
            return bytes[..<place] + run + bytes[place...]
        }
    }

    private mutating func range(in bytes: [UInt8], upTo count: Int) -> Range<Int> {
        let start = Int.random(in: bytes.indices, using: &random)
        return start..<Int.random(in: start...min(start + count, bytes.count), using: &random)
    }

    /// A range of at most 4,096 bytes that begins and ends after a separator that most formats use.
    private mutating func element(in bytes: [UInt8]) -> Range<Int> {
        let separators = Array(",;\n>}] ".utf8)
        let ends = [0] + bytes.indices.filter { separators.contains(bytes[$0]) }.map { $0 + 1 }
        let start = ends.randomElement(using: &random) ?? 0
        let end = ends.filter { $0 > start && $0 <= start + 4_096 }.randomElement(using: &random)
        return start..<(end ?? min(start + 4_096, bytes.count))
    }
}
