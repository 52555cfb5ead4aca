extension SpotifySimulator {
    /// The answer of an endpoint below `/spotify/v1` other than `/me`.
    func browse(_ visit: SpotifyVisit) -> Answer {
        do {
            return try read(visit)
        } catch {
            return error.answer
        }
    }

    private func read(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        guard !visit.isRemoved else { throw .forbidden }
        if visit.shape.hasPrefix("me/player") { return try player(visit) }
        guard visit.call.method == .get else { return try write(visit) }
        switch visit.shape {
        case "me/library/contains": return try savedItems(visit)
        case "me/tracks": return try savedTracks(visit)
        case "me/albums": return try savedAlbums(visit)
        case "me/playlists": return try playlists(visit)
        case "me/top/artists", "me/top/tracks": return try top(visit)
        case "playlists/{id}": return try playlist(visit)
        case "playlists/{id}/items": return try items(visit, most: 50)
        case "playlists/{id}/tracks": return try items(visit, most: 100)
        case "search": return try search(visit)
        default: return try readCatalog(visit)
        }
    }

    private func write(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        switch visit.shape {
        case "me/library": return try savedItems(visit)
        case "me/playlists": return try createPlaylist(visit)
        case "playlists/{id}", "playlists/{id}/items", "playlists/{id}/tracks": return try changePlaylist(visit)
        default: throw .service
        }
    }

    /// - Parameter fields: the members that the caller wants.
    private static func answer(_ document: some Encodable, keeping fields: SpotifyFields) -> Answer {
        var answer = Answer(document: document)
        if !fields.isEverything { answer.body = JSONSelection.text(of: answer.body, keeping: fields) }
        return answer
    }

    // MARK: What a person has saved

    private func savedTracks(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        try visit.require("user-library-read")
        let page = try SpotifyPage(visit.call.target, usual: 20, most: 50)
        let library = libraries.library(of: visit.person.id)
        let documents = visit.documents(library.catalog, titles: library.titles)
        let tracks = page.part(of: library.saved).filter { $0.kind != .hidden }.map { track in
            track.kind == .null
                ? nil
                : SpotifySavedTrackDocument(
                    addedAt: CalendarText.moment(track.addedAt), track: documents.track(track.entry))
        }
        let answer = Answer(
            document: page.document(tracks, total: library.saved.count, url: visit.url, query: visit.linkQuery))
        libraries.served(.tracks, of: visit.person.id)
        return answer
    }

    private func savedAlbums(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        try visit.require("user-library-read")
        let page = try SpotifyPage(visit.call.target, usual: 20, most: 50)
        let library = libraries.library(of: visit.person.id)
        let documents = visit.documents(library.catalog)
        let albums = page.part(of: library.albums).map { album in
            SpotifySavedAlbumDocument(
                addedAt: CalendarText.moment(album.addedAt), album: documents.album(album.release, base: visit.base))
        }
        let answer = Answer(
            document: page.document(albums, total: library.albums.count, url: visit.url, query: visit.linkQuery))
        libraries.served(.albums, of: visit.person.id)
        return answer
    }

    // MARK: Playlists

    private func playlists(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        try visit.require("playlist-read-private")
        let page = try SpotifyPage(visit.call.target, usual: 20, most: 50, largestOffset: 100_000)
        let library = libraries.library(of: visit.person.id)
        let documents = visit.documents(library.catalog)
        let seesCollaborative = visit.scopes.contains("playlist-read-collaborative")
        let listed = library.playlists.filter { seesCollaborative || !$0.isCollaborative }
        let playlists = page.part(of: listed).map { followed in
            let isOwn = followed.owner == visit.person.id
            let playlist = isOwn ? followed : libraries.original(of: followed)?.playlist ?? followed
            return documents.simplifiedPlaylist(playlist, snapshot: library.snapshot(of: playlist))
        }
        let answer = Answer(
            document: page.document(playlists, total: listed.count, url: visit.url, query: visit.linkQuery))
        libraries.served(.playlists, of: visit.person.id)
        return answer
    }

    /// A playlist from a person's list, or a public one, with the library that contains it. A playlist of somebody else
    /// is returned as its owner has it now.
    func findPlaylist(
        _ id: String, for person: String
    ) throws(SpotifyRefusal) -> (playlist: SavedPlaylist, library: PersonalLibrary) {
        guard Base62.isID(id) else { throw .badRequest("Invalid base62 id") }
        let own = libraries.library(of: person)
        if let playlist = own.playlists.first(where: { $0.id == id }) {
            guard playlist.owner != person, let original = libraries.original(of: playlist) else {
                return (playlist, own)
            }
            return original
        }
        for library in libraries.others(than: person) {
            let found = library.playlists.first { $0.id == id && $0.isPublic == true }
            if let found { return (found, library) }
        }
        throw .notFound
    }

    /// Whether the person may read and change its items.
    func isOwn(_ playlist: SavedPlaylist, in library: PersonalLibrary, _ visit: SpotifyVisit) -> Bool {
        library.person == visit.person.id && library.owns(playlist)
    }

    /// Spotify's own playlists are in the lists of those who follow them, but apps in development mode cannot read
    /// them.
    private func readablePlaylist(
        _ visit: SpotifyVisit
    ) throws(SpotifyRefusal) -> (playlist: SavedPlaylist, library: PersonalLibrary) {
        let found = try findPlaylist(visit.id, for: visit.person.id)
        guard visit.mode == .legacy || found.playlist.owner != PersonalLibrary.editors else { throw .notFound }
        return found
    }

    private func playlist(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        let (playlist, library) = try readablePlaylist(visit)
        if playlist.isPublic != true { try visit.require("playlist-read-private") }
        let fields = try visit.fields()
        let document = visit.documents(library.catalog, titles: library.titles).playlist(
            playlist, snapshot: library.snapshot(of: playlist),
            showsItems: visit.mode == .legacy || isOwn(playlist, in: library, visit), visit)
        return Self.answer(document, keeping: fields)
    }

    private func items(_ visit: SpotifyVisit, most: Int) throws(SpotifyRefusal) -> Answer {
        let (playlist, library) = try readablePlaylist(visit)
        try visit.require("playlist-read-private")
        guard visit.mode == .legacy || isOwn(playlist, in: library, visit) else { throw .forbidden }
        let page = try SpotifyPage(visit.call.target, usual: most == 100 ? 100 : 20, most: most)
        let fields = try visit.fields()
        let document = visit.documents(library.catalog, titles: library.titles).items(
            of: playlist, page, episodes: visit.takesEpisodes, url: visit.url, query: visit.linkQuery)
        let answer = Self.answer(document, keeping: fields)
        libraries.served(.items, of: visit.person.id)
        return answer
    }
}
