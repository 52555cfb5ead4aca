/// Where a page of a list begins.
package enum ListStart<Place: Sendable>: Sendable {
    /// After the item that a cursor names; `nil` starts at the beginning.
    case after(Place?)
    /// At an item's position in the sorted and filtered list, counted from 0.
    case position(Int)
}

/// A page of a list.
package struct LibraryPage<Item: Sendable>: Sendable {
    package var items: [Item]
    /// The number of items in the whole list after filtering.
    package var total: Int
    /// `nil` on the last page.
    package var nextCursor: String?

    package init(items: [Item], total: Int, nextCursor: String?) {
        self.items = items
        self.total = total
        self.nextCursor = nextCursor
    }

    /// The empty list of a user who has no library yet.
    static var empty: Self { Self(items: [], total: 0, nextCursor: nil) }
}
