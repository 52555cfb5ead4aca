/// The part of a list that a Web API call requests, with the links to the adjacent pages.
struct SpotifyPage: Sendable, Equatable {
    var limit: Int
    var offset: Int

    init(limit: Int, offset: Int) {
        self.limit = limit
        self.offset = offset
    }

    /// Reads `limit` and `offset`.
    ///
    /// - Throws: the 400 for a number that the endpoint does not accept.
    init(_ target: RequestTarget, usual: Int, most: Int, largestOffset: Int = 100_000_000) throws(SpotifyRefusal) {
        limit = usual
        offset = 0
        if let text = target["limit"] {
            guard let number = Int(text), (1...most).contains(number) else { throw .badRequest("Invalid limit") }
            limit = number
        }
        if let text = target["offset"] {
            guard let number = Int(text), (0...largestOffset).contains(number) else {
                throw .badRequest("Invalid offset")
            }
            offset = number
        }
    }

    /// Writes a paging object. `total` also counts what no page shows, so a page can be short.
    ///
    /// - Parameters:
    ///   - url: the list's address, without a query.
    ///   - query: further parameters of the links, percent-encoded, such as `type=track`.
    func write(
        _ json: inout JSONWriter, key: String? = nil, url: String, query: String = "", total: Int,
        items: (inout JSONWriter) -> Void
    ) {
        func link(_ offset: Int) -> String {
            "\(url)?offset=\(offset)&limit=\(limit)" + (query.isEmpty ? "" : "&" + query)
        }
        json.object(key) { json in
            json.string("href", link(offset))
            json.array("items", items)
            json.number("limit", limit)
            if offset + limit < total { json.string("next", link(offset + limit)) } else { json.null("next") }
            json.number("offset", offset)
            if offset > 0 { json.string("previous", link(max(0, offset - limit))) } else { json.null("previous") }
            json.number("total", total)
        }
    }
}
