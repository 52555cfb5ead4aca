import Accounts
import Concerts
import Gateway
import HTTPTypes
import Hummingbird
import People
import Storage
import Visibility

/// `GET /v1/users/suggestions`: people whom a person may want to follow, with the reason.
struct SuggestionRoutes {
    let database: Database
    let pictures: PicturePaths

    private static let limit = 20

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("users/suggestions", use: list)
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        typealias Found = (card: PersonCard, reason: PersonSuggestion.Reason)
        let (found, seq) = try await database.read { reader -> ([Found], Int64) in
            let seq = try reader.lastChange()
            guard let viewer = try reader.visibility.viewer(userID: userID) else { return ([], seq) }
            // The person's own list of artists counts for them as well, which they show to nobody.
            let favorites = try reader.concerts.rankedArtists(userID: userID).compactMap { TopArtist(name: $0.name) }
            let suggestions = try reader.people.suggestions(for: viewer, favorites: favorites, limit: Self.limit)
            let summaries = try reader.accounts.summaries(ofUsers: suggestions.map(\.userID))
            let requests = try reader.people.requests(between: viewer, and: suggestions.map(\.key))
            let found = suggestions.compactMap { suggestion -> Found? in
                guard let summary = summaries[suggestion.userID] else { return nil }
                let card = PersonCard(
                    summary, suggestion.standing, follow: .none,
                    asksSince: requests.since(of: suggestion.standing))
                return (card, suggestion.reason)
            }
            return (found, seq)
        }
        let body = JSONWriter.items(found) { json, suggestion in
            suggestion.card.writeMembers(to: &json, pictures)
            json.member("reason") { $0.object { suggestion.reason.writeMembers(to: &$0) } }
        }
        return .cacheable(body, seq: seq, for: request)
    }
}

extension PersonSuggestion.Reason {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .topArtists(let artists):
            json.member("kind", "topArtists")
            json.member("artists") { json in json.array(artists) { $0.value($1) } }
        case .network: json.member("kind", "network")
        }
    }
}
