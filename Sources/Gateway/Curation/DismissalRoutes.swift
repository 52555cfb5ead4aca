import Curation
import HTTPTypes
import Hummingbird
import Library
import Model
import Storage

/// `/v1/ai/dismissals`: songs that people do not want in lists.
struct DismissalRoutes {
    let database: Database

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("ai/dismissals", use: list)
        group.put("ai/dismissals/:id", use: dismiss)
        group.delete("ai/dismissals/:id", use: takeBack)
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let (ids, known, former) = try await database.read { reader in
            let ids = try reader.curation.dismissals(userID: userID)
            let known = try reader.library.presentTracks(ids.compactMap { LibraryID($0) }, userID: userID)
            let others = Set(ids).subtracting(known.keys.map(\.text))
            return (ids, known, try reader.curation.tracks(named: others, userID: userID))
        }
        let body = JSONWriter.items(ids) { json, id in
            let song = LibraryID(id).flatMap { known[$0] }
            json.member("id", id)
            json.member("title", song?.title ?? former[id]?.title)
            json.member("artist", song?.artist ?? former[id]?.artist)
        }
        return .cacheable(body, for: request)
    }

    @Sendable private func dismiss(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (userID, song) = (try context.userID, try context.song)
        try await database.write { try $0.curation.dismiss(song.text, userID: userID, now: .now()) }
        return Response(status: .noContent)
    }

    @Sendable private func takeBack(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (userID, song) = (try context.userID, try context.song)
        try await database.write { try $0.curation.takeBackDismissal(of: song.text, userID: userID) }
        return Response(status: .noContent)
    }
}

extension GatewayContext {
    /// The song that the path names as edits do.
    fileprivate var song: EditTrackReference {
        get throws {
            guard let song = EditTrackReference(try parameters.require("id")) else { throw Problem.notFound("song") }
            return song
        }
    }
}
