import Foundation

/// A search with all its shows.
struct SearchReport {
    let status: SearchStatus
    let shows: [SearchShow]
    /// The pages as the gateway wrote them.
    private let pages: [Data]

    struct Page: Decodable {
        var status: SearchStatus
        var items: [SearchShow]
        var nextCursor: String?

        private enum CodingKeys: String, CodingKey { case items, nextCursor }

        init(from decoder: any Decoder) throws {
            status = try SearchStatus(from: decoder)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            items = try container.decode([SearchShow].self, forKey: .items)
            nextCursor = try container.decodeIfPresent(String.self, forKey: .nextCursor)
        }
    }

    struct NoPage: Error, CustomStringConvertible {
        var description: String { "a page without items" }
    }

    /// - Parameter pages: from the first to the last.
    init(pages: [Data]) throws {
        let decoded = try pages.map { try JSONDecoder().decode(Page.self, from: $0) }
        guard let last = decoded.last else { throw NoPage() }
        self.pages = pages
        status = last.status
        shows = decoded.flatMap(\.items)
    }

    /// One JSON document in the format of a page, with the shows of all pages and no `nextCursor`.
    ///
    /// It is made from the gateway's JSON, so that fields that this command does not know are preserved.
    func document() throws -> String {
        var shows: [Any] = []
        var result: [String: Any] = [:]
        for page in pages {
            guard let object = try JSONSerialization.jsonObject(with: page) as? [String: Any],
                let items = object["items"] as? [Any]
            else { throw NoPage() }
            result = object
            shows += items
        }
        result["items"] = shows
        result["nextCursor"] = NSNull()
        let data = try JSONSerialization.data(
            withJSONObject: result, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }
}
