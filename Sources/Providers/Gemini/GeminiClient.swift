import Foundation
import Model
import Upstream

/// The parts of Google's Gemini API that Backline needs.
///
/// It does no I/O: the given closure handles permits, retries and the connection. Throws ``GeminiError``, or what the
/// closure throws.
package struct GeminiClient: Sendable {
    package typealias Send = @Sendable (UpstreamRequest) async throws -> UpstreamResponse

    let key: Secret
    let urgency: UpstreamRequest.Urgency
    let send: Send

    package init(key: Secret, urgency: UpstreamRequest.Urgency = .interactive, send: @escaping Send) {
        self.key = key
        self.urgency = urgency
        self.send = send
    }

    /// Verifies the key by listing one model, which uses no quota.
    package func verify() async throws {
        // Sent in a header, since URLs may be logged.
        let response = try await send(
            UpstreamRequest(
                path: "/models", query: [("pageSize", "1")], headers: [("Accept", "application/json")],
                secretHeaders: [("x-goog-api-key", key)], urgency: urgency))
        guard response.isSuccess else { throw GeminiError(response) }
        guard (try? JSONDecoder().decode(ModelList.self, from: Data(response.body))) != nil else {
            throw GeminiError(.unreadable)
        }
    }

    /// What an answer means for its call and its key. Quotas count per project, so a wait that an answer asks for
    /// applies to all calls with the key.
    ///
    /// - Parameter now: the moment from which waits are measured.
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

    /// When the daily quota that counted the request resets, by the answer's own `Date`; `nil` without one.
    package static func quotaReset(_ response: UpstreamResponse) -> Timestamp? {
        RetryAfter.date(of: response).flatMap(GeminiError.midnight)
    }

    /// The input tokens that Google counted for a request; `nil` when its answer does not say.
    package static func inputTokens(_ response: UpstreamResponse) -> Int? {
        guard response.isSuccess else { return nil }
        let usage = try? JSONDecoder().decode(Usage.self, from: Data(response.body)).usageMetadata
        return usage?.promptTokenCount.map { Int(clamping: $0, to: serviceNumbers) }
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
