import Foundation
import Model
import Upstream

/// Google's Gemini API, as far as Backline needs it.
///
/// It does no I/O of its own: permits, retries and the connection belong to the closure it is given. Errors are
/// ``GeminiError``, or what that closure throws.
package struct GeminiClient: Sendable {
    package typealias Send = @Sendable (UpstreamRequest) async throws -> UpstreamResponse

    private let key: Secret
    private let urgency: UpstreamRequest.Urgency
    private let send: Send

    package init(key: Secret, urgency: UpstreamRequest.Urgency = .interactive, send: @escaping Send) {
        self.key = key
        self.urgency = urgency
        self.send = send
    }

    /// Asks for one model of the list, which uses up nothing: it succeeds when the key is good.
    package func verify() async throws {
        // In a header, since URLs get into logs.
        let response = try await send(
            UpstreamRequest(
                path: "/models", query: [("pageSize", "1")], headers: [("Accept", "application/json")],
                secretHeaders: [("x-goog-api-key", key)], urgency: urgency))
        guard response.isSuccess else { throw GeminiError(response) }
        guard (try? JSONDecoder().decode(ModelList.self, from: Data(response.body))) != nil else {
            throw GeminiError(.unreadable)
        }
    }

    /// What an answer means for the call and its key. A quota is counted by project: waiting as long as the answer
    /// asks for concerns all calls with the key.
    ///
    /// - Parameter now: what times are measured from.
    package static func classify(_ response: UpstreamResponse, now: Timestamp = .now()) -> ResponseVerdict {
        switch response.status {
        case 200..<300: return .success
        case 429:
            let status = GoogleStatus(response)
            return status.quota.isOfDay
                ? .pauseKey(until: GeminiError.nextDay(after: now))
                : .retryable(after: GeminiError.pause(response, status, now: now))
        case 408, 500...599: return .retryable(after: RetryAfter.duration(in: response, now: now))
        default: return .final
        }
    }

    /// When the allowance of the day that has counted the answer's request starts anew, by the answer's own `Date`;
    /// `nil` without one.
    package static func quotaReset(_ response: UpstreamResponse) -> Timestamp? {
        RetryAfter.date(of: response).flatMap(GeminiError.midnight)
    }

    /// The input tokens that an answer was counted with; `nil` when it does not say.
    package static func inputTokens(_ response: UpstreamResponse) -> Int? {
        guard response.isSuccess else { return nil }
        return try? JSONDecoder().decode(Usage.self, from: Data(response.body)).usageMetadata?.promptTokenCount
    }

    private struct Usage: Decodable {
        struct Metadata: Decodable {
            var promptTokenCount: Int?
        }
        var usageMetadata: Metadata?
    }

    private struct ModelList: Decodable {
        struct Model: Decodable {}
        var models: [Model]?
    }
}
