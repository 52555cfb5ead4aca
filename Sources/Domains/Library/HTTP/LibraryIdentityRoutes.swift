import Gateway
import Hummingbird
import Library
import LibraryWriting
import Model
import Storage

/// `/v1/library`: why source tracks are one song, and people's decisions about it (docs/identity.md).
struct LibraryIdentityRoutes {
    let database: Database
    let pictures: PicturePaths
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("library/tracks/:id/identity", use: identity)
        group.post("library/tracks/:id/split", use: split)
        group.post("library/merges", use: merge)
        group.post("library/splits", use: separate)
        group.get("library/duplicates", use: duplicates)
        group.get("library/decisions", use: decisions)
        group.delete("library/decisions/:id", use: undo)
        group.get("library/settings", use: settings)
        group.patch("library/settings", use: changeSettings)
    }

    // MARK: Reading

    @Sendable private func identity(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "track")
        guard let answer = try await database.read({ try $0.trackIdentity.identity(ofTrack: id, userID: userID) })
        else {
            throw Problem.notFound("track")
        }
        return .cacheable(JSONWriter.object { answer.writeMembers(to: &$0) }, for: request)
    }

    @Sendable private func duplicates(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let start = try request.start { LibraryLists.duplicates.cursor($0) }
        let limit = try request.pageLimit(standard: 50, maximum: 200)
        let page = try await database.read { reader in
            try reader.trackIdentity.likelyDuplicates(userID: userID, start: start, limit: limit)
        }
        return .cacheable(page.json { $1.writeMembers(to: &$0, pictures: pictures) }, for: request)
    }

    @Sendable private func decisions(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let start = try request.start { LibraryLists.decisions.cursor($0) }
        let limit = try request.pageLimit(standard: 50, maximum: 200)
        let page = try await database.read { reader in
            try reader.trackIdentity.decisions(userID: userID, start: start, limit: limit)
        }
        return .cacheable(page.json { $1.writeMembers(to: &$0) }, for: request)
    }

    // MARK: Deciding

    @Sendable private func split(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "track")
        let sourceTracks = try await request.json(limit: maximumBodyBytes)
            .libraryIDs("sourceTrackIds", least: 1, of: "source track")
        let (tracks, decision) = try await decide { transaction in
            try transaction.trackIdentity.split(id, sourceTracks, userID: userID, now: .now())
        }
        return .json(
            .ok,
            JSONWriter.object { json in
                json.member("tracks") { json in json.array(tracks) { $0.value($1.text) } }
                json.member("decision", decision.text)
            })
    }

    @Sendable private func merge(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let tracks = try await request.json(limit: maximumBodyBytes)
            .libraryIDs("trackIds", least: 2, of: "track")
        let (track, decision) = try await decide { transaction in
            try transaction.trackIdentity.merge(tracks, userID: userID, now: .now())
        }
        return .json(
            .ok,
            JSONWriter.object { json in
                json.member("track", track.text)
                json.member("decision", decision.text)
            })
    }

    @Sendable private func separate(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let tracks = try await request.json(limit: maximumBodyBytes)
            .libraryIDs("trackIds", least: 2, of: "track")
        let decision = try await decide { transaction in
            try transaction.trackIdentity.separate(tracks, userID: userID, now: .now())
        }
        return .json(.ok, JSONWriter.object { $0.member("decision", decision.text) })
    }

    @Sendable private func undo(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "decision")
        let tracks = try await decide { transaction in
            try transaction.trackIdentity.undo(id, userID: userID, now: .now())
        }
        return .json(
            .ok, JSONWriter.object { $0.member("tracks") { json in json.array(tracks) { $0.value($1.text) } } })
    }

    private func decide<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        do {
            return try await database.write { try body($0) }
        } catch let error as TrackDecisionError {
            throw Problem(error)
        }
    }

    // MARK: Settings

    @Sendable private func settings(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let areSame = try await database.read { try $0.trackIdentity.remastersAreSame(userID: userID) }
        return .cacheable(Self.settings(remastersAreSame: areSame), for: request)
    }

    @Sendable private func changeSettings(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let body = try await request.json(limit: maximumBodyBytes)
        let wanted = try body.object(["remastersAreSame"])["remastersAreSame"]?.bool()
        let areSame = try await database.write { transaction in
            if let wanted {
                try transaction.trackIdentity.setRemastersAreSame(wanted, userID: userID, now: .now())
            }
            return try transaction.trackIdentity.remastersAreSame(userID: userID)
        }
        return .json(.ok, Self.settings(remastersAreSame: areSame))
    }

    private static func settings(remastersAreSame: Bool) -> [UInt8] {
        JSONWriter.object { $0.member("remastersAreSame", remastersAreSame) }
    }
}

extension Problem {
    fileprivate init(_ error: TrackDecisionError) {
        self =
            switch error {
            case .noTrack: .notFound("track")
            case .noSourceTrack:
                Problem(
                    .notFound, code: .notFound, title: "Not found",
                    detail: "One of these ids is not that of a source track of this track. GET "
                        + "/v1/library/tracks/{id} lists its source tracks.")
            case .noDecision: .notFound("decision")
            case .oneTrack:
                .conflict(
                    code: .oneTrack,
                    "These ids all refer to one track: the others were merged into it. Nothing has changed.")
            case .alreadyApart:
                .conflict(
                    code: .alreadyApart,
                    "You already decided that these songs are different. Nothing has changed. GET "
                        + "/v1/library/decisions lists your decisions, and DELETE undoes one.")
            case .splitsNothing:
                .conflict(
                    code: .splitsNothing,
                    "A track has to keep at least one of its source tracks. Name some of them to split off, not all.")
            }
    }
}
