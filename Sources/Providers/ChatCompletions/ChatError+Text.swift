/// What the text of an error says about the request.
struct ErrorText {
    /// In lower case, with all quotation marks replaced by the same one.
    private let text: String
    private let prompt: String

    /// - Parameter prompt: what was asked. Errors may repeat it, so its words say nothing about the error.
    init(_ text: String, asked prompt: String) {
        let lower = text.lowercased()
        self.text = String(lower.map { "\"`\u{2018}\u{2019}\u{201C}\u{201D}".contains($0) ? "'" : $0 })
        self.prompt = prompt.lowercased()
    }

    func contains(_ word: String) -> Bool { text.contains(word) && !prompt.contains(word) }

    private func contains(oneOf words: [String]) -> Bool { words.contains(where: contains) }

    /// What the server refuses, even if the text does not name it.
    var refusal: ChatError.Kind? {
        // "In context=()" refers to a schema.
        if let named, named.isOfForm { return named }
        if contains("context") { return .tooLong }
        return named ?? (contains(oneOf: Self.refusing) && contains(oneOf: Self.parts) ? .formRefused : nil)
    }

    /// The part of the request that the text names.
    var named: ChatError.Kind? {
        // Refusing the schema names all of its parts. This part can be left out by itself.
        if contains("'strict'") || contains(".strict") { return .parameterRefused(ChatPrompt.Omission.strict.rawValue) }
        if contains("enable_thinking") { return .parameterRefused(ChatPrompt.Omission.thinking.rawValue) }
        if contains(oneOf: Self.forms) { return .formRefused }
        if contains(oneOf: ["max_tokens", "max_completion_tokens"]) { return .roomRefused(next: room) }
        if contains(oneOf: [
            "system role", "role 'system'", "role: system", "'system'", "system message", "system prompt",
        ])
            || contains(oneOf: ["roles must alternate", "system instruction", "developer instruction"])
        {
            return .parameterRefused(ChatPrompt.Omission.system.rawValue)
        }
        return Self.parameters.first(where: namesParameter).map { .parameterRefused($0) }
    }

    /// How errors name the response format.
    private static let forms = [
        "response_format", "response format", "responseformat", "response_mime_type", "response_schema",
        "responsemimetype", "responseschema", "json_schema", "json schema", "json_object", "json mode", "grammar",
        "guided_json", "guided decoding", "structured output", "structured_output", "structured-output",
    ]
    /// Other parameters of requests, which servers may not accept. Only these names are ever stored.
    private static let parameters = ["stream", "messages", "role", "model"]
    private static let refusing = [
        "unsupported", "not supported", "not support", "unrecognized", "unrecognised", "unknown", "not permitted",
        "not allowed", "unexpected",
    ]
    private static let parts = ["parameter", "argument", "field", "extra input", "keyword", "property", "properties"]

    private func namesParameter(_ name: String) -> Bool {
        contains("'\(name)'")
            // "Unknown parameter: stream", and the location of a field: "body stream Extra inputs are not permitted".
            || (!prompt.contains(name) && contains(oneOf: Self.refusing)
                && ["parameter: ", "parameters: ", "argument: ", "supplied: ", "field: ", "body "].contains { before in
                    text.ranges(of: before + name).contains { range in
                        range.upperBound == text.endIndex || !text[range.upperBound].isLetter
                    }
                })
    }

    /// How the server wants the token limit to be sent. The refused parameter is named first; the other one, if at all,
    /// later or as the one to use.
    private var room: ChatPrompt.Room {
        let (old, new) = (text.firstRange(of: "max_tokens"), text.firstRange(of: "max_completion_tokens"))
        guard let old, let new else { return .unlimited }
        let plain = text.replacing("'", with: "")
        let isWanted = ["use ", "to ", "with ", "prefer "].contains { plain.contains($0 + "max_completion_tokens") }
        return isWanted || old.lowerBound < new.lowerBound ? .maxCompletionTokens : .unlimited
    }
}

extension ChatError.Kind {
    fileprivate var isOfForm: Bool {
        switch self {
        case .formRefused, .parameterRefused(ChatPrompt.Omission.strict.rawValue): true
        default: false
        }
    }
}
