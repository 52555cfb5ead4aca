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
            .save([try context.trackReference], try body.editedSource())
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
            return .unsave([reference], try body.editedSource())
        }
    }

    @Sendable private func createPlaylist(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await begin(request, context) { try EditChange(creating: $0) }
    }

    @Sendable private func rename(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.libraryID(of: "playlist")
        return try await begin(request, context) { try EditChange(renaming: id, $0) }
    }

    @Sendable private func addTracks(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.libraryID(of: "playlist")
        return try await begin(request, context) { try EditChange(addingTo: id, $0) }
    }

    @Sendable private func removeEntries(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.libraryID(of: "playlist")
        return try await begin(request, context) { try EditChange(removingFrom: id, $0) }
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
