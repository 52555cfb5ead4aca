/// The effect of a page, or of several pages together, on a library.
package struct PageEffect: Sendable, Hashable, Codable {
    /// The number of items on the page.
    package var found = 0
    /// The number of items that are new to the library.
    package var added = 0
    /// The number of items whose values changed, including those that returned.
    package var changed = 0
    /// The number of tracks that were merged into others, and of new items that were added to a track with different
    /// names.
    package var joined = 0

    package init(found: Int = 0, added: Int = 0, changed: Int = 0, joined: Int = 0) {
        self.found = found
        self.added = added
        self.changed = changed
        self.joined = joined
    }

    package static func + (left: PageEffect, right: PageEffect) -> PageEffect {
        PageEffect(
            found: left.found + right.found, added: left.added + right.added, changed: left.changed + right.changed,
            joined: left.joined + right.joined)
    }
}
