/// Delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002): removes ever
/// smaller parts of a list as long as the rest still fails.
package enum Shrinking {
    /// - Parameters:
    ///   - attempts: how often `fails` is called at most. With enough attempts, no single element of the result can be
    ///     left out.
    ///   - fails: returns whether a list still fails. It is not called with the whole list.
    /// - Returns: the shortest list that was seen to fail; `elements` if none was.
    package static func shrink<Element: Sendable>(
        _ elements: [Element], attempts: Int, fails: ([Element]) async throws -> Bool
    ) async rethrows -> [Element] {
        var (shortest, left) = (elements, attempts)
        var parts = min(2, elements.count)
        while shortest.count > 1, left > 0 {
            let size = (shortest.count + parts - 1) / parts
            var isShorter = false
            // This starts from the end, since earlier steps rarely need later ones.
            for start in stride(from: 0, to: shortest.count, by: size).reversed() where left > 0 {
                var candidate = shortest
                candidate.removeSubrange(start..<min(start + size, shortest.count))
                guard !candidate.isEmpty else { continue }
                left -= 1
                if try await fails(candidate) {
                    shortest = candidate
                    parts = max(2, parts - 1)
                    isShorter = true
                    break
                }
            }
            if !isShorter {
                guard parts < shortest.count else { break }
                parts = min(shortest.count, parts * 2)
            }
        }
        return shortest
    }
}
