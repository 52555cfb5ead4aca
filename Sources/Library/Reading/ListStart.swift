/// Where a page of a list begins.
package enum ListStart<Place: Sendable>: Sendable {
    /// After the item that a cursor names; `nil` for the beginning.
    case after(Place?)
    /// At an item of the list, counted from 0 in the list's order and filter.
    case position(Int)
}

/// A page of a list.
package struct LibraryPage<Item: Sendable>: Sendable {
    package var items: [Item]
    /// The number of items of the whole list, with its filters.
    package var total: Int
    /// `nil` on the last page.
    package var nextCursor: String?

    package init(items: [Item], total: Int, nextCursor: String?) {
        self.items = items
        self.total = total
        self.nextCursor = nextCursor
    }

    /// The list of somebody who has no library yet.
    static var empty: Self { Self(items: [], total: 0, nextCursor: nil) }
}
