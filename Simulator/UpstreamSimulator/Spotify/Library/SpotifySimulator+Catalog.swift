extension SpotifySimulator {
    /// The answer of an endpoint about single objects of the catalog.
    func readCatalog(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        let catalog = recordings.catalog
        let documents = visit.documents(catalog)
        if !visit.id.isEmpty {
            guard Base62.isID(visit.id) else { throw .badRequest("Invalid base62 id") }
        }
        switch visit.shape {
        case "tracks/{id}":
            guard let entry = catalog.entry(ofSpotifyID: visit.id) else { throw .notFound }
            return Answer(document: documents.track(entry))
        case "artists/{id}":
            guard let artist = catalog.artist(ofSpotifyID: visit.id) else { throw .notFound }
            return Answer(document: documents.artist(artist))
        case "artists/{id}/albums":
            guard let artist = catalog.artist(ofSpotifyID: visit.id) else { throw .notFound }
            return try releases(of: artist, visit, documents)
        case "albums/{id}":
            if let album = newAlbum(visit.id, catalog) {
                return Answer(document: documents.album(album, base: visit.base))
            }
            guard let release = catalog.release(ofSpotifyID: visit.id) else { throw .notFound }
            return Answer(document: documents.album(release, base: visit.base))
        case "albums/{id}/tracks":
            let page = try SpotifyPage(visit.call.target, usual: 20, most: 50)
            if let album = newAlbum(visit.id, catalog) {
                return Answer(document: documents.tracks(of: album, page, url: visit.url, query: visit.linkQuery))
            }
            guard let release = catalog.release(ofSpotifyID: visit.id) else { throw .notFound }
            return Answer(document: documents.tracks(of: release, page, url: visit.url, query: visit.linkQuery))
        case "tracks", "artists", "albums": return try several(visit, documents)
        default: throw .service
        }
    }

    /// An artist's releases group by group, not ordered by date. `appears_on` has the releases of others on which the
    /// artist is a guest.
    private func releases(
        of artist: Int, _ visit: SpotifyVisit, _ documents: SpotifyDocuments
    ) throws(SpotifyRefusal) -> Answer {
        let isShort = visit.mode == .dev2026
        let page = try SpotifyPage(visit.call.target, usual: isShort ? 5 : 20, most: isShort ? 10 : 50)
        let known = ["album", "single", "compilation", "appears_on"]
        var groups = visit.call.target.list("include_groups")
        guard groups.allSatisfy({ known.contains($0) }) else { throw .badRequest("Invalid include_groups") }
        if groups.isEmpty { groups = known }
        let own = Edition.allCases.map { Release(artist: artist, edition: $0) }
        let new = recordings.albums.listed(by: .spotify, artist: artist)
        typealias Album = SpotifyObject<SpotifyAlbumDocument>
        var found: [() -> Album] = []
        for group in known where groups.contains(group) {
            let members =
                group == "appears_on"
                ? documents.catalog.guestReleases(ofArtist: artist)
                : own.filter { documents.albumType(of: $0) == group }
            found += members.map { release in { documents.simplifiedAlbum(release, group: group) } }
            found += new.filter { $0.albumType == group }
                .map { album in { documents.simplifiedAlbum(album, group: group) } }
        }
        let albums = page.part(of: found).map { $0() }
        return Answer(
            document: page.document(albums, total: found.count, url: visit.url, query: visit.linkQuery))
    }

    /// The album that came out on command, and has the id.
    private func newAlbum(_ id: String, _ catalog: RecordingCatalog) -> NewAlbum? {
        recordings.albums.listed(by: .spotify) { catalog.spotifyID(of: $0) == id }
    }

    /// The objects with the given ids in order, null for unknown ones. Development mode has no such endpoint.
    private func several(_ visit: SpotifyVisit, _ documents: SpotifyDocuments) throws(SpotifyRefusal) -> Answer {
        let ids = visit.call.target.list("ids")
        let kind = visit.shape
        guard !ids.isEmpty, ids.count <= (kind == "albums" ? 20 : 50) else { throw .badRequest("Invalid ids") }
        guard ids.allSatisfy({ Base62.isID($0) }) else { throw .badRequest("Invalid base62 id") }
        let catalog = documents.catalog
        func answer<Object: Encodable>(_ object: (_ id: String) -> Object?) -> Answer {
            Answer(document: NamedMembers(members: [(name: kind, value: ids.map(object))]))
        }
        return switch kind {
        case "tracks": answer { catalog.entry(ofSpotifyID: $0).map { documents.track($0) } }
        case "artists": answer { catalog.artist(ofSpotifyID: $0).map { documents.artist($0) } }
        default:
            answer { id in
                newAlbum(id, catalog).map { documents.album($0, base: visit.base) }
                    ?? catalog.release(ofSpotifyID: id).map { documents.album($0, base: visit.base) }
            }
        }
    }
}
