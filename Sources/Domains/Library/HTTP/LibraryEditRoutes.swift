import Gateway
import Hummingbird
import Library
import LibraryEdits
import Model
import Storage

/// `/v1/library`: changes that people make at their services (docs/library-edits.md).
struct LibraryEditRoutes {
    let service: LibraryEditService
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.put("library/tracks/:id/saved", use: save)
        group.delete("library/tracks/:id/saved", use: unsave)
        group.post("library/playlists", use: createPlaylist)
        group.patch("library/playlists/:id", use: rename)
        group.post("library/playlists/:id/tracks", use: addTracks)
        group.delete("library/playlists/:id/tracks", use: removeEntries)
        group.get("library/edits", use: edits)
        group.get("library/edits/:id", use: edit)
        group.post("library/edits/:id/answer", use: answer)
        group.post("library/edits/:id/missing", use: resolveMissing)
    }

    // MARK: Changes

    @Sendable private func save(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await begin(request, context) { body in
            .save([try context.trackReference], try Self.source(in: body))
        }
    }

    @Sendable private func unsave(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await begin(request, context) { body in
            let reference = try context.trackReference
            if let text = request.parameter("source") {
                guard let source = MusicSource(service: text) else {
                    throw Problem.invalidRequest(
                        code: .invalidParameter,
                        "source: \(MusicSource.expectation), found '\(text.prefix(40))'.", field: "source")
                }
                _ = try body.object(["source"])
                return .unsave([reference], source)
            }
            return .unsave([reference], try Self.source(in: body))
        }
    }

    @Sendable private func createPlaylist(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await begin(request, context) { body in
            let fields = try body.object(["name", "source", "trackIds", "description", "public"])
            guard let name = fields["name"] else { throw body.refuse("the field name is missing.") }
            guard let source = fields["source"] else { throw body.refuse("the field source is missing.") }
            return .createPlaylist(
                name: try name.playlistName(), description: try fields["description"]?.playlistDescription(),
                isPublic: try fields["public"]?.bool() ?? false,
                tracks: try fields["trackIds"]?.trackReferences() ?? [], try source.musicSource())
        }
    }

    @Sendable private func rename(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.libraryID(of: "playlist")
        return try await begin(request, context) { body in
            let fields = try body.object(["name", "description"])
            let name = try fields["name"]?.playlistName()
            let description = try fields["description"]?.playlistDescription()
            guard name != nil || description != nil else {
                throw body.refuse("send what is to change: name, description, or both.")
            }
            return .rename(name: name, description: description, playlist: id)
        }
    }

    @Sendable private func addTracks(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.libraryID(of: "playlist")
        return try await begin(request, context) { body in
            guard let field = try body.object(["trackIds"])["trackIds"] else {
                throw body.refuse("the field trackIds is missing: the songs to add, as an array.")
            }
            let references = try field.trackReferences()
            guard !references.isEmpty else { throw field.refuse("name at least one song.") }
            return .addTracks(references, playlist: id)
        }
    }

    @Sendable private func removeEntries(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.libraryID(of: "playlist")
        return try await begin(request, context) { body in
            let fields = try body.object(["version", "positions"])
            guard let version = fields["version"] else {
                throw body.refuse("the field version is missing: the playlist's version that the positions refer to.")
            }
            guard let field = fields["positions"] else {
                throw body.refuse("the field positions is missing: the entries to remove, as an array.")
            }
            let positions = try field.array(limit: Self.mostTracks, of: "positions").map {
                try $0.integer(in: 0...1_000_000)
            }
            guard !positions.isEmpty else { throw field.refuse("name at least one position.") }
            return .removeEntries(positions: positions, version: try version.string(limit: 100), playlist: id)
        }
    }

    fileprivate static let mostTracks = 1_000

    private static func source(in body: RequestField) throws -> MusicSource {
        guard let field = try body.object(["source"])["source"] else {
            throw body.refuse("the field source is missing: the service to change, such as spotify.")
        }
        return try field.musicSource()
    }

    private func begin(
        _ request: Request, _ context: GatewayContext, _ change: (RequestField) throws -> EditChange
    ) async throws -> Response {
        let userID = try context.userID
        let bytes = try await request.bodyBytes(limit: maximumBodyBytes)
        let body = try RequestField.body(bytes.isEmpty ? Array("{}".utf8) : bytes)
        let edit = try await service.begin(
            try change(body), userID: userID, idempotencyKey: try request.idempotencyKey(body: bytes))
        return Self.accepted(edit)
    }

    private static func accepted(_ edit: LibraryEdit) -> Response {
        .json(.accepted, edit.json, headers: [.location: edit.path])
    }

    // MARK: Edits

    @Sendable private func edits(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let states = try request.editStates()
        let hasMissing = try request.flag("missing")
        let cursor = try request.cursor(of: LibraryLists.edits)
        let limit = try request.pageLimit(standard: 50, maximum: 200)
        let (page, seq) = try await service.queue.database.read { reader in
            let page = try reader.edits.edits(
                userID: userID, states: states, hasMissing: hasMissing, cursor: cursor, limit: limit)
            return (page, try reader.lastChange())
        }
        let body = JSONWriter.object { json in
            json.member("items") { json in
                json.array(page.items) { json, edit in json.object { edit.writeMembers(to: &$0) } }
            }
            json.member("nextCursor", page.nextCursor)
        }
        return .cacheable(body, seq: seq, for: request)
    }

    @Sendable private func edit(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "edit")
        guard let edit = try await service.queue.database.read({ try $0.edits.edit(id, userID: userID) }) else {
            throw Problem.notFound("edit")
        }
        return .cacheable(edit.json, for: request)
    }

    @Sendable private func answer(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "edit")
        let body = try await request.json(limit: maximumBodyBytes)
        guard let field = try body.object(["done"])["done"] else { throw body.refuse("the field done is missing.") }
        return Self.accepted(try await service.answer(id, isDone: try field.bool(), userID: userID))
    }

    /// Puts back the songs that an edit failed to put back, or leaves them out.
    @Sendable private func resolveMissing(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "edit")
        let bytes = try await request.bodyBytes(limit: maximumBodyBytes)
        let body = try RequestField.body(bytes)
        guard let field = try body.object(["putBack"])["putBack"] else {
            throw body.refuse("the field putBack is missing: true puts the songs back, false leaves them out.")
        }
        guard try field.bool() else {
            return .json(.ok, try await service.abandon(missingOf: id, userID: userID).json)
        }
        return Self.accepted(
            try await service.begin(
                .putBackMissing(edit: id), userID: userID, idempotencyKey: try request.idempotencyKey(body: bytes)))
    }

    /// Edits in the event stream.
    static let eventSource = EventSource(.libraryEdit, topics: [.library]) { reader, userID, after, limit in
        try reader.edits.changed(userID: userID, after: after, limit: limit).map {
            EventSource.Change(number: $0.change, id: $0.id.text, data: $0.json)
        }
    }
}

