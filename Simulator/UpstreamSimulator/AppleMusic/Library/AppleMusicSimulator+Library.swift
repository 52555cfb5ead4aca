extension AppleMusicSimulator {
    private static let root = "/apple-music/v1/"

    /// Ids and storefronts in the path are `{id}` and `{storefront}`; the two ways to request songs have counters of
    /// their own.
    func endpoint(of call: Call) -> String {
        let method = call.method.rawValue
        guard call.target.path.hasPrefix(Self.root) else { return "\(method) \(call.target.path)" }
        var parts = call.target.path.dropFirst(Self.root.count).split(separator: "/")
        if parts.first == "catalog", parts.count > 1 {
            parts[1] = "{storefront}"
            if parts.count > 3 { parts[3] = "{id}" }
        } else if parts.starts(with: ["me", "library"]), parts.count > 3 {
            parts[3] = "{id}"
        }
        let kind = call.target["filter[isrc]"] != nil ? " isrc" : call.target["ids"] != nil ? " ids" : ""
        return "\(method) \(Self.root)\(parts.joined(separator: "/"))\(kind)"
    }

    /// The answer of an endpoint below `/v1/me`.
    func personal(_ visit: AppleMusicVisit) -> Answer {
        defer {
            if visit.call.method == .get, visit.parts.first == "library" { libraries.called(visit.account) }
        }
        do {
            return try readPersonal(visit)
        } catch {
            return error.answer
        }
    }

    private func readPersonal(_ visit: AppleMusicVisit) throws(AppleMusicRefusal) -> Answer {
        guard visit.call.method == .get else { return try write(visit) }
        switch visit.parts.first {
        case "storefront" where visit.parts.count == 1:
            return Answer(status: 200, contentType: Self.json, body: Storefront(visit.storefront).document)
        case "library" where visit.parts.count == 2: return try readList(visit)
        case "library" where visit.parts.count > 2:
            return try readOne(visit, kind: visit.parts[1], id: visit.parts[2], rest: Array(visit.parts[3...]))
        case "recent", "history": return try history(visit)
        default: throw .notFound
        }
    }

    private func writer(_ visit: AppleMusicVisit, _ library: PersonalLibrary) -> AppleMusicLibraryWriter {
        AppleMusicLibraryWriter(
            library: library, storefront: visit.storefront, includesCatalog: visit.includes("catalog"))
    }

    /// The part of a list that a call requests.
    func page<Item>(
        _ items: [Item], of visit: AppleMusicVisit, usual: Int = 25, most: Int = 100,
        _ write: (inout JSONWriter, Item) -> Void
    ) throws(AppleMusicRefusal) -> Answer {
        let page = try AppleMusicPage(visit.call.target, usual: usual, most: most)
        let hasTotal = visit.hasTotals && visit.parts.first == "library"
        return page.document(nextPath: visit.nextPath, total: items.count, hasTotal: hasTotal) { json in
            for item in items.dropFirst(page.offset).prefix(page.limit) { write(&json, item) }
        }
    }

    // MARK: Lists

    private func readList(_ visit: AppleMusicVisit) throws(AppleMusicRefusal) -> Answer {
        let library = libraries.library(of: visit.account)
        let writer = self.writer(visit, library)
        let answer: Answer
        let list: LibraryList?
        switch visit.parts[1] {
        case "songs" where visit.call.target["ids"] != nil: return try songs(visit, writer)
        case "songs":
            answer = try page(library.saved, of: visit) { json, track in
                if track.isReadable { writer.writeSong(&json, track) }
            }
            list = .tracks
        case "albums":
            answer = try page(library.albums, of: visit) { json, album in writer.writeAlbum(&json, album) }
            list = .albums
        case "artists":
            answer = try page(library.artists, of: visit) { json, artist in writer.writeArtist(&json, artist) }
            list = nil
        case "playlists":
            answer = try page(library.playlists, of: visit) { json, playlist in
                writer.writePlaylist(&json, playlist)
            }
            list = .playlists
        default: throw .notFound
        }
        if let list { libraries.served(list, of: visit.account) }
        return answer
    }

    /// The songs with the given ids, in the order of the library. Unknown ones are left out.
    private func songs(
        _ visit: AppleMusicVisit, _ writer: AppleMusicLibraryWriter
    ) throws(AppleMusicRefusal) -> Answer {
        let ids = Set(visit.call.target.list("ids"))
        guard (1...300).contains(ids.count) else { throw .parameter("ids", "Value must have 1 to 300 ids") }
        let library = writer.library
        let found = library.saved.filter { $0.isReadable && ids.contains(library.id(of: $0)) }
        return Self.list { json in
            for track in found { writer.writeSong(&json, track) }
        }
    }

    // MARK: Single items

    /// - Parameter rest: what follows the id in the path, such as `catalog`.
    private func readOne(
        _ visit: AppleMusicVisit, kind: String, id: String, rest: [String]
    ) throws(AppleMusicRefusal) -> Answer {
        let library = libraries.library(of: visit.account)
        let writer = self.writer(visit, library)
        switch ([kind] + rest).joined(separator: "/") {
        case "songs", "songs/catalog":
            guard let track = library.song(ofID: id) else { throw .notFound }
            guard !rest.isEmpty else { return Self.list { writer.writeSong(&$0, track) } }
            guard let song = writer.catalogSong(of: track) else { throw .noRelated("catalog") }
            return Self.list { writer.catalogWriter.writeSong(&$0, song) }
        case "albums", "albums/catalog":
            guard let album = library.album(ofID: id) else { throw .notFound }
            guard !rest.isEmpty else { return Self.list { writer.writeAlbum(&$0, album) } }
            guard writer.isRelated(Int(album.release.number)) else { throw .noRelated("catalog") }
            return Self.list { writer.catalogWriter.writeAlbum(&$0, album.release, hasRelations: false) }
        case "artists", "artists/catalog":
            guard let artist = library.artist(ofID: id) else { throw .notFound }
            guard !rest.isEmpty else { return Self.list { writer.writeArtist(&$0, artist) } }
            guard writer.isRelated(artist) else { throw .noRelated("catalog") }
            return Self.list { writer.catalogWriter.writeArtist(&$0, artist, hasRelations: false) }
        case "music-videos":
            guard let number = library.video(ofID: id) else { throw .notFound }
            return Self.list { writer.writeVideo(&$0, number) }
        case "playlists": return playlist(try find(id, in: library), visit, writer)
        case "playlists/tracks":
            let playlist = try find(id, in: library)
            guard !playlist.items.isEmpty else { throw .noRelated("tracks") }
            let answer = try page(playlist.items, of: visit) { json, item in writer.writeItem(&json, item) }
            libraries.served(.items, of: visit.account)
            return answer
        default: throw .notFound
        }
    }

    private func find(_ id: String, in library: PersonalLibrary) throws(AppleMusicRefusal) -> SavedPlaylist {
        guard let playlist = library.playlists.first(where: { $0.id == id }) else { throw .notFound }
        return playlist
    }

    /// A single playlist. It includes the first hundred tracks, whatever their total is.
    private func playlist(
        _ playlist: SavedPlaylist, _ visit: AppleMusicVisit, _ writer: AppleMusicLibraryWriter
    ) -> Answer {
        let path = "/v1/me/library/playlists/\(playlist.id)/tracks"
        let writeTracks = { (json: inout JSONWriter) in
            json.string("href", path)
            if playlist.items.count > 100 { json.string("next", path + "?offset=100") }
            json.array("data") { json in
                for item in playlist.items.prefix(100) { writer.writeItem(&json, item) }
            }
            json.object("meta") { $0.number("total", playlist.items.count) }
        }
        return Self.list { json in
            writer.writePlaylist(&json, playlist, tracks: visit.includes("tracks") ? writeTracks : nil)
        }
    }
}
