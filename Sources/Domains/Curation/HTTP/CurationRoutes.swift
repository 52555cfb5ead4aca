import Curation
import Gateway
import HTTPTypes
import Hummingbird
import Jobs
import Library
import Model
import Storage

/// `/v1/ai`: lists of songs that are made for people (docs/curation.md).
struct CurationRoutes {
    let service: CurationService
    let beginEdit: BeginEdit
    let pictures: PicturePaths
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.post("ai/playlists", use: beginPlaylist)
        group.get("ai/playlists", use: playlists)
        group.post("ai/playlists/:id/refinements", use: refine)
        group.delete("ai/playlists/:id/tracks/:trackId", use: removeTrack)
        group.post("ai/recommendations", use: beginRecommendations)
        group.get("ai/recommendations", use: latestRecommendations)
        group.post("ai/growth", use: beginPlaylistSuggestions)
        group.get("ai/estimate", use: estimate)
        group.put("ai/model", use: chooseModel)
        group.post("ai/blends", use: beginBlend)
        group.get("ai/blends", use: blends)
        for kind in CurationRequest.Kind.allCases {
            let path = "ai/\(kind.path)/:id"
            group.get(RouterPath(path)) { try await show(kind, $0, $1) }
            group.delete(RouterPath(path)) { try await delete(kind, $0, $1) }
            group.get(RouterPath(path + "/sent")) { try await sent(kind, $0, $1) }
            // Suggestions are added to their playlist.
            if kind != .playlistSuggestions { group.post(RouterPath(path + "/save")) { try await save(kind, $0, $1) } }
        }
    }

    // MARK: Asking

    @Sendable private func beginPlaylist(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await begin(request, context) { try CurationRequest(playlist: $0) }
    }

    @Sendable private func beginRecommendations(
        _ request: Request, _ context: GatewayContext
    ) async throws -> Response {
        try await begin(request, context) { try CurationRequest(recommendations: $0) }
    }

    @Sendable private func beginPlaylistSuggestions(
        _ request: Request, _ context: GatewayContext
    ) async throws -> Response {
        try await begin(request, context) { try CurationRequest(playlistSuggestions: $0) }
    }

    @Sendable private func beginBlend(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await begin(request, context) { try CurationRequest(blend: $0) }
    }

    @Sendable private func refine(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let known = try await list(.playlist, context)
        return try await begin(request, context) { try CurationRequest(refinement: $0, of: known) }
    }

    private func begin(
        _ request: Request, _ context: GatewayContext, _ read: (RequestField) throws -> CurationRequest
    ) async throws -> Response {
        let userID = try context.userID
        let bytes = try await request.bodyBytes(limit: maximumBodyBytes)
        let wanted = try read(try RequestField.body(bytes.isEmpty ? Array("{}".utf8) : bytes))
        let begun = try await service.begin(
            wanted, userID: userID, idempotencyKey: try request.idempotencyKey(body: bytes))
        return .json(
            .accepted, begun.json(pictures),
            headers: [.location: "/v1/ai/\(begun.list.request.kind.path)/\(begun.list.id)"])
    }

    // MARK: Reading

    @Sendable private func playlists(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await lists(.playlist, request, context)
    }

    @Sendable private func blends(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await lists(.blend, request, context)
    }

    private func lists(
        _ kind: CurationRequest.Kind, _ request: Request, _ context: GatewayContext
    ) async throws -> Response {
        let userID = try context.userID
        let cursor = try request.cursor(of: curatedListPages)
        let limit = try request.pageLimit(standard: 20, maximum: 100)
        let (page, names, seq) = try await service.queue.database.read { reader in
            let page = try reader.curation.lists(of: kind, userID: userID, cursor: cursor, limit: limit)
            return (page, try PartnerNames(of: page.items, userID: userID, in: reader), try reader.lastChange())
        }
        let body = JSONWriter.object { json in
            json.member("items") { json in
                json.array(page.items) { json, list in
                    json.object { CuratedListResource(list, names: names).writeMembers(to: &$0, pictures) }
                }
            }
            json.member("nextCursor", page.nextCursor)
        }
        return .cacheable(body, seq: seq, for: request)
    }

    private func show(
        _ kind: CurationRequest.Kind, _ request: Request, _ context: GatewayContext
    ) async throws -> Response {
        .cacheable(try await list(kind, context).json(pictures), for: request)
    }

    /// The list that the request's path names.
    private func list(_ kind: CurationRequest.Kind, _ context: GatewayContext) async throws -> CuratedListResource {
        let id = try context.parameters.require("id")
        guard let list = try await service.list(id, kind, userID: try context.userID) else {
            throw Problem(CurationRefusal.noList)
        }
        return list
    }

    @Sendable private func latestRecommendations(
        _ request: Request, _ context: GatewayContext
    ) async throws -> Response {
        let userID = try context.userID
        let list = try await service.queue.database.read { reader in
            try reader.curation.latest(of: .recommendations, userID: userID).map {
                try CuratedListResource($0, in: reader, userID: userID)
            }
        }
        // Having none yet is not an error. The pages have to ask, and browsers report every refused request.
        guard let list else { return Response(status: .noContent) }
        return .cacheable(list.json(pictures), for: request)
    }

    /// The data that was sent to the model.
    private func sent(
        _ kind: CurationRequest.Kind, _ request: Request, _ context: GatewayContext
    ) async throws -> Response {
        let list = try await list(kind, context).list
        let body = JSONWriter.object { json in
            json.member("model", list.model)
            json.member("sent", raw: list.sent)
        }
        return .cacheable(body, for: request)
    }

    private func delete(
        _ kind: CurationRequest.Kind, _ request: Request, _ context: GatewayContext
    ) async throws -> Response {
        try await service.delete(try context.parameters.require("id"), kind, userID: try context.userID)
        return Response(status: .noContent)
    }

    @Sendable private func removeTrack(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let (id, track) = (try context.parameters.require("id"), try context.parameters.require("trackId"))
        let isRemoved = try await service.queue.database.write { transaction in
            guard let list = try transaction.curation.list(id, userID: userID), list.request.kind == .playlist else {
                return false
            }
            return try transaction.curation.remove(track, from: list)
        }
        guard isRemoved else { throw Problem.notFound("song in this list") }
        return Response(status: .noContent)
    }

    @Sendable private func estimate(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let estimate = try await service.estimate(userID: userID)
        return .json(.ok, estimate)
    }

    @Sendable private func chooseModel(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let body = try await request.json(limit: maximumBodyBytes)
        let choice = try body.object(["choice"])["choice"].map { field in
            let text = try field.string(limit: 100)
            let choice = ModelChoice(rawValue: text)
            guard service.knownChoices.contains(choice) else {
                throw field.refuse(
                    "expected one of \(service.knownChoices.map(\.rawValue).joined(separator: ", ")), found "
                        + "'\(text.prefix(40))'; leave the field out to clear your choice.")
            }
            return choice
        }
        try await service.choose(choice, userID: userID)
        return Response(status: .noContent)
    }

    // MARK: Saving

    private func save(
        _ kind: CurationRequest.Kind, _ request: Request, _ context: GatewayContext
    ) async throws -> Response {
        let userID = try context.userID
        let bytes = try await request.bodyBytes(limit: maximumBodyBytes)
        let body = try RequestField.body(bytes.isEmpty ? Array("{}".utf8) : bytes)
        let fields = try body.object(["to", "name", "public"])
        guard let to = fields["to"] else {
            throw body.refuse("the field to is missing: the service to save to, such as spotify.")
        }
        let (target, isPublic) = (try to.musicSource(), try fields["public"]?.bool() ?? false)
        let name = try fields["name"]?.playlistName()
        let saved = try await service.savedSongs(
            of: try context.parameters.require("id"), kind, at: target, userID: userID)
        let edit = try await beginEdit(
            NewPlaylist(
                name: name ?? saved.title, description: "Made with Backline", isPublic: isPublic, songs: saved.songs,
                service: target),
            userID, try request.idempotencyKey(body: bytes))
        let answer = JSONWriter.object { json in
            edit.writeMembers(&json)
            json.member("notSaved") { json in
                json.array(saved.left) { json, track in
                    json.object {
                        $0.member("title", track.title)
                        $0.member("artist", track.artist)
                    }
                }
            }
        }
        return .json(.accepted, answer, headers: [.location: edit.path])
    }
}

