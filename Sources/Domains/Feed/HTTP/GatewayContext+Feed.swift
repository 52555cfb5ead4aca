import Feed
import Gateway
import Storage
import Timeline
import Visibility

extension GatewayContext {
    /// The kind of items in the path of a request.
    var feedKind: TimelineKind {
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
    var feedItemID: String {
        get throws {
            let id = try text("id", of: "item")
            guard !id.isEmpty, !id.utf8.contains(0), id.utf8.count <= FeedStore<ReadTransaction>.maximumItemBytes
            else { throw Problem.notFound("item") }
            return id
        }
    }

    /// Runs an act of the person on their feed.
    ///
    /// - Throws: ``Problem``.
    func actOnFeed<Value: Sendable>(
        in database: Database, _ act: @escaping @Sendable (WriteTransaction, _ userID: String) throws -> Value
    ) async throws -> Value {
        let userID = try userID
        do {
            return try await database.write { try act($0, userID) }
        } catch let refusal as FeedRefusal {
            throw Problem(refusal)
        } catch let reached as ActLimitReached {
            throw Problem(reached)
        }
    }
}
