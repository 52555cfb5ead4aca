/// Writes entries of a catalog as the Discovery API shows them.
struct DocumentWriter {
    /// A fault within an otherwise correct answer.
    enum Malformation: Sendable {
        case nullItems
        case malformedItem
    }

    let catalog: TicketmasterCatalog
    /// The address of the pictures, without a trailing slash.
    let origin: String
    /// The `locale` of the links.
    let locale = "en-us"
    var area: SearchArea?
    var malformation: Malformation?

    var hasNulls: Bool { malformation == .nullItems }

    init(catalog: TicketmasterCatalog, origin: String, area: SearchArea? = nil, malformation: Malformation? = nil) {
        self.catalog = catalog
        self.origin = origin
        self.area = area
        self.malformation = malformation
    }

    /// Writes the members with which every entry begins.
    func writeHead(_ json: inout JSONWriter, name: String?, type: String, id: String, test: Bool, url: String?) {
        if let name { json.string("name", name) }
        json.string("type", type)
        json.string("id", id)
        json.bool("test", test)
        if let url { json.string("url", url) }
    }

    func writeSelfLink(_ json: inout JSONWriter, _ collection: String, _ id: String) {
        json.object("self") { json in
            json.string("href", "/discovery/v2/\(collection)/\(id)?locale=\(locale)")
        }
    }

    /// Writes an entry whose members have wrong types.
    func writeMalformed(_ json: inout JSONWriter, type: String) {
        json.object { json in
            json.number("name", 7)
            json.string("type", type)
            json.array("id") { _ in }
            json.string("dates", "soon")
            json.string("images", "none")
            json.array("_embedded") { json in json.bool(nil, true) }
        }
    }
}