/// A playlist to create at a service from a list.
package struct NewPlaylist: Sendable {
    package let name: String
    package let description: String
    package let isPublic: Bool
    package let songs: [SongReference]
    package let service: MusicSource
}

/// Begins the edit of a person's library that creates a playlist.
///
/// - Throws: ``Problem``; the errors of submitting.
package typealias BeginEdit =
    @Sendable (
        _ playlist: NewPlaylist, _ userID: String, _ idempotencyKey: JobQueue.IdempotencyKey?
    ) async throws -> BegunEdit

/// A change of a person's library, as the answer to the request that began it describes it.
package struct BegunEdit: Sendable {
    let path: String
    let writeMembers: @Sendable (inout JSONWriter) -> Void

    package init(path: String, writeMembers: @escaping @Sendable (inout JSONWriter) -> Void) {
        (self.path, self.writeMembers) = (path, writeMembers)
    }
}

extension Problem {
    init(_ refusal: CurationRefusal) {
        self =
            switch refusal {
            case .noList: .notFound("list")
            case .noTrack: .notFound("track")
            case .noPlaylist: .notFound("playlist")
            case .libraryEmpty: .conflict(code: .libraryEmpty, "\(refusal)")
            case .playlistNotRead: .conflict(code: .playlistNotRead, "\(refusal)")
            case .notComplete: .conflict(code: .listNotComplete, "\(refusal)")
            case .notInList: .invalidRequest(code: .invalidField, "\(refusal)", field: "pinned")
            case .nothingToSave: .conflict(code: .trackNotInSource, "\(refusal)")
            case .alone: .invalidRequest(code: .invalidField, "\(refusal)", field: "with")
            case .blocked, .notAsked: .conflict(code: .notAsked, "\(refusal)")
            case .tooManyUnfinished, .tooManyWaiting: .conflict(code: .tooManyLists, "\(refusal)")
            }
    }
}
