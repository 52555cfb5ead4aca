import Gateway
import HTTPTypes
import Hummingbird
import Listening
import Model
import Storage

/// `/v1/listening/feedback`: the songs that a person loves or hates, as their programs reported.
struct ListenFeedbackRoutes {
    let database: Database

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("listening/feedback", use: list)
        group.delete("listening/feedback/:id", use: remove)
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let cursor = try request.cursor(of: recordingFeedbackList)
        let limit = try request.pageLimit(standard: 50, maximum: 200)
        let page = try await database.read {
            try $0.listening.feedback(userID: userID, after: cursor, limit: limit)
        }
        let body = JSONWriter.object { json in
            json.member("items") { json in
                json.array(page.items) { json, one in
                    json.object { json in
                        json.member("id", one.id.text)
                        json.member("feedback", one.score.word)
                        json.member("createdAt", one.createdAt)
                        json.member("title", one.song?.title)
                        json.member("artist", one.song?.artist)
                        json.member("album", one.song?.album)
                        json.member("recordingMBID", one.recording.mbid)
                        json.member("trackId", one.trackID?.text)
                    }
                }
            }
            json.member("total", page.total)
            json.member("nextCursor", page.nextCursor)
        }
        return .cacheable(body, for: request)
    }

    @Sendable private func remove(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.libraryID(of: "feedback")
        guard try await database.write({ try $0.listening.deleteFeedback(id, userID: userID) }) else {
            throw Problem.notFound("feedback")
        }
        return Response(status: .noContent)
    }
}

extension RecordingFeedback.Score {
    /// The word in the API.
    var word: String {
        switch self {
        case .loved: "loved"
        case .hated: "hated"
        }
    }
}
