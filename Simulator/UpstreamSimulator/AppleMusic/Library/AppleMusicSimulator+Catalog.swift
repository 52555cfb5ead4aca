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
        let documents = AppleMusicDocuments(catalog: recordings.catalog, storefront: parts[1])
        let relations = call.target.list("include")
        switch (parts[2], parts.count) {
        case ("songs", 3): return try songs(call.target, documents)
        case ("songs", 4):
            guard let entry = documents.entry(ofID: parts[3]) else { throw .notFound }
            return Self.list([documents.song(entry, including: relations)])
        case ("albums", 3):
            let found = try Self.ids(call.target, most: 100)
            return Self.list(
                found.compactMap { id in
                    newAlbum(id, documents).map { documents.album($0, hasRelations: true) }
                        ?? documents.release(ofID: id).map { documents.album($0, hasRelations: true) }
                })
        case ("albums", 4):
            if let album = newAlbum(parts[3], documents) {
                return Self.list([documents.album(album, hasRelations: true, including: relations)])
            }
            guard let release = documents.release(ofID: parts[3]) else { throw .notFound }
            return Self.list([documents.album(release, hasRelations: true, including: relations)])
        case ("albums", 5) where parts[4] == "tracks":
            if let album = newAlbum(parts[3], documents) {
                return try Self.page(call.target, documents.songs(of: album), usual: 300, most: 300) {
                    documents.song($0)
                }
            }
            guard let release = documents.release(ofID: parts[3]) else { throw .notFound }
            return try Self.page(call.target, documents.songs(of: release), usual: 300, most: 300) {
                documents.song($0)
            }
        case ("artists", 3):
            let found = try Self.ids(call.target, most: 25).compactMap { documents.artist(ofID: $0) }
            return Self.list(found.map { documents.artist($0, hasRelations: true) })
        case ("artists", 4):
            guard let artist = documents.artist(ofID: parts[3]) else { throw .notFound }
            let new = recordings.albums.listed(by: .apple, artist: artist)
            return Self.list([documents.artist(artist, new: new, hasRelations: true, including: relations)])
        case ("artists", 5) where parts[4] == "albums":
            guard let artist = documents.artist(ofID: parts[3]) else { throw .notFound }
            let albums: [() -> AppleMusicResource] =
                documents.albums(ofArtist: artist).map { release in { documents.album(release, hasRelations: false) } }
                + recordings.albums.listed(by: .apple, artist: artist)
                .map { album in { documents.album(album, hasRelations: false) } }
            return try Self.page(call.target, albums, most: 100) { $0() }
        case ("playlists", 4): return Self.list([documents.playlist(try shared(parts[3]))])
        case ("playlists", 5) where parts[4] == "tracks":
            let items = documents.items(of: try shared(parts[3]))
            return try Self.page(call.target, items, usual: AppleMusicDocuments.playlistPage, most: 300) {
                documents.item($0)
            }
        case ("search", 3): return try search(call.target, documents)
        default: throw .notFound
        }
    }

    static func list(status: Int = 200, _ data: [AppleMusicResource]) -> Answer {
        Answer(status: status, contentType: Self.json, document: AppleMusicListDocument(data: data))
    }

    /// The part of a resource's related items that a call requests. An empty list counts as not found.
    private static func page<Item>(
        _ target: RequestTarget, _ items: [Item], usual: Int = 25, most: Int,
        _ resource: (Item) -> AppleMusicResource?
    ) throws(AppleMusicRefusal) -> Answer {
        let page = try AppleMusicPage(target, usual: usual, most: most)
        let path = String(target.path.dropFirst("/apple-music".count))
        guard page.offset < items.count else {
            throw .noRelated(path.split(separator: "/").last.map(String.init) ?? "")
        }
        let data = page.part(of: items).compactMap(resource)
        return Answer(
            contentType: Self.json,
            document: page.document(data, nextPath: path, total: items.count, hasTotal: false))
    }

    /// The album that came out on command, and has the id in a storefront.
    private func newAlbum(_ id: String, _ documents: AppleMusicDocuments) -> NewAlbum? {
        recordings.albums.listed(by: .apple) { album in
            documents.catalog.appleID(of: album, storefront: documents.storefront) == id
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
    private func songs(
        _ target: RequestTarget, _ documents: AppleMusicDocuments
    ) throws(AppleMusicRefusal) -> Answer {
        var found: [Entry]
        if target["ids"] != nil {
            found = try Self.ids(target, most: 300).compactMap { documents.entry(ofID: $0) }
        } else if target["filter[isrc]"] != nil {
            let codes = target.list("filter[isrc]")
            guard (1...25).contains(codes.count) else {
                throw .parameter("filter[isrc]", "Value must have 1 to 25 codes")
            }
            found = Set(codes).flatMap { entries(ofISRC: $0, documents) }
        } else {
            throw .parameter("ids", "ids or filter[isrc] is required")
        }
        found.sort { $0.number > $1.number }
        return Self.list(found.map { documents.song($0) })
    }

    /// All entries with the code, which must be in its plain form.
    private func entries(ofISRC code: String, _ documents: AppleMusicDocuments) -> [Entry] {
        let catalog = documents.catalog
        return catalog.entries(withISRC: code, on: .apple).filter {
            catalog.isrc(of: $0, on: .apple) == code && catalog.isAvailable($0.recording, in: documents.storefront)
        }
    }
}
