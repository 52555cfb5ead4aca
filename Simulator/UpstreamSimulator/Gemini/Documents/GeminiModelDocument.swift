/// A model as the list of models shows it.
struct GeminiModelDocument: Encodable {
    let name: String
    let version: String
    let displayName: String
    let inputTokenLimit: Int
    let outputTokenLimit: Int
    let supportedGenerationMethods: [String]
    /// Absent for a model that does not think.
    let thinking: Bool?

    init(_ model: GeminiModel) {
        name = "models/\(model.id)"
        version = model.version
        displayName = model.displayName
        inputTokenLimit = model.inputTokenLimit
        outputTokenLimit = model.outputTokenLimit
        supportedGenerationMethods = model.methods
        thinking = model.thinking ? true : nil
    }
}

/// A page of the list of models.
struct GeminiModelsDocument: Encodable {
    var models: [GeminiModelDocument]
    var nextPageToken: String?
}
