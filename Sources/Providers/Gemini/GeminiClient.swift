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
            throw GeminiError.unreadable
        }
    }

    /// What an answer means for the call and its key. A quota is counted by project: waiting as long as the answer
    /// asks for concerns all calls with the key.
    package static func classify(_ response: UpstreamResponse, now: Timestamp = .now()) -> ResponseVerdict {
        switch response.status {
        case 200..<300: return .success
        case 429:
            let quota = GoogleStatus(response).quota
            return quota.isOfDay
                ? .pauseKey(until: nil) : .retryable(after: quota.delay ?? RetryAfter.duration(in: response, now: now))
        case 408, 500...599: return .retryable(after: RetryAfter.duration(in: response, now: now))
        default: return .final
        }
    }

    private struct ModelList: Decodable {
        struct Model: Decodable {}
        var models: [Model]?
    }
}

/// Why Gemini gave no usable answer. No case carries text of the answer: it may repeat the key.
package enum GeminiError: Error, Sendable, Equatable {
    case keyInvalid
    case keyExpired
    /// The endpoint does not take this kind of key the way it was sent, and has not looked whether it is good.
    case keyNotJudged
    /// The key is good, and may not be used for this (403).
    case keyRestricted
    /// The project's country is not served.
    case locationUnsupported
    /// - Parameter isOfDay: whether the allowance of the day is used up.
    case quotaExceeded(isOfDay: Bool, retryAfter: Duration?)
    /// A success that cannot be read.
    case unreadable
    case upstreamError(status: Int)

    /// What an answer that is not a success means: Google says 400, not 401, of a wrong key.
    init(_ response: UpstreamResponse) {
        let error = GoogleStatus(response)
        switch response.status {
        case 400 where error.reasons.contains("API_KEY_INVALID"):
            self = error.message.lowercased().contains("expired") ? .keyExpired : .keyInvalid
        case 400 where error.status == "FAILED_PRECONDITION": self = .locationUnsupported
        case 401 where error.reasons.contains("ACCESS_TOKEN_TYPE_UNSUPPORTED"): self = .keyNotJudged
        case 401: self = .keyInvalid
        case 403: self = .keyRestricted
        case 429: self = .quotaExceeded(isOfDay: error.quota.isOfDay, retryAfter: error.quota.delay)
        default: self = .upstreamError(status: response.status)
        }
    }
}

extension GeminiError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .keyInvalid:
            "Google does not know this key. Copy it again from Google AI Studio (aistudio.google.com/apikey), whole."
        case .keyExpired:
            "This key has expired. Make a new one in Google AI Studio (aistudio.google.com/apikey)."
        case .keyNotJudged:
            "Google did not say whether this key is good: it does not take keys of this kind the way Backline sends "
                + "them. Make a key of another kind in Google AI Studio (aistudio.google.com/apikey)."
        case .keyRestricted:
            "Google knows this key, but it may not be used for Gemini: its restrictions forbid that, or the Gemini API is "
                + "not enabled in its project. Change that in the Google Cloud console, or make a key in AI Studio."
        case .locationUnsupported:
            "Google does not offer Gemini's free tier where this Backline runs. Enable billing for the key's project."
        case .quotaExceeded(true, _): "The key's Gemini calls of the day are used up. Try again tomorrow."
        case .quotaExceeded(false, _): "Gemini asked for a pause, because of too many calls. Try again in a minute."
        case .unreadable: "Gemini's answer could not be read. Try again in a moment."
        case .upstreamError(let status): "Gemini answered with status \(status). Try again in a moment."
        }
    }
}
