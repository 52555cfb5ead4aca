/// What `POST /_sim/gemini/config` changes while the simulator runs; what is left out stays.
struct GeminiSettings: Sendable, Codable, Equatable {
    /// What a key that exists is good for. A key that is not listed is not valid.
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
