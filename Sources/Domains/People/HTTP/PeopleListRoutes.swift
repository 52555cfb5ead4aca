import Gateway
import HTTPTypes
import Hummingbird
import Model
import People
import Storage
import Visibility

/// The lists of people that belong to a person: whom they follow, who follows them, who asks to, whom they have blocked.
struct PeopleListRoutes {
    let database: Database
    let pictures: PicturePaths

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("me/following") { try await show(.following, $0, $1) }
        group.get("me/followers") { try await show(.followers, $0, $1) }
        group.get("me/blocked") { try await show(.blocked, $0, $1) }
        group.get("me/follow-requests") { request, context in
            try await show(request, context, cursor: PeopleStore<ReadTransaction>.requestCursor) {
                try $0.people.requests(to: $1, after: $2, limit: $3)
            }
        }
    }

    @Sendable private func show(
        _ list: PeopleList, _ request: Request, _ context: GatewayContext
    ) async throws -> Response {
        try await show(request, context, cursor: list.cursor) {
            try $0.visibility.page(of: list, for: $1, after: $2, limit: $3)
        }
    }

    private func show(
        _ request: Request, _ context: GatewayContext, cursor: (String) -> Cursor<Int>?,
        page: @escaping @Sendable (ReadTransaction, Viewer, Cursor<Int>?, _ limit: Int) throws -> PeoplePage
    ) async throws -> Response {
        let userID = try context.userID
        let limit = try request.pageLimit(standard: 50, maximum: 100)
        let position = try request.parameter("cursor").map { text in
            guard let position = cursor(text) else { throw Problem.invalidCursor }
            return position
        }
        let (cards, next, seq) = try await database.read { reader -> ([PersonCard], String?, Int64) in
            let seq = try reader.lastChange()
            guard let viewer = try reader.visibility.viewer(userID: userID) else { return ([], nil, seq) }
            let page = try page(reader, viewer, position, limit)
            return (try PersonCard.cards(of: page.items, for: viewer, in: reader), page.nextCursor, seq)
        }
        let body = JSONWriter.object { json in
            json.member("items") { json in
                json.array(cards) { json, card in json.object { card.writeMembers(to: &$0, pictures) } }
            }
            json.member("nextCursor", next)
        }
        return .cacheable(body, seq: seq, for: request)
    }
}
