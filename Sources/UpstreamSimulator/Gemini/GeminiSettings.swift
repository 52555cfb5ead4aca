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
    var behaviour: GeminiBehaviour?
    /// How the next calls are answered, one after the other, before ``behaviour`` counts again.
    var next: [GeminiBehaviour]?
    /// Models that the list shows and that answer no more.
    var retired: [String]?
    /// The project of a key, which quotas count; without one, a key is of a project of its own.
    var projects: [String: String]?
    /// The quotas of a project, for each model (``GeminiQuotas``); 0 sets none.
    var requestsPerMinute: Int?
    /// Input tokens.
    var tokensPerMinute: Int?
    /// Until midnight in California.
    var requestsPerDay: Int?
    /// How long a minute of these quotas is.
    var minuteMs: Int?

    static let initial = GeminiSettings(
        latencyMs: nil, keys: ["demo-gemini-key": .valid], behaviour: .plausible, next: [],
        retired: ["gemini-2.0-flash"], projects: [:], requestsPerMinute: 0, tokensPerMinute: 0, requestsPerDay: 0,
        minuteMs: 60_000)
}
