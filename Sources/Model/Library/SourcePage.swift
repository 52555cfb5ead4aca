/// A page of a list of a service, in the service's order.
package struct SourcePage<Item: Sendable>: Sendable {
    /// The items that could be read.
    package var items: [Item]
    /// The ids of entries of which nothing else can be read. They are in the list nevertheless.
    package var unreadIDs: [String]
    /// The number of entries in the page, including those that are null or unreadable.
    package var entryCount: Int
    /// The number of entries in the whole list, as the service reports it with this page; `nil` if it does not.
    package var total: Int?
    /// The offset of the next page; `nil` at the end of the list. A short page is not the end.
    package var nextOffset: Int?
    /// Whether the service reports that the account has no library that could contain this list. `nil` means `false`.
    package var lacksLibrary: Bool?

    package init(items: [Item], unreadIDs: [String] = [], entryCount: Int, total: Int?, nextOffset: Int?) {
        self.items = items
        self.unreadIDs = unreadIDs
        self.entryCount = entryCount
        self.total = total
        self.nextOffset = nextOffset
    }

    /// The page with its items transformed.
    package func map<Other>(_ transform: (Item) throws -> Other) rethrows -> SourcePage<Other> {
        var page = SourcePage<Other>(
            items: try items.map(transform), unreadIDs: unreadIDs, entryCount: entryCount, total: total,
            nextOffset: nextOffset)
        page.lacksLibrary = lacksLibrary
        return page
    }
}

extension SourcePage: Codable where Item: Codable {}
