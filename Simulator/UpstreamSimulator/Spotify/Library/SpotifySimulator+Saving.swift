extension SpotifySimulator {
    /// The most URIs in a call.
    private static let mostSaved = 40

    /// `PUT` and `DELETE /me/library`, and `GET /me/library/contains`. The URIs must be in the query; a body is
    /// ignored.
    func savedItems(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        let texts = visit.call.target.list("uris")
        guard !texts.isEmpty else { throw .badRequest("Missing required field: uris") }
        guard texts.count <= Self.mostSaved else { throw .badRequest("Too many uris requested") }
        let uris = texts.compactMap { SpotifyURI($0) }
        guard uris.count == texts.count else { throw .badRequest("Invalid uri") }
        switch (visit.call.method, visit.shape) {
        case (.get, "me/library/contains"):
            for uri in uris { try visit.require(uri.kind.readScope) }
            let library = libraries.library(of: visit.person.id)
            return Answer(document: uris.map { library.hasSaved($0) })
        case (.put, "me/library"):
            for uri in uris { try visit.require(uri.kind.modifyScope) }
            var followed: [SavedPlaylist] = []
            for uri in uris where uri.kind == .playlist {
                followed.append(try findPlaylist(uri.id, for: visit.person.id).playlist)
            }
            let areKnown = libraries.edit(visit.person.id) { [followed] in $0.save(uris, playlists: followed) }
            guard areKnown else { throw .unknownID }
        case (.delete, "me/library"):
            for uri in uris { try visit.require(uri.kind.modifyScope) }
            libraries.edit(visit.person.id) { $0.unsave(uris) }
        default: throw .service
        }
        return .empty200
    }
}

extension Answer {
    /// Success without a document.
    static let empty200 = Answer(status: 200, contentType: "", body: "")
}

extension PersonalLibrary {
    fileprivate func hasSaved(_ uri: SpotifyURI) -> Bool {
        switch uri.kind {
        case .track:
            let entry = catalog.entry(ofSpotifyID: uri.id)
            return saved.contains { $0.isReadable && $0.entry == entry }
        case .album:
            let release = catalog.release(ofSpotifyID: uri.id)
            return albums.contains { $0.release == release }
        case .playlist: return playlists.contains { $0.id == uri.id }
        default: return followed.contains(uri.text)
        }
    }

    /// Saves all, the last one on top. What is already saved stays where it is.
    ///
    /// - Parameter playlists: the playlists among them, as their owners have them.
    /// - Returns: `false` if the catalog lacks one of them; then nothing has changed.
    fileprivate mutating func save(_ uris: [SpotifyURI], playlists new: [SavedPlaylist]) -> Bool {
        var next = self
        for uri in uris where !next.hasSaved(uri) {
            switch uri.kind {
            case .track:
                guard let entry = catalog.entry(ofSpotifyID: uri.id) else { return false }
                let moment = next.tick()
                next.place(SavedTrack(entry: entry, addedAt: moment))
            case .album:
                guard let release = catalog.release(ofSpotifyID: uri.id) else { return false }
                let moment = next.tick()
                next.albums.insert(SavedAlbum(release: release, addedAt: moment), at: 0)
            case .playlist: next.playlists.insert(contentsOf: new.filter { $0.id == uri.id }.prefix(1), at: 0)
            default: next.followed.insert(uri.text)
            }
        }
        self = next
        return true
    }

    /// Removes all that are saved. A person's own playlist then also disappears for others.
    fileprivate mutating func unsave(_ uris: [SpotifyURI]) {
        for uri in uris where hasSaved(uri) {
            switch uri.kind {
            case .track:
                let entry = catalog.entry(ofSpotifyID: uri.id)
                removed += saved.filter { $0.isReadable && $0.entry == entry }
                saved.removeAll { $0.isReadable && $0.entry == entry }
            case .album:
                let release = catalog.release(ofSpotifyID: uri.id)
                albums.removeAll { $0.release == release }
            case .playlist: playlists.removeAll { $0.id == uri.id }
            default: followed.remove(uri.text)
            }
        }
    }
}
