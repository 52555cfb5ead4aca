/// A model in the list of models.
struct GeminiModel: Sendable {
    var id: String
    var displayName: String
    var version: String
    var inputTokenLimit: Int
    var outputTokenLimit: Int
    var methods: [String]
    var thinking: Bool

    /// The models of November 2026, the retired ones that the list still shows, and two that write no text.
    static let all: [GeminiModel] =
        [
            ("3.8-flash", "3.8 Flash"), ("3.7-flash", "3.7 Flash"), ("3.6-flash", "3.6 Flash"),
            ("3.5-flash", "3.5 Flash"), ("3.5-flash-lite", "3.5 Flash-Lite"), ("3.1-flash-lite", "3.1 Flash-Lite"),
            ("3.1-pro-preview", "3.1 Pro Preview"), ("2.5-flash", "2.5 Flash"), ("2.5-pro", "2.5 Pro"),
            ("2.0-flash", "2.0 Flash"),
        ].map { id, name in
            GeminiModel(
                id: "gemini-" + id, displayName: "Gemini " + name, version: String(id.prefix(3)),
                inputTokenLimit: 1_048_576, outputTokenLimit: 65_536,
                methods: ["generateContent", "countTokens", "createCachedContent", "batchGenerateContent"],
                thinking: !id.hasPrefix("2.0"))
        } + [
            GeminiModel(
                id: "gemini-embedding-001", displayName: "Gemini Embedding 001", version: "001",
                inputTokenLimit: 2_048, outputTokenLimit: 1, methods: ["embedContent", "countTextTokens"],
                thinking: false),
            GeminiModel(
                id: "imagen-4.0-generate-001", displayName: "Imagen 4", version: "001", inputTokenLimit: 480,
                outputTokenLimit: 8_192, methods: ["predict"], thinking: false),
        ]

    /// A model on the user's own machine.
    static let local = GeminiModel(
        id: "demo-model", displayName: "Demo", version: "1", inputTokenLimit: 8_192, outputTokenLimit: 8_192,
        methods: [], thinking: false)
}
