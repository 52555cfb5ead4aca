import Feed
import Gateway
import HTTPTypes
import Hummingbird
import Model
import Storage
import Timeline
import Visibility

/// How far a person has read the feed, and which kinds of items they do not want in it. Every act may be repeated.
struct FeedSettingRoutes {
    let database: Database
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.put("feed/read-mark", use: moveMark)
        group.get("feed/muted-kinds", use: mutedKinds)
        group.put("feed/muted-kinds/:kind", use: mute)
        group.delete("feed/muted-kinds/:kind", use: unmute)
    }

    // MARK: The mark

    @Sendable private func moveMark(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        let position = try TimelinePosition(mark: body, now: .now())
        let mark = try await context.actOnFeed(in: database) { try $0.feed.moveMark(to: position, of: $1) }
        return .json(.ok, JSONWriter.object { $0.member("readMark") { $0.mark(mark) } })
    }

    // MARK: Muted kinds

    @Sendable private func mutedKinds(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let muted = try await database.read { reader in
            try reader.visibility.viewer(userID: userID).map { try reader.feed.mutedKinds(of: $0.key) } ?? []
        }
        let body = JSONWriter.object { json in
            json.member("kinds") { json in
                json.array(TimelineKind.allCases.filter(muted.contains)) { $0.value($1.name) }
            }
        }
        return .cacheable(body, for: request)
    }

    @Sendable private func mute(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let kind = try context.feedKind
        try await context.actOnFeed(in: database) { try $0.feed.mute(kind, of: $1, now: .now()) }
        return Response(status: .noContent)
    }

    @Sendable private func unmute(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let kind = try context.feedKind
        try await context.actOnFeed(in: database) { try $0.feed.unmute(kind, of: $1) }
        return Response(status: .noContent)
    }
}

extension TimelinePosition {
    /// The body of `PUT /v1/feed/read-mark`.
    ///
    /// - Throws: ``Problem`` with the path of the wrong field.
    init(mark body: RequestField, now: Timestamp) throws {
        let fields = try body.object(["score", "number"])
        guard let score = fields["score"], let number = fields["number"] else {
            throw body.refuse("the fields score and number are missing: send the sortScore and number of an item.")
        }
        // A mark beyond all items could never be moved again.
        let latest = TimelineKind.latestScore(at: now)
        self.init(
            score: Int64(try score.integer(in: 0...Int(latest))),
            number: Int64(try number.integer(in: 0...(1 << 53))))
    }
}