extension GatewayContext {
    /// The song of the path's parameter `id`.
    fileprivate var trackReference: SongReference {
        get throws {
            guard let reference = SongReference(try parameters.require("id")) else {
                throw Problem.notFound("track")
            }
            return reference
        }
    }
}

extension Request {
    /// `?state=`: states separated by commas; all without it.
    fileprivate func editStates() throws -> [LibraryEdit.State] {
        guard let text = parameter("state") else { return LibraryEdit.State.allCases }
        return try text.split(separator: ",").map { word in
            guard let state = LibraryEdit.State(rawValue: String(word)) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter,
                    "state: expected some of \(LibraryEdit.State.allCases.map(\.rawValue).joined(separator: ",")), "
                        + "found '\(word.prefix(40))'.", field: "state")
            }
            return state
        }
    }
}

extension RequestField {
    /// The description of a playlist. Spotify does not accept line breaks.
    fileprivate func playlistDescription() throws -> String {
        let text = try string(limit: 300)
        guard !text.contains(where: \.isNewline) else { throw refuse("a description must be a single line.") }
        return text
    }

    fileprivate func trackReferences() throws -> [SongReference] {
        try array(limit: LibraryEditRoutes.mostTracks, of: "songs").map {
            try $0.value(SongReference.expectation, SongReference.init)
        }
    }
}

extension LibraryEdit {
    /// The path at which the API shows it.
    package var path: String { "/v1/library/edits/\(id.text)" }

    /// An edit in the API.
    var json: [UInt8] { JSONWriter.object { writeMembers(to: &$0) } }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", id.text)
        json.member("kind", kind.rawValue)
        json.member("source", source.rawValue)
        json.member("state", state.rawValue)
        json.member("title", title)
        json.member("playlistId", playlistID?.text)
        json.member("done", done)
        json.member("total", total)
        json.member("question", question)
        json.member("error") { json in
            guard let error else { return json.raw("null") }
            json.object {
                $0.member("code", error.code)
                $0.member("message", error.message)
            }
        }
        json.member("missing") { json in
            json.array(missing) { json, song in
                json.object {
                    $0.member("title", song.title)
                    $0.member("artist", song.artist)
                    $0.member("uri", song.reference(at: source))
                    $0.member("position", song.position)
                }
            }
        }
        json.member("createdAt", createdAt)
        json.member("finishedAt", finishedAt)
    }
}
