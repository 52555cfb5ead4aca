extension DocumentWriter {
    /// A page of a search's result; without `_embedded` if it is empty.
    func writePage(_ found: [Int32], of kind: Kind, page: PageRequest, target: RequestTarget) -> String {
        var json = JSONWriter()
        let total = min(found.count, PageRequest.largestTotal)
        // A page past the end looks like an empty result.
        let entries = found[min(page.offset, total)..<min(page.offset + page.size, total)]
        let reported = entries.isEmpty ? 0 : total
        let pages = (reported + page.size - 1) / page.size
        json.object { json in
            if !entries.isEmpty {
                json.object("_embedded") { json in
                    json.array(kind.rawValue) { json in
                        for (position, index) in entries.enumerated() {
                            if hasNulls, position % 3 == 0 { json.null() }
                            if malformation == .malformedItem, position == entries.count / 2 {
                                writeMalformed(&json, type: String(kind.rawValue.dropLast()))
                            } else {
                                write(index, of: kind, to: &json)
                            }
                        }
                    }
                }
            }
            writePageLinks(page, pages: pages, target: target, to: &json)
            json.object("page") { json in
                json.number("size", page.size)
                json.number("totalElements", reported)
                json.number("totalPages", pages)
                json.number("number", page.number)
            }
        }
        return json.text
    }

    /// The collections of the API.
    enum Kind: String, Sendable {
        case events, attractions, venues
    }

    func write(_ index: Int32, of kind: Kind, to json: inout JSONWriter) {
        switch kind {
        case .events: writeEvent(index, to: &json)
        case .attractions: writeAttraction(index, to: &json)
        case .venues: writeVenue(index, to: &json)
        }
    }

    /// Writes the page's links, relative and without the key.
    private func writePageLinks(_ page: PageRequest, pages: Int, target: RequestTarget, to json: inout JSONWriter) {
        let base = target.text(without: ["apikey", "page", "size"])
        let link = { (number: Int) in
            base + (base.contains("?") ? "&" : "?") + "page=\(number)&size=\(page.size)"
        }
        let write = { (json: inout JSONWriter, name: String, href: String) in
            json.object(name) { json in json.string("href", href) }
        }
        json.object("_links") { json in
            if pages > 1 || page.number > 0 { write(&json, "first", link(0)) }
            if page.number > 0 { write(&json, "prev", link(page.number - 1)) }
            write(&json, "self", target.text(without: ["apikey"]))
            if page.number + 1 < pages { write(&json, "next", link(page.number + 1)) }
            if pages > 1 || page.number > 0 { write(&json, "last", link(max(0, pages - 1))) }
        }
    }
}
