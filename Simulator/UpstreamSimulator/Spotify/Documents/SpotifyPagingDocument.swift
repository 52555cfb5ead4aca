/// A page of a list, with the links to the adjacent pages.
struct SpotifyPagingDocument<Item: Encodable>: Encodable {
    var href: String
    var items: [Item]
    var limit: Int
    @Nullable var next: String?
    var offset: Int
    @Nullable var previous: String?
    /// Also counts what no page shows, so that a page can be short.
    var total: Int
}

extension SpotifyPage {
    /// The part of a list that is on this page.
    func part<Element>(of list: [Element]) -> ArraySlice<Element> {
        list.dropFirst(offset).prefix(limit)
    }

    /// - Parameters:
    ///   - items: what the page shows of its part of the list.
    ///   - total: the length of the list.
    ///   - url: the list's address, without a query.
    ///   - query: further parameters of the links, percent-encoded, such as `type=track`.
    func document<Item>(
        _ items: [Item], total: Int, url: String, query: String = ""
    ) -> SpotifyPagingDocument<Item> {
        func link(_ offset: Int) -> String {
            "\(url)?offset=\(offset)&limit=\(limit)" + (query.isEmpty ? "" : "&" + query)
        }
        return SpotifyPagingDocument(
            href: link(offset), items: items, limit: limit, next: offset + limit < total ? link(offset + limit) : nil,
            offset: offset, previous: offset > 0 ? link(max(0, offset - limit)) : nil, total: total)
    }
}
