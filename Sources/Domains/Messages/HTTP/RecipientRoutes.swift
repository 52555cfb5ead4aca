import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import Messages
import Model
import Storage
import Visibility

/// `/v1/me/recipients` and `/v1/me/message-settings`: to whom a person may want to send something, and who may write to
/// the person.
struct RecipientRoutes {
    let parts: MessageParts
    let maximumBodyBytes: Int

    /// In Unicode scalars.
    private static let longestQuery = 100

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("me/recipients", use: list)
        group.get("me/message-settings", use: show)
        group.put("me/message-settings", use: change)
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let limit = try request.pageLimit(standard: 20, maximum: 50)
        let query = try request.text("q") ?? ""
        guard query.unicodeScalars.count <= Self.longestQuery else {
            throw Problem.invalidRequest(
                code: .invalidParameter, "q: at most \(Self.longestQuery) characters are allowed.", field: "q")
        }
        let writer = parts.writer
        let document = try await parts.read(as: userID, or: .unauthorized) { reader, viewer -> [UInt8]? in
            let found = try Self.recipients(of: viewer, named: query, limit: limit, in: reader)
            let cards = try writer.cards(of: found.map(\.person), for: viewer, in: reader)
            return JSONWriter.items(found.filter { cards[$0.person.key] != nil }) { json, recipient in
                json.member("person") { json in
                    json.object { cards[recipient.person.key]?.writeMembers(to: &$0, writer.pictures) }
                }
                json.member("threadId", recipient.threadID)
                json.member("writing", recipient.writing.rawValue)
            }
        }
        return .cacheable(document, for: request)
    }

    /// The first recipients whose name contains a text.
    private static func recipients(
        of viewer: Viewer, named query: String, limit: Int, in reader: ReadTransaction
    ) throws -> [MessageRecipient] {
        guard !query.isEmpty else { return try reader.messages.recipients(of: viewer, limit: limit, now: .now()) }
        let all = try reader.messages.recipients(of: viewer, now: .now())
        let wanted = query.lowercased()
        var found: [MessageRecipient] = []
        for part in all.listParts where found.count < limit {
            let summaries = try reader.accounts.summaries(ofUsers: part.map(\.person.userID))
            found += part.filter { recipient in
                guard let summary = summaries[recipient.person.userID] else { return false }
                return summary.username.contains(wanted) || summary.displayName?.lowercased().contains(wanted) == true
            }
        }
        return Array(found.prefix(limit))
    }

    // MARK: Settings

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let settings = try await parts.read(as: context.userID, or: .unauthorized) { reader, viewer in
            try reader.messages.settings(of: viewer.key)
        }
        return .cacheable(settings.json, for: request)
    }

    @Sendable private func change(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.json(limit: maximumBodyBytes)
        let fields = try body.object(["policy", "showsReadMarks"], keepsNull: true)
        let policy: MessagePolicy? = try fields["policy"]?.value(
            "expected anybody, followed or mutual", MessagePolicy.init(rawValue:))
        let showsReadMarks = try fields["showsReadMarks"]?.bool()
        let settings = try await parts.act(context) { transaction, userID in
            try transaction.messages.changeSettings(of: userID, now: .now()) { settings in
                if let policy { settings.policy = policy }
                if let showsReadMarks { settings.showsReadMarks = showsReadMarks }
            }
        }
        return .json(.ok, settings.json)
    }
}

extension MessageSettings {
    fileprivate var json: [UInt8] {
        JSONWriter.object { json in
            json.member("policy", policy.rawValue)
            json.member("showsReadMarks", showsReadMarks)
        }
    }
}
