/// Offsets of the pages of a service's list.
package enum PageOffset {
    /// The valid offsets; no list is longer.
    private static let range = 0...10_000_000

    /// The offset of the page after another one. Offsets always grow and are bounded, so that reading a list ends.
    ///
    /// - Parameters:
    ///   - offset: the offset of the page.
    ///   - count: the number of its entries.
    ///   - named: the offset that the service names, as text; `nil` if it names none.
    /// - Returns: `nil` when no page follows.
    package static func following(_ offset: Int, count: Int, named: String?) -> Int? {
        guard let end = offset.adding(count, atMost: range.upperBound) else { return nil }
        let following = max(named.flatMap { Int(decimal: $0, in: range) } ?? 0, end)
        return following > offset ? following : nil
    }
}
