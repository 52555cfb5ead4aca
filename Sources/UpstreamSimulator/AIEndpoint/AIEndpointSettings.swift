/// The settings of `/_sim/ai-endpoint/config`. In a change, missing members stay as they are.
struct AIEndpointSettings: Sendable, Codable, Equatable {
    /// The forms of answers that it takes; another one is a 400.
    enum Form: String, Sendable, Codable {
        case jsonSchema = "json_schema"
        case jsonObject = "json_object"
    }

    var latencyMs: Int?
    /// The key that it wants; an empty one for none.
    var key: String?
    /// The models that it has.
    var models: [String]?
    var forms: [Form]?
    /// How the model answers.
    var behaviour: GeminiBehaviour?
    /// The tokens that question and answer may have. What exceeds it is cut off the question without a word.
    var contextTokens: Int?

    static let initial = AIEndpointSettings(
        latencyMs: nil, key: "", models: ["demo-model"], forms: [.jsonSchema, .jsonObject], behaviour: .plausible,
        contextTokens: 8_192)
}
