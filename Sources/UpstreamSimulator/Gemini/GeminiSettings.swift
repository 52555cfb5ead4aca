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

    static let initial = GeminiSettings(latencyMs: nil, keys: ["demo-gemini-key": .valid])
}
