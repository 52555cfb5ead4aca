extension SpotifySimulator {
    /// The most URIs in a call.
    private static let mostItems = 100

    /// The body of a change of items. The method determines which members are used.
    private struct Body: Decodable {
        struct Item: Decodable {
            var uri: String
        }

        var uris: [String]?
        var position: Int?
        var items: [Item]?
        /// The member that older apps send instead of ``items``.
        var tracks: [Item]?
        var start: Int?
        var length: Int?
        var before: Int?
        var snapshot: String?

        enum CodingKeys: String, CodingKey {
            case uris, position, items, tracks
            case start = "range_start"
            case length = "range_length"
            case before = "insert_before"
            case snapshot = "snapshot_id"
        }
    }

    /// The answer to a change of items.
    private struct Snapshot: Encodable {
        var id: String

        enum CodingKeys: String, CodingKey {
            case id = "snapshot_id"
        }
    }

    /// `POST /me/playlists`. Without `public` the playlist is public.
    func createPlaylist(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        guard visit.call.method == .post else { throw .service }
        let asked = try visit.document(as: SpotifyPlaylistEdit.Details.self)
        guard let name = asked.name, !name.isEmpty else { throw .badRequest("Missing required field: name") }
        let isPublic = asked.public ?? true
        guard !isPublic || asked.collaborative != true else {
            throw .badRequest("Collaborative playlists can only be private")
        }
        try visit.require(isPublic ? "playlist-modify-public" : "playlist-modify-private")
        let library = libraries.edit(visit.person.id) { library in
            library.create(
                name: name, description: asked.description.map { SpotifyPlaylistEdit.escaped($0) }, isPublic: isPublic,
                isCollaborative: asked.collaborative == true)
            return library
        }
        let playlist = library.playlists[0]
        let document = visit.documents(library.catalog, titles: library.titles).playlist(
            playlist, snapshot: library.snapshot(of: playlist), showsItems: true, visit)
        return Answer(status: 201, document: document)
    }

    /// Changes a playlist's items and, with `PUT /playlists/{id}`, its details.
    func changePlaylist(_ visit: SpotifyVisit) throws(SpotifyRefusal) -> Answer {
        let (playlist, library) = try findPlaylist(visit.id, for: visit.person.id)
        let isDetails = visit.shape == "playlists/{id}"
        let isAllowed = isDetails ? playlist.owner == visit.person.id : isOwn(playlist, in: library, visit)
        guard isAllowed else { throw .forbidden }
        try visit.require(playlist.isPublic == true ? "playlist-modify-public" : "playlist-modify-private")
        var status = 200
        var snapshot: String?
        let edit: SpotifyPlaylistEdit
        if isDetails {
            guard visit.call.method == .put else { throw .service }
            let details = try visit.document(as: SpotifyPlaylistEdit.Details.self)
            guard details.collaborative != true || (details.public ?? playlist.isPublic) != true else {
                throw .badRequest("Collaborative playlists can only be private")
            }
            edit = .details(details)
        } else {
            let body = try visit.document(as: Body.self)
            snapshot = body.snapshot
            switch visit.call.method {
            case .post:
                edit = .add(try contents(uris(visit, body) ?? [], isEmptyAllowed: false), at: try position(visit, body))
                status = 201
            case .put: edit = try replacementOrMove(visit, body)
            case .delete:
                let items = body.items ?? body.tracks ?? []
                edit = .remove(try contents(items.map(\.uri), isEmptyAllowed: false))
            default: throw .service
            }
        }
        let result = libraries.edit(visit.person.id) { [edit, snapshot] library in
            library.apply(edit, toPlaylist: visit.id, at: snapshot)
        }
        let changed = try result.get()
        guard !isDetails else { return .empty200 }
        return Answer(status: status, document: Snapshot(id: changed))
    }

    /// The URIs; the query parameter takes precedence over the body.
    private func uris(_ visit: SpotifyVisit, _ body: Body) -> [String]? {
        visit.call.target["uris"] == nil ? body.uris : visit.call.target.list("uris")
    }

    private func position(_ visit: SpotifyVisit, _ body: Body) throws(SpotifyRefusal) -> Int? {
        guard let text = visit.call.target["position"] else { return body.position }
        guard let position = Int(text) else { throw .badRequest("Invalid position") }
        return position
    }

    /// `PUT` has two meanings: URIs replace all items, numbers move some.
    private func replacementOrMove(
        _ visit: SpotifyVisit, _ body: Body
    ) throws(SpotifyRefusal) -> SpotifyPlaylistEdit {
        if let uris = uris(visit, body) { return .replace(try contents(uris, isEmptyAllowed: true)) }
        guard let start = body.start, let before = body.before else {
            throw .badRequest("Missing required field: uris, or range_start and insert_before")
        }
        return .reorder(start: start, length: body.length ?? 1, before: before)
    }

    /// The items that URIs name. Files on a person's computer cannot be added.
    private func contents(_ uris: [String], isEmptyAllowed: Bool) throws(SpotifyRefusal) -> [SavedPlaylist.Content] {
        guard isEmptyAllowed || !uris.isEmpty else { throw .badRequest("Missing required field: uris") }
        guard uris.count <= Self.mostItems else {
            throw .badRequest("You can add a maximum of \(Self.mostItems) tracks per request.")
        }
        let catalog = recordings.catalog
        var contents: [SavedPlaylist.Content] = []
        for text in uris {
            let uri = SpotifyURI(text)
            if let uri, uri.kind == .track {
                guard let entry = catalog.entry(ofSpotifyID: uri.id) else { throw .unknownID }
                contents.append(.track(entry))
            } else if let uri, uri.kind == .episode {
                guard let number = catalog.number(ofSpotifyID: uri.id, .episode) else { throw .unknownID }
                contents.append(.episode(Int(number)))
            } else {
                throw .badRequest("Invalid track uri: \(text)")
            }
        }
        return contents
    }
}

extension PersonalLibrary {
    /// Makes a playlist, the first of the list.
    fileprivate mutating func create(name: String, description: String?, isPublic: Bool, isCollaborative: Bool) {
        let id = newPlaylistID()
        let playlist = SavedPlaylist(
            id: id, name: name, description: description, owner: person, isPublic: isPublic,
            isCollaborative: isCollaborative, picture: .empty, items: [], changedAt: tick())
        playlists.insert(playlist, at: 0)
    }

    /// Changes a playlist.
    ///
    /// - Parameter snapshot: the state that the caller saw. Any state that the playlist ever had is valid; the change
    ///   is made to the current one.
    /// - Returns: the snapshot id of the new state.
    fileprivate mutating func apply(
        _ edit: SpotifyPlaylistEdit, toPlaylist id: String, at snapshot: String?
    ) -> Result<String, SpotifyRefusal> {
        guard let index = playlists.firstIndex(where: { $0.id == id }) else { return .failure(.notFound) }
        var playlist = playlists[index]
        if let snapshot {
            let isKnown = (1...playlist.revision).contains { revision in
                var former = playlist
                former.revision = revision
                return self.snapshot(of: former) == snapshot
            }
            guard isKnown else { return .failure(.badRequest("Invalid snapshot_id")) }
        }
        let now = tick()
        do {
            try edit.apply(to: &playlist, addedAt: now)
        } catch {
            return .failure(error)
        }
        playlist.revision += 1
        playlist.changedAt = now
        playlists[index] = playlist
        return .success(self.snapshot(of: playlist))
    }
}
