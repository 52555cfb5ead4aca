/// The settings of `/_sim/ai-endpoint/config`. In a change, missing members stay as they are.
struct AIEndpointSettings: Sendable, Codable, Equatable {
    /// The response formats that it accepts; any other one is refused with 400.
    enum Form: String, Sendable, Codable {
        case jsonSchema = "json_schema"
        case jsonObject = "json_object"
    }

    var latencyMs: Int?
    /// The key that it requires; empty if it requires none.
    var key: String?
    /// The models that it has.
    var models: [String]?
    var forms: [Form]?
    /// How the model answers.
    var behaviour: GeminiBehavior?
    /// The number of tokens that question and answer may have together. A question that is too long is cut off
    /// silently.
    var contextTokens: Int?

    static let initial = AIEndpointSettings(
        latencyMs: nil, key: "", models: ["demo-model"], forms: [.jsonSchema, .jsonObject], behaviour: .plausible,
        contextTokens: 8_192)
}
