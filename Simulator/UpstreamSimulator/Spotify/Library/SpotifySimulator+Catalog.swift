extension SpotifySimulator {
    /// The answer of an endpoint about single objects of the catalog.
    func readCatalog(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        let catalog = recordings.catalog
        let writer = visit.writer(catalog)
        if !visit.id.isEmpty {
            guard Base62.isID(visit.id) else { throw .badRequest("Invalid base62 id") }
        }
        switch visit.shape {
        case "tracks/{id}":
            guard let entry = catalog.entry(ofSpotifyID: visit.id) else { throw .notFound }
            return Self.json { writer.writeTrack(&$0, entry) }
        case "artists/{id}":
            guard let artist = catalog.artist(ofSpotifyID: visit.id) else { throw .notFound }
            return Self.json { writer.writeArtist(&$0, artist) }
        case "artists/{id}/albums":
            guard let artist = catalog.artist(ofSpotifyID: visit.id) else { throw .notFound }
            return try releases(of: artist, visit, writer)
        case "albums/{id}":
            guard let release = catalog.release(ofSpotifyID: visit.id) else { throw .notFound }
            return Self.json { writer.writeAlbum(&$0, release, base: visit.base) }
        case "albums/{id}/tracks":
            guard let release = catalog.release(ofSpotifyID: visit.id) else { throw .notFound }
            let page = try SpotifyPage(visit.call.target, usual: 20, most: 50)
            return Self.json {
                writer.writeTracks(&$0, of: release, page, base: visit.url, query: visit.linkQuery)
            }
        case "tracks", "artists", "albums": return try several(visit, writer)
        default: throw .service
        }
    }

    /// An artist's releases group by group, not ordered by date. `appears_on` has the releases of others on which the
    /// artist is a guest.
    private func releases(
        of artist: Int, _ visit: SpotifyVisit, _ writer: SpotifyWriter
    ) throws(SpotifyRefusal) -> Answer {
        let isShort = visit.mode == .dev2026
        let page = try SpotifyPage(visit.call.target, usual: isShort ? 5 : 20, most: isShort ? 10 : 50)
        let known = ["album", "single", "compilation", "appears_on"]
        var groups = visit.call.target.list("include_groups")
        guard groups.allSatisfy({ known.contains($0) }) else { throw .badRequest("Invalid include_groups") }
        if groups.isEmpty { groups = known }
        let own = Edition.allCases.map { Release(artist: artist, edition: $0) }
        var found: [(release: Release, group: String)] = []
        for group in known where groups.contains(group) {
            let members =
                group == "appears_on"
                ? writer.catalog.guestReleases(ofArtist: artist)
                : own.filter { writer.albumType(of: $0) == group }
            found += members.map { (release: $0, group: group) }
        }
        return Self.json { json in
            page.write(&json, url: visit.url, query: visit.linkQuery, total: found.count) { json in
                for (release, group) in found.dropFirst(page.offset).prefix(page.limit) {
                    writer.writeSimplifiedAlbum(&json, release, group: group)
                }
            }
        }
    }

    /// The objects with the given ids in order, null for unknown ones. Development mode has no such endpoint.
    private func several(_ visit: SpotifyVisit, _ writer: SpotifyWriter) throws(SpotifyRefusal) -> Answer {
        let ids = visit.call.target.list("ids")
        let kind = visit.shape
        guard !ids.isEmpty, ids.count <= (kind == "albums" ? 20 : 50) else { throw .badRequest("Invalid ids") }
        guard ids.allSatisfy({ Base62.isID($0) }) else { throw .badRequest("Invalid base62 id") }
        let catalog = writer.catalog
        return Self.json { json in
            json.object { json in
                json.array(kind) { json in
                    for id in ids {
                        if kind == "tracks", let entry = catalog.entry(ofSpotifyID: id) {
                            writer.writeTrack(&json, entry)
                        } else if kind == "artists", let artist = catalog.artist(ofSpotifyID: id) {
                            writer.writeArtist(&json, artist)
                        } else if kind == "albums", let release = catalog.release(ofSpotifyID: id) {
                            writer.writeAlbum(&json, release, base: visit.base)
                        } else {
                            json.null()
                        }
                    }
                }
            }
        }
    }
}
