import DomainEvents
import Feed
import Gateway
import HTTPTypes
import Hummingbird
import Jobs
import Model
import Storage
import Timeline
import Visibility

/// The order of feeds, for cursors.
private let feedList = Keyset<Int, Int>("feed")

/// `/v1/feed`: what the people and topics of a person have that is new.
struct FeedRoutes {
    let queue: JobQueue
    let sources: FeedSources

    private var database: Database { queue.database }

    /// The most items that are looked at to count those above the mark, visible or not.
    private static let mostCounted = 200

    func add(to group: RouterGroup<GatewayContext>) {
        // The first page of a person begins what fills the feed.
        group.askingUpstreams.get("feed", use: show)
        group.get("feed/unread", use: unread)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let limit = try request.pageLimit(standard: 20, maximum: 50)
        let position = try request.cursor(of: feedList).map {
            TimelinePosition(score: Int64($0.values.0), number: Int64($0.values.1))
        }
        let now = Timestamp.now()
        if position == nil { await noteOpening(by: userID, now: now, context) }
        let (found, failures) = try await FeedReader.read(userID, of: sources, in: database) { transaction, feed in
            Found(
                page: try feed?.page(below: position, limit: limit) ?? FeedPage(),
                mark: try feed.flatMap { try transaction.feed.mark(of: $0.viewer.key) },
                status: try feed?.status() ?? FeedStatus(),
                seq: try transaction.lastChange())
        }
        var status = found.status
        status.add(failures, logger: context.logger)
        let body = JSONWriter.object { json in
            json.member("items") { json in
                json.array(found.page.items) { json, item in json.object { item.writeMembers(to: &$0) } }
            }
            json.member(
                "nextCursor", found.page.next.map { feedList.text(of: Int($0.score), Int($0.number)) })
            json.member("readMark") { $0.mark(found.mark) }
            if position == nil { found.writeNew(to: &json) }
            status.writeMembers(to: &json)
        }
        return .cacheable(body, seq: found.seq, for: request)
    }

    /// Begins what fills the feed of a person who opens it for the first time. The page is shown also where that fails,
    /// and the next one begins it.
    private func noteOpening(by userID: String, now: Timestamp, _ context: GatewayContext) async {
        do {
            let isOpening = try await database.read { transaction in
                guard let viewer = try transaction.visibility.viewer(userID: userID) else { return false }
                return try transaction.feed.isOpening(by: viewer.key, now: now)
            }
            guard isOpening else { return }
            try await queue.write { transaction, submissions in
                guard let isFirst = try transaction.feed.open(by: userID, now: now) else { return }
                try transaction.publish(FeedOpened(userID: userID, isFirst: isFirst), with: &submissions)
            }
        } catch FeedRefusal.unknownPerson {
            // Suspended or erased since the session was read.
        } catch {
            context.logger.error("could not record that a feed was opened", metadata: ["error": "\(error)"])
        }
    }

    @Sendable private func unread(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let most = try request.pageLimit(standard: 100, maximum: 100)
        let (found, failures) = try await FeedReader.read(userID, of: sources, in: database) { transaction, feed in
            let mark = try feed.flatMap { try transaction.feed.mark(of: $0.viewer.key) }
            var feed = feed
            feed?.mostItems = Self.mostCounted
            return Found(
                page: try feed?.page(above: mark?.position, limit: most + 1) ?? FeedPage(), mark: mark,
                status: FeedStatus(), seq: try transaction.lastChange())
        }
        var status = found.status
        status.add(failures, logger: context.logger)
        let count = found.page.items.count
        let body = JSONWriter.object { json in
            json.member("count", min(count, most))
            json.member("isMore", count > most || found.page.next != nil)
            json.member("readMark") { $0.mark(found.mark) }
            json.member("seq", Int(found.seq))
        }
        // Without a tag: the same number may be that of other items, and belongs to another `seq` then.
        return .json(.ok, body)
    }
}

/// What one read of a feed found.
private struct Found: Sendable {
    let page: FeedPage
    let mark: FeedMark?
    let status: FeedStatus
    let seq: Int64

    /// Writes how many items of the page are above the mark.
    func writeNew(to json: inout JSONWriter) {
        json.member("newSince") { json in
            guard let mark else { return json.raw("null") }
            let count = page.items.prefix { $0.item.position > mark.position }.count
            json.object { json in
                json.member("count", count)
                json.member("isMore", count == page.items.count && page.next != nil)
            }
        }
    }
}

extension JSONWriter {
    mutating func mark(_ mark: FeedMark?) {
        guard let mark else { return raw("null") }
        object { json in
            json.member("score", Int(mark.position.score))
            json.member("number", Int(mark.position.number))
        }
    }
}
