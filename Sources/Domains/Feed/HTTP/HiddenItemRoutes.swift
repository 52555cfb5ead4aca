import Feed
import Gateway
import HTTPTypes
import Hummingbird
import Model
import Storage
import Timeline
import Visibility

/// The items that a person does not want in their feed. Every act may be repeated.
struct HiddenItemRoutes {
    let database: Database
    let sources: FeedSources

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("feed/hidden", use: list)
        group.put("feed/hidden/:kind/:id", use: hide)
        group.delete("feed/hidden/:kind/:id", use: show)
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let limit = try request.pageLimit(standard: 50, maximum: 100)
        let cursor = try request.parameter("cursor").map { text in
            guard let cursor = FeedStore<ReadTransaction>.hiddenCursor(text) else { throw Problem.invalidCursor }
            return cursor
        }
        let (page, failures) = try await FeedReader.read(try context.userID, of: sources, in: database) {
            transaction, feed -> (items: [(HiddenFeedItem, FeedContent?)], nextCursor: String?, seq: Int64) in
            let seq = try transaction.lastChange()
            guard let feed else { return ([], nil, seq) }
            let (items, next) = try transaction.feed.hiddenItems(of: feed.viewer.key, after: cursor, limit: limit)
            return (try feed.withContents(items), next, seq)
        }
        var status = FeedStatus()
        status.add(failures, logger: context.logger)
        let body = JSONWriter.object { json in
            json.member("items") { json in
                json.array(page.items) { json, entry in
                    let (item, content) = entry
                    json.object { json in
                        json.member("kind", item.kind.name)
                        json.member("id", item.id)
                        json.member("hiddenAt", item.hiddenAt)
                        if let content {
                            json.member(item.kind.member, raw: String(decoding: content.json, as: UTF8.self))
                        }
                    }
                }
            }
            json.member("nextCursor", page.nextCursor)
            status.writeMissing(to: &json)
        }
        return .cacheable(body, seq: page.seq, for: request)
    }

    @Sendable private func hide(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (kind, id) = (try context.feedKind, try context.feedItemID)
        try await context.actOnFeed(in: database) { try $0.feed.hide(kind, id, of: $1, now: .now()) }
        return Response(status: .noContent)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (kind, id) = (try context.feedKind, try context.feedItemID)
        try await context.actOnFeed(in: database) { try $0.feed.show(kind, id, of: $1) }
        return Response(status: .noContent)
    }
}

extension FeedReader {
    /// Hidden items with what the viewer may see of them at this moment, of several revisions the latest. The content of
    /// an item is `nil` if it is gone, if the viewer may not see it, or if its kind is left out.
    ///
    /// - Parameter items: at most 100.
    /// - Throws: ``FeedSourceFailure``.
    func withContents(_ items: [HiddenFeedItem]) throws -> [(HiddenFeedItem, FeedContent?)] {
        var contents: [TimelineKind: [String: FeedContent]] = [:]
        for (kind, items) in Dictionary(grouping: items, by: \.kind) {
            contents[kind] = try self.contents(of: kind, ids: items.map(\.id))
        }
        return items.map { ($0, contents[$0.kind]?[$0.id]) }
    }

    private func contents(of kind: TimelineKind, ids: [String]) throws -> [String: FeedContent] {
        guard !leftOut.contains(.items(kind)), let source = sources.items(of: kind) else { return [:] }
        do {
            let subjects = try source.subjects(reader, viewer, ids)
            guard !subjects.isEmpty else { return [:] }
            let found = try source.contents(reader, viewer, Array(Set(subjects.values)))
            return subjects.compactMapValues { found[$0] }.filter { HiddenFeedItem.key(ofItem: $0.value.id) == $0.key }
        } catch {
            throw FeedSourceFailure(source: .items(kind), error: error)
        }
    }
}
