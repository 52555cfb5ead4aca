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
            return Answer(contentType: Self.json, document: Storefront(visit.storefront).document)
        case "library" where visit.parts.count == 2: return try readList(visit)
        case "library" where visit.parts.count > 2:
            return try readOne(visit, kind: visit.parts[1], id: visit.parts[2], rest: Array(visit.parts[3...]))
        case "recent", "history": return try history(visit)
        default: throw .notFound
        }
    }

    private func documents(_ visit: AppleMusicVisit, _ library: PersonalLibrary) -> AppleMusicLibraryDocuments {
        AppleMusicLibraryDocuments(
            library: library, storefront: visit.storefront, includesCatalog: visit.includes("catalog"))
    }

    /// The part of a list that a call requests.
    ///
    /// - Parameter resource: `nil` for an item that the service counts but does not show.
    func page<Item>(
        _ items: [Item], of visit: AppleMusicVisit, usual: Int = 25, most: Int = 100,
        _ resource: (Item) -> AppleMusicResource?
    ) throws(AppleMusicRefusal) -> Answer {
        let page = try AppleMusicPage(visit.call.target, usual: usual, most: most)
        let data = page.part(of: items).compactMap(resource)
        let hasTotal = visit.hasTotals && visit.parts.first == "library"
        return Answer(
            contentType: Self.json,
            document: page.document(data, nextPath: visit.nextPath, total: items.count, hasTotal: hasTotal))
    }

    // MARK: Lists

    private func readList(_ visit: AppleMusicVisit) throws(AppleMusicRefusal) -> Answer {
        let library = libraries.library(of: visit.account)
        let documents = self.documents(visit, library)
        let answer: Answer
        let list: LibraryList?
        switch visit.parts[1] {
        case "songs" where visit.call.target["ids"] != nil: return try songs(visit, documents)
        case "songs":
            answer = try page(library.saved, of: visit) { $0.isReadable ? documents.song($0) : nil }
            list = .tracks
        case "albums":
            answer = try page(library.albums, of: visit) { documents.album($0) }
            list = .albums
        case "artists":
            answer = try page(library.artists, of: visit) { documents.artist($0) }
            list = nil
        case "playlists":
            answer = try page(library.playlists, of: visit) { documents.playlist($0) }
            list = .playlists
        default: throw .notFound
        }
        if let list { libraries.served(list, of: visit.account) }
        return answer
    }

    /// The songs with the given ids, in the order of the library. Unknown ones are left out.
    private func songs(
        _ visit: AppleMusicVisit, _ documents: AppleMusicLibraryDocuments
    ) throws(AppleMusicRefusal) -> Answer {
        let ids = Set(visit.call.target.list("ids"))
        guard (1...300).contains(ids.count) else { throw .parameter("ids", "Value must have 1 to 300 ids") }
        let library = documents.library
        let found = library.saved.filter { $0.isReadable && ids.contains(library.id(of: $0)) }
        return Self.list(found.map { documents.song($0) })
    }

    // MARK: Single items

    /// - Parameter rest: what follows the id in the path, such as `catalog`.
    private func readOne(
        _ visit: AppleMusicVisit, kind: String, id: String, rest: [String]
    ) throws(AppleMusicRefusal) -> Answer {
        let library = libraries.library(of: visit.account)
        let documents = self.documents(visit, library)
        switch ([kind] + rest).joined(separator: "/") {
        case "songs", "songs/catalog":
            guard let track = library.song(ofID: id) else { throw .notFound }
            guard !rest.isEmpty else { return Self.list([documents.song(track)]) }
            guard let song = documents.catalogSong(of: track) else { throw .noRelated("catalog") }
            return Self.list([documents.catalogDocuments.song(song)])
        case "albums", "albums/catalog":
            guard let album = library.album(ofID: id) else { throw .notFound }
            guard !rest.isEmpty else { return Self.list([documents.album(album)]) }
            guard documents.isRelated(Int(album.release.number)) else { throw .noRelated("catalog") }
            return Self.list([documents.catalogDocuments.album(album.release, hasRelations: false)])
        case "artists", "artists/catalog":
            guard let artist = library.artist(ofID: id) else { throw .notFound }
            guard !rest.isEmpty else { return Self.list([documents.artist(artist)]) }
            guard documents.isRelated(artist) else { throw .noRelated("catalog") }
            return Self.list([documents.catalogDocuments.artist(artist, hasRelations: false)])
        case "music-videos":
            guard let number = library.video(ofID: id) else { throw .notFound }
            return Self.list([documents.video(number)])
        case "playlists": return playlist(try find(id, in: library), visit, documents)
        case "playlists/tracks":
            let playlist = try find(id, in: library)
            guard !playlist.items.isEmpty else { throw .noRelated("tracks") }
            let answer = try page(playlist.items, of: visit) { documents.item($0) }
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
        _ playlist: SavedPlaylist, _ visit: AppleMusicVisit, _ documents: AppleMusicLibraryDocuments
    ) -> Answer {
        guard visit.includes("tracks") else { return Self.list([documents.playlist(playlist)]) }
        let path = "/v1/me/library/playlists/\(playlist.id)/tracks"
        let tracks = AppleMusicListDocument(
            href: path, next: playlist.items.count > 100 ? path + "?offset=100" : nil,
            data: playlist.items.prefix(100).compactMap { documents.item($0) },
            meta: .init(total: playlist.items.count))
        return Self.list([documents.playlist(playlist, tracks: tracks)])
    }
}
