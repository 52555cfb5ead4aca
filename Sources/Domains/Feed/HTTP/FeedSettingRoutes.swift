import Feed
import Gateway
import HTTPTypes
import Hummingbird
import Model
import Storage
import Timeline
import Visibility

/// How far a person has read the feed, and what they do not want in it. Every act may be repeated.
struct FeedSettingRoutes {
    let database: Database
    let maximumBodyBytes: Int

    func add(to group: RouterGroup<GatewayContext>) {
        group.put("feed/read-mark", use: moveMark)
        group.get("feed/muted-kinds", use: mutedKinds)
        group.put("feed/muted-kinds/:kind", use: mute)
        group.delete("feed/muted-kinds/:kind", use: unmute)
        group.get("feed/hidden", use: hiddenItems)
        group.put("feed/hidden/:kind/:id", use: hide)
        group.delete("feed/hidden/:kind/:id", use: show)
    }

    // MARK: The mark

    @Sendable private func moveMark(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        let position = try TimelinePosition(mark: body, now: .now())
        let mark = try await act(context) { try $0.feed.moveMark(to: position, of: $1) }
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
        let kind = try context.kind
        try await act(context) { try $0.feed.mute(kind, of: $1, now: .now()) }
        return Response(status: .noContent)
    }

    @Sendable private func unmute(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let kind = try context.kind
        try await act(context) { try $0.feed.unmute(kind, of: $1) }
        return Response(status: .noContent)
    }

    // MARK: Hidden items

    @Sendable private func hiddenItems(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let limit = try request.pageLimit(standard: 50, maximum: 100)
        let cursor = try request.parameter("cursor").map { text in
            guard let cursor = FeedStore<ReadTransaction>.hiddenCursor(text) else { throw Problem.invalidCursor }
            return cursor
        }
        let (items, next) = try await database.read { reader -> ([HiddenFeedItem], String?) in
            guard let viewer = try reader.visibility.viewer(userID: userID) else { return ([], nil) }
            return try reader.feed.hiddenItems(of: viewer.key, after: cursor, limit: limit)
        }
        let body = JSONWriter.object { json in
            json.member("items") { json in
                json.array(items) { json, item in
                    json.object { json in
                        json.member("kind", item.kind.name)
                        json.member("id", item.id)
                        json.member("hiddenAt", item.hiddenAt)
                    }
                }
            }
            json.member("nextCursor", next)
        }
        return .cacheable(body, for: request)
    }

    @Sendable private func hide(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (kind, id) = (try context.kind, try context.itemID)
        try await act(context) { try $0.feed.hide(kind, id, of: $1, now: .now()) }
        return Response(status: .noContent)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (kind, id) = (try context.kind, try context.itemID)
        try await act(context) { try $0.feed.show(kind, id, of: $1) }
        return Response(status: .noContent)
    }

    private func act<Value: Sendable>(
        _ context: GatewayContext, _ act: @escaping @Sendable (WriteTransaction, _ userID: String) throws -> Value
    ) async throws -> Value {
        let userID = try context.userID
        do {
            return try await database.write { try act($0, userID) }
        } catch let refusal as FeedRefusal {
            throw Problem(refusal)
        } catch let reached as ActLimitReached {
            throw Problem(reached)
        }
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

extension GatewayContext {
    /// The kind in the path of a request.
    fileprivate var kind: TimelineKind {
        get throws {
            guard let kind = TimelineKind(name: try text("kind", of: "kind of items")) else {
                throw Problem(
                    .notFound, code: .notFound, title: "Not found",
                    detail: "There is no such kind of items. The kinds are "
                        + TimelineKind.allCases.map(\.name).joined(separator: ", ") + ".")
            }
            return kind
        }
    }

    /// The id of an item in the path of a request.
    fileprivate var itemID: String {
        get throws {
            let id = try text("id", of: "item")
            guard !id.isEmpty, !id.utf8.contains(0), id.utf8.count <= FeedStore<ReadTransaction>.maximumItemBytes
            else { throw Problem.notFound("item") }
            return id
        }
    }
}
