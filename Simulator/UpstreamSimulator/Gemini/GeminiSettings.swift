/// The settings of `/_sim/gemini/config`. In a change, missing members stay as they are.
struct GeminiSettings: Sendable, Codable, Equatable {
    /// The state of a known key. Unknown keys are not valid.
    enum Key: String, Sendable, Codable {
        case valid
        case expired
        /// Its project has not enabled the API.
        case serviceDisabled
        /// Its project is billed in a country that the API does not serve.
        case locationUnsupported
    }

    var latencyMs: Int?
    var keys: [String: Key]?
    /// How models answer.
    var behaviour: GeminiBehavior?
    /// How the next calls are answered, one after the other, before ``behaviour`` applies again.
    var next: [GeminiBehavior]?
    /// Models that are in the list but no longer answer.
    var retired: [String]?
    /// The project of a key, to which quotas apply; a key without one has a project of its own.
    var projects: [String: String]?
    /// The quotas of a project, for each model (``GeminiQuotas``); 0 sets none.
    var requestsPerMinute: Int?
    /// The quota for input tokens per minute.
    var tokensPerMinute: Int?
    /// The quota for requests per day, until midnight in California.
    var requestsPerDay: Int?
    /// How long a minute of these quotas is.
    var minuteMs: Int?

    static let initial = GeminiSettings(
        latencyMs: nil, keys: ["demo-gemini-key": .valid], behaviour: .plausible, next: [],
        retired: ["gemini-2.0-flash"], projects: [:], requestsPerMinute: 0, tokensPerMinute: 0, requestsPerDay: 0,
        minuteMs: 60_000)
}
