/// A page of a search's result; without `_embedded` if it is empty.
struct DiscoveryPageDocument: Encodable {
    /// The page's links, relative and without the key.
    struct Links: Encodable {
        var first: LinkDocument?
        var previous: LinkDocument?
        var own: LinkDocument
        var next: LinkDocument?
        var last: LinkDocument?

        enum CodingKeys: String, CodingKey {
            case first
            case previous = "prev"
            case own = "self"
            case next, last
        }
    }

    struct Page: Encodable {
        var size: Int
        var totalElements: Int
        var totalPages: Int
        var number: Int
    }

    /// The entries, under the name of their collection.
    var embedded: NamedMembers<[EntryDocument?]>?
    var links: Links
    var page: Page

    enum CodingKeys: String, CodingKey {
        case embedded = "_embedded"
        case links = "_links"
        case page
    }
}

extension TicketmasterDocuments {
    func page(_ found: [Int32], of kind: Kind, page: PageRequest, target: RequestTarget) -> DiscoveryPageDocument {
        let total = min(found.count, PageRequest.largestTotal)
        // A page past the end looks like an empty result.
        let indices = found[min(page.offset, total)..<min(page.offset + page.size, total)]
        let reported = indices.isEmpty ? 0 : total
        let pages = (reported + page.size - 1) / page.size
        let entries = entries(indices, of: kind)
        return DiscoveryPageDocument(
            embedded: entries.isEmpty ? nil : NamedMembers(members: [(name: kind.rawValue, value: entries)]),
            links: links(of: page, pages: pages, target: target),
            page: DiscoveryPageDocument.Page(
                size: page.size, totalElements: reported, totalPages: pages, number: page.number))
    }

    private func entries(_ indices: ArraySlice<Int32>, of kind: Kind) -> [EntryDocument?] {
        var entries: [EntryDocument?] = []
        for (position, index) in indices.enumerated() {
            if malformation == .nullItems, position % 3 == 0 { entries.append(nil) }
            let isMalformed = malformation == .malformedItem && position == indices.count / 2
            entries.append(isMalformed ? .malformed(MalformedDocument(kind)) : entry(index, of: kind))
        }
        return entries
    }

    private func links(of page: PageRequest, pages: Int, target: RequestTarget) -> DiscoveryPageDocument.Links {
        let base = target.text(without: ["apikey", "page", "size"])
        let link = { (number: Int) in
            LinkDocument(href: base + (base.contains("?") ? "&" : "?") + "page=\(number)&size=\(page.size)")
        }
        let isOneOfSeveral = pages > 1 || page.number > 0
        return DiscoveryPageDocument.Links(
            first: isOneOfSeveral ? link(0) : nil, previous: page.number > 0 ? link(page.number - 1) : nil,
            own: LinkDocument(href: target.text(without: ["apikey"])),
            next: page.number + 1 < pages ? link(page.number + 1) : nil,
            last: isOneOfSeveral ? link(max(0, pages - 1)) : nil)
    }
}
