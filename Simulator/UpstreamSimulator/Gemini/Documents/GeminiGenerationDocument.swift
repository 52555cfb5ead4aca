/// The answer of `generateContent`.
struct GeminiGenerationDocument: Encodable {
    struct PromptFeedback: Encodable {
        var blockReason: String
    }

    struct Part: Encodable {
        let text: String
        /// Absent for a part of the answer itself.
        let thought: Bool?

        init(_ text: some StringProtocol, isThought: Bool = false) {
            self.text = String(text)
            thought = isThought ? true : nil
        }
    }

    struct Candidate: Encodable {
        struct Content: Encodable {
            var parts: [Part]?
            let role = "model"
        }

        let content: Content
        let finishReason: String
        let finishMessage: String?
        let index = 0

        init(_ reason: String, parts: [Part]? = nil, message: String? = nil) {
            content = Content(parts: parts)
            finishReason = reason
            finishMessage = message
        }
    }

    struct Usage: Encodable {
        let promptTokenCount: Int
        let candidatesTokenCount: Int?
        let thoughtsTokenCount: Int?
        let totalTokenCount: Int

        init(prompt: Int, candidates: Int?, thoughts: Int) {
            promptTokenCount = prompt
            candidatesTokenCount = candidates
            thoughtsTokenCount = thoughts > 0 ? thoughts : nil
            totalTokenCount = prompt + (candidates ?? 0) + thoughts
        }
    }

    var promptFeedback: PromptFeedback?
    var candidates: [Candidate]?
    var usageMetadata: Usage
    var modelVersion: String
    var responseId: String
}
