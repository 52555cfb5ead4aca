/// The Levenshtein distance between the bytes of two texts.
enum EditDistance {
    /// In bytes. Longer texts are near only if they are equal, so that no comparison takes long. Usual titles are
    /// shorter.
    static let longestText = 512

    /// Whether at most `limit` bytes have to be inserted, removed or replaced.
    ///
    /// Texts longer than ``longestText`` must be equal. Also returns `false` if the shorter text differs in a stretch
    /// of more than 128 bytes, unless the stretch in the longer text is within the limit.
    ///
    /// - Complexity: linear in the length of the texts.
    static func isAtMost(_ limit: Int, _ one: String, _ other: String) -> Bool {
        let lengths = (one.utf8.count, other.utf8.count)
        guard (lengths.0 - lengths.1).magnitude <= limit else { return false }
        guard max(lengths.0, lengths.1) <= longestText else { return one.utf8.elementsEqual(other.utf8) }
        var (short, long) = lengths.0 < lengths.1 ? (one, other) : (other, one)
        return short.withUTF8 { short in
            long.withUTF8 { long in isAtMost(limit, of: short, long) }
        }
    }

    private static func isAtMost(
        _ limit: Int, of short: UnsafeBufferPointer<UInt8>, _ long: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        // A common start or end does not contribute to the distance.
        var start = 0
        while start < short.count, short[start] == long[start] { start += 1 }
        var end = 0
        while end < short.count - start, short[short.count - 1 - end] == long[long.count - 1 - end] { end += 1 }
        let pattern = UnsafeBufferPointer(rebasing: short[start..<(short.count - end)])
        let text = UnsafeBufferPointer(rebasing: long[start..<(long.count - end)])
        if pattern.isEmpty || text.count <= limit { return text.count <= limit }
        return pattern.count <= UInt128.bitWidth && isAtMost(limit, pattern: pattern, text)
    }

    /// Myers' algorithm in Hyyrö's form ("A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances",
    /// 2003): two words represent a column of the table of distances, by the positions where it rises and where it
    /// falls.
    private static func isAtMost(
        _ limit: Int, pattern: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt128.self, capacity: 256) { places in
            places.initialize(repeating: 0)
            for (index, byte) in pattern.enumerated() { places[Int(byte)] |= 1 << index }
            let last = UInt128(1) << (pattern.count - 1)
            var (rises, falls) = (UInt128.max, UInt128(0))
            var distance = pattern.count
            for (index, byte) in text.enumerated() {
                let equal = places[Int(byte)]
                let vertical = equal | falls
                let horizontal = (((equal & rises) &+ rises) ^ rises) | equal
                var up = falls | ~(horizontal | rises)
                var down = rises & horizontal
                if up & last != 0 { distance += 1 }
                if down & last != 0 { distance -= 1 }
                // Each remaining byte can reduce the distance by at most one.
                if distance - (text.count - 1 - index) > limit { return false }
                up = up << 1 | 1
                down <<= 1
                rises = down | ~(vertical | up)
                falls = up & vertical
            }
            return distance <= limit
        }
    }
}
