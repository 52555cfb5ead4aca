extension AppleMusicSimulator {
    /// The answer of an endpoint below `/v1/catalog`, which needs no user token.
    func catalog(_ call: Call) -> Answer {
        do {
            return try readCatalog(call)
        } catch {
            return error.answer
        }
    }

    private func readCatalog(_ call: Call) throws(AppleMusicRefusal) -> Answer {
        let parts = call.target.path.split(separator: "/").dropFirst(2).map(String.init)
        guard call.method == .get, parts.count > 2, parts[0] == "catalog", Storefront.names[parts[1]] != nil else {
            throw .notFound
        }
        let writer = AppleMusicWriter(catalog: recordings.catalog, storefront: parts[1])
        switch (parts[2], parts.count) {
        case ("songs", 3): return try songs(call.target, writer)
        case ("songs", 4):
            guard let entry = writer.entry(ofID: parts[3]) else { throw .notFound }
            let relations = call.target.list("include")
            return Self.list { writer.writeSong(&$0, entry, including: relations) }
        case ("albums", 3):
            let found = try Self.ids(call.target, most: 100).compactMap { writer.release(ofID: $0) }
            return Self.list { json in
                for release in found { writer.writeAlbum(&json, release, hasRelations: true) }
            }
        case ("albums", 4):
            guard let release = writer.release(ofID: parts[3]) else { throw .notFound }
            let relations = call.target.list("include")
            return Self.list { writer.writeAlbum(&$0, release, hasRelations: true, including: relations) }
        case ("albums", 5) where parts[4] == "tracks":
            guard let release = writer.release(ofID: parts[3]) else { throw .notFound }
            return try Self.page(call.target, writer.songs(of: release), usual: 300, most: 300) {
                writer.writeSong(&$0, $1)
            }
        case ("artists", 3):
            let found = try Self.ids(call.target, most: 25).compactMap { writer.artist(ofID: $0) }
            return Self.list { json in
                for artist in found { writer.writeArtist(&json, artist, hasRelations: true) }
            }
        case ("artists", 4):
            guard let artist = writer.artist(ofID: parts[3]) else { throw .notFound }
            let relations = call.target.list("include")
            return Self.list { writer.writeArtist(&$0, artist, hasRelations: true, including: relations) }
        case ("artists", 5) where parts[4] == "albums":
            guard let artist = writer.artist(ofID: parts[3]) else { throw .notFound }
            return try Self.page(call.target, writer.albums(ofArtist: artist), most: 100) {
                writer.writeAlbum(&$0, $1, hasRelations: false)
            }
        case ("playlists", 4):
            let playlist = try shared(parts[3])
            return Self.list { writer.writePlaylist(&$0, playlist) }
        case ("playlists", 5) where parts[4] == "tracks":
            return try Self.page(
                call.target, writer.items(of: try shared(parts[3])), usual: AppleMusicWriter.playlistPage, most: 300
            ) { writer.writeItem(&$0, $1) }
        case ("search", 3): return try search(call.target, writer)
        default: throw .notFound
        }
    }

    static func list(status: Int = 200, _ data: (inout JSONWriter) -> Void) -> Answer {
        var json = JSONWriter()
        json.object { $0.array("data", data) }
        return Answer(status: status, contentType: Self.json, body: json.text)
    }

    /// The part of a resource's related items that a call requests. An empty list counts as not found.
    private static func page<Item>(
        _ target: RequestTarget, _ items: [Item], usual: Int = 25, most: Int,
        _ write: (inout JSONWriter, Item) -> Void
    ) throws(AppleMusicRefusal) -> Answer {
        let page = try AppleMusicPage(target, usual: usual, most: most)
        let path = String(target.path.dropFirst("/apple-music".count))
        guard page.offset < items.count else {
            throw .noRelated(path.split(separator: "/").last.map(String.init) ?? "")
        }
        return page.document(nextPath: path, total: items.count, hasTotal: false) { json in
            for item in items.dropFirst(page.offset).prefix(page.limit) { write(&json, item) }
        }
    }

    /// A playlist that somebody has made public.
    private func shared(_ id: String) throws(AppleMusicRefusal) -> SavedPlaylist {
        let playlists = libraries.others(than: "").lazy.flatMap(\.playlists)
        guard let playlist = playlists.first(where: { $0.sharedID == id }) else { throw .notFound }
        return playlist
    }

    /// The ids of a lookup, each once, in an order that the service chooses.
    private static func ids(_ target: RequestTarget, most: Int) throws(AppleMusicRefusal) -> [String] {
        let ids = target.list("ids")
        guard (1...most).contains(ids.count) else { throw .parameter("ids", "Value must have 1 to \(most) ids") }
        return Set(ids).sorted(by: >)
    }

    /// The songs with the given ids or codes, in an order that the service chooses. Unknown ones are left out.
    private func songs(_ target: RequestTarget, _ writer: AppleMusicWriter) throws(AppleMusicRefusal) -> Answer {
        var found: [Entry]
        if target["ids"] != nil {
            found = try Self.ids(target, most: 300).compactMap { writer.entry(ofID: $0) }
        } else if target["filter[isrc]"] != nil {
            let codes = target.list("filter[isrc]")
            guard (1...25).contains(codes.count) else {
                throw .parameter("filter[isrc]", "Value must have 1 to 25 codes")
            }
            found = Set(codes).flatMap { entries(ofISRC: $0, writer) }
        } else {
            throw .parameter("ids", "ids or filter[isrc] is required")
        }
        found.sort { $0.number > $1.number }
        return Self.list { json in
            for entry in found { writer.writeSong(&json, entry) }
        }
    }

    /// All entries with the code, which must be in its plain form.
    private func entries(ofISRC code: String, _ writer: AppleMusicWriter) -> [Entry] {
        let catalog = writer.catalog
        return catalog.entries(withISRC: code, on: .apple).filter {
            catalog.isrc(of: $0, on: .apple) == code && catalog.isAvailable($0.recording, in: writer.storefront)
        }
    }
}
