import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import Model
import Notifications
import Storage

/// `/v1/notifications`: what a person is notified of, and how far they have read.
struct NotificationRoutes {
    let parts: NotificationParts
    let maximumBodyBytes: Int

    /// The most notifications that a page acknowledges at once.
    private static let mostSeen = 100

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("notifications", use: list)
        group.get("notifications/unread", use: unread)
        group.put("notifications/read-mark", use: moveMark)
        group.post("notifications/seen", use: see)
    }

    private struct Found: Sendable {
        var page = NotificationListPage()
        var people: [String: PersonSummary] = [:]
        var mark: Int64?
        var unread = UnreadNotifications()
        var seq: Int64 = 0
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let limit = try request.pageLimit(standard: 20, maximum: 50)
        let cursor = try request.cursor(of: notificationList)
        let found =
            try await parts.read(as: context.userID) { reader, writer in
                let page = try writer.page(after: cursor, limit: limit)
                return Found(
                    page: page, people: try NotificationParts.people(of: page.items, in: reader),
                    mark: try writer.readNumber(), unread: try writer.unread(), seq: try reader.lastChange())
            } ?? Found()
        let body = JSONWriter.object { json in
            json.member("items") { json in
                json.array(found.page.items) { json, item in
                    json.object { parts.write(item, people: found.people, mark: found.mark, to: &$0) }
                }
            }
            json.member("nextCursor", found.page.nextCursor)
            json.member("readMark", found.mark.map { Int($0) })
            json.member("unread") { $0.object { found.unread.writeMembers(to: &$0) } }
        }
        return .cacheable(body, seq: found.seq, for: request)
    }

    @Sendable private func unread(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let found =
            try await parts.read(as: context.userID) { reader, writer in
                Found(mark: try writer.readNumber(), unread: try writer.unread(), seq: try reader.lastChange())
            } ?? Found()
        let body = JSONWriter.object { json in
            found.unread.writeMembers(to: &json)
            json.member("readMark", found.mark.map { Int($0) })
            json.member("seq", Int(found.seq))
        }
        return .json(.ok, body)
    }

    @Sendable private func moveMark(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        guard let number = try body.object(["number"])["number"]?.integer(in: 0...(1 << 53)) else {
            throw body.refuse("the field number is missing: send the number of a notification.")
        }
        let mark = try await parts.act(context) { try $0.notifications.moveMark(to: Int64(number), of: $1) }
        return .json(.ok, JSONWriter.object { $0.member("readMark", Int(mark.number)) })
    }

    @Sendable private func see(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        let fields = try body.object(["seq", "ids"])
        guard let seq = try fields["seq"]?.integer(in: 0...(1 << 53)) else {
            throw body.refuse("the field seq is missing: send the number of a notification.")
        }
        // What is not an id counts as that of a notification that is gone.
        let ids = try fields["ids"]?.array(limit: Self.mostSeen, of: "notifications").compactMap {
            Int(decimal: try $0.string(limit: 100), in: 0...Int.max).map(Int64.init)
        }
        try await parts.act(context) { try $0.notifications.see(through: Int64(seq), groups: ids, of: $1) }
        return Response(status: .noContent)
    }
}
