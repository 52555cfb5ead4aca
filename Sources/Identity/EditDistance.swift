/// The distance of Levenshtein between the bytes of two texts.
enum EditDistance {
    /// Whether at most `limit` bytes have to be inserted, removed or replaced.
    static func isAtMost(_ limit: Int, _ one: String, _ other: String) -> Bool {
        let (left, right) = (Array(one.utf8), Array(other.utf8))
        guard abs(left.count - right.count) <= limit else { return false }
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            var smallest = row[0]
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
                smallest = min(smallest, row[column + 1])
            }
            if smallest > limit { return false }
        }
        return row[right.count] <= limit
    }
}
