import Curation
import Gateway
import HTTPTypes
import Hummingbird
import Identity
import Library
import Model
import Storage

/// `/v1/ai/dismissals`: songs that people do not want in lists.
struct DismissalRoutes {
    let database: Database

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("ai/dismissals", use: list)
        group.put("ai/dismissals/:id", use: dismiss)
        group.delete("ai/dismissals/:id", use: withdraw)
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let (dismissals, known, former) = try await database.read { reader in
            let dismissals = try reader.curation.dismissals(userID: userID)
            let known = try reader.tracks.presentTracks(
                dismissals.compactMap { LibraryID($0.reference) }, userID: userID)
            let others = Set(dismissals.filter { $0.song == nil }.map(\.reference))
                .subtracting(known.keys.map(\.text))
            return (dismissals, known, try reader.curation.tracks(named: others, userID: userID))
        }
        let body = JSONWriter.items(dismissals) { json, dismissal in
            let id = dismissal.reference
            let song = LibraryID(id).flatMap { known[$0] }
            json.member("id", id)
            json.member("title", song?.title ?? dismissal.song?.title ?? former[id]?.title)
            json.member("artist", song?.artist ?? dismissal.song?.artist ?? former[id]?.artist)
        }
        return .cacheable(body, for: request)
    }

    @Sendable private func dismiss(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (userID, song) = (try context.userID, try context.song)
        let found = try await database.read { reader -> (dismissal: Dismissal, songs: DismissedRecommendations)? in
            // A song that is dismissed may have left the library and all lists.
            guard try reader.curation.dismissal(of: song.text, userID: userID) == nil else { return nil }
            guard let record = try Self.record(of: song.text, userID: userID, in: reader) else {
                throw Problem.notFound("song")
            }
            let dismissal = Dismissal(reference: song.text, song: record)
            return (dismissal, try reader.curation.recommendations(of: dismissal, userID: userID))
        }
        if let (dismissal, songs) = found {
            try await database.write {
                try $0.curation.dismiss(dismissal, hiding: songs, userID: userID, now: .now())
            }
        }
        return Response(status: .noContent)
    }

    /// Describes a song as the library has it, or else as one of the person's lists has it.
    private static func record(
        of reference: String, userID: String, in reader: ReadTransaction
    ) throws -> IdentityRecord? {
        let ids = try reader.tracks.names(of: [reference], userID: userID).compactMap { LibraryID($0) }
        if let track = try reader.tracks.presentTracks(ids, userID: userID).values.first {
            return IdentityRecord(
                title: track.title, artist: track.artist, album: track.album, durationMs: track.durationMs,
                isrc: track.isrc)
        }
        return try reader.curation.tracks(named: [reference], userID: userID)[reference].map {
            IdentityRecord(title: $0.title, artist: $0.artist, album: $0.album, durationMs: $0.durationMs)
        }
    }

    @Sendable private func withdraw(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (userID, song) = (try context.userID, try context.song)
        try await database.write { try $0.curation.deleteDismissal(of: song.text, userID: userID) }
        return Response(status: .noContent)
    }
}

extension GatewayContext {
    /// The song that the path names, in the form that edits use.
    fileprivate var song: SongReference {
        get throws {
            guard let song = SongReference(try parameters.require("id")) else { throw Problem.notFound("song") }
            return song
        }
    }
}
