import Foundation
import Model
import Platform
import Upstream

/// A question to a model, with the shape of its answer.
package struct GeminiPrompt: Sendable, Hashable {
    /// A part of an answer's shape, in the subset of OpenAPI that `responseSchema` accepts. Other keywords are refused.
    package indirect enum Schema: Sendable, Hashable {
        case integer
        case text
        case choice([String])
        case list(Schema)
        /// - Parameter required: the names of members that an answer must have.
        case object([Member], required: [String])

        package struct Member: Sendable, Hashable {
            package var name: String
            package var schema: Schema

            package init(_ name: String, _ schema: Schema) { (self.name, self.schema) = (name, schema) }
        }
    }

    package var systemInstruction: String
    package var text: String
    package var schema: Schema
    /// Includes thinking.
    package var maxOutputTokens: Int

    package init(systemInstruction: String, text: String, schema: Schema, maxOutputTokens: Int) {
        (self.systemInstruction, self.text, self.schema) = (systemInstruction, text, schema)
        self.maxOutputTokens = maxOutputTokens
    }
}

/// A model's answer to a prompt.
package struct GeminiAnswer: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// The parts of the answer that are not thoughts.
        case text(String)
        /// The answer did not fit into `maxOutputTokens`; perhaps only thoughts did. The text is the part that was
        /// received, without thoughts.
        case cutOff(String)
        /// The prompt was blocked, with Google's reason, such as `SAFETY`.
        case promptBlocked(String)
        /// The answer was withheld, with Google's `finishReason`. Later API versions may add others.
        case answerBlocked(String)
        /// There is neither an answer nor a reason.
        case empty
    }

    package var outcome: Outcome
    /// The tokens of prompt, thoughts and answer; `nil` when Google does not report them.
    package var tokens: TokenUsage?
    /// The model that answered, which may differ from the one that was asked.
    package var modelVersion: String?
}

extension GeminiClient {
    /// - Parameters:
    ///   - model: its name without `models/`.
    ///   - weight: the estimated number of input tokens, which quotas count.
    package func generate(_ prompt: GeminiPrompt, model: String, weight: Int) async throws -> GeminiAnswer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let response = try await send(
            UpstreamRequest(
                method: .post, path: "/models/\(model.percentEncoded):generateContent",
                headers: [("Accept", "application/json"), ("Content-Type", "application/json")],
                secretHeaders: [("x-goog-api-key", key)],
                body: Array(try encoder.encode(GenerationBody(prompt))), urgency: urgency, weight: weight,
                // It changes nothing at Google; a second answer only counts against the quota.
                isIdempotent: true))
        guard response.isSuccess else { throw GeminiError(response) }
        guard let document = try? JSONDecoder().decode(GenerationDocument.self, from: Data(response.body)) else {
            throw GeminiError(.unreadable)
        }
        return document.answer
    }
}

// MARK: The request

private struct GenerationBody: Encodable {
    struct Content: Encodable {
        struct Part: Encodable { var text: String }
        var role: String?
        var parts: [Part]
    }
    struct Configuration: Encodable {
        var maxOutputTokens: Int
        var responseMimeType = "application/json"
        var responseSchema: GeminiPrompt.Schema
    }

    var systemInstruction: Content
    var contents: [Content]
    var generationConfig: Configuration

    init(_ prompt: GeminiPrompt) {
        systemInstruction = Content(parts: [.init(text: prompt.systemInstruction)])
        contents = [Content(role: "user", parts: [.init(text: prompt.text)])]
        generationConfig = Configuration(
            maxOutputTokens: prompt.maxOutputTokens, responseSchema: prompt.schema)
    }
}

extension GeminiPrompt.Schema: Encodable {
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    package func encode(to encoder: any Encoder) throws {
        var json = encoder.container(keyedBy: Name.self)
        switch self {
        case .integer: try json.encode("INTEGER", forKey: Name("type"))
        case .text: try json.encode("STRING", forKey: Name("type"))
        case .choice(let values):
            try json.encode("STRING", forKey: Name("type"))
            try json.encode(values, forKey: Name("enum"))
        case .list(let items):
            try json.encode("ARRAY", forKey: Name("type"))
            try json.encode(items, forKey: Name("items"))
        case .object(let members, let required):
            try json.encode("OBJECT", forKey: Name("type"))
            var properties = json.nestedContainer(keyedBy: Name.self, forKey: Name("properties"))
            for member in members { try properties.encode(member.schema, forKey: Name(member.name)) }
            try json.encode(required, forKey: Name("required"))
            try json.encode(members.map(\.name), forKey: Name("propertyOrdering"))
        }
    }
}

// MARK: The answer

/// Every field may be missing, and enumerations grow.
private struct GenerationDocument: Decodable {
    struct Candidate: Decodable {
        struct Content: Decodable {
            struct Part: Decodable {
                var text: String?
                var thought: Bool?
            }
            var parts: [Part]?
        }
        var content: Content?
        var finishReason: String?
    }
    struct Feedback: Decodable {
        var blockReason: String?
    }
    struct Usage: Decodable {
        var promptTokenCount: Int?
        var candidatesTokenCount: Int?
        var thoughtsTokenCount: Int?
        var totalTokenCount: Int?
    }

    var candidates: [Candidate]?
    var promptFeedback: Feedback?
    var usageMetadata: Usage?
    var modelVersion: String?

    var answer: GeminiAnswer {
        let tokens = usageMetadata.flatMap {
            TokenUsage(
                total: $0.totalTokenCount, input: $0.promptTokenCount,
                output: [$0.candidatesTokenCount, $0.thoughtsTokenCount])
        }
        return GeminiAnswer(outcome: outcome, tokens: tokens, modelVersion: modelVersion)
    }

    private var outcome: GeminiAnswer.Outcome {
        guard let candidate = candidates?.first else {
            return promptFeedback?.blockReason.map { .promptBlocked(Self.code($0)) } ?? .empty
        }
        let text = (candidate.content?.parts ?? []).filter { $0.thought != true }.compactMap(\.text).joined()
        return switch candidate.finishReason {
        case "STOP" where !text.isEmpty: .text(text)
        case "STOP", nil: .empty
        case "MAX_TOKENS": .cutOff(text)
        case let reason?: .answerBlocked(Self.code(reason))
        }
    }

    /// Google's codes consist of capitals and underscores. Any other text is not shown to people.
    private static func code(_ text: String) -> String {
        let isCode =
            (1...63).contains(text.utf8.count) && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == 0x5F }
        return isCode ? text : "UNKNOWN"
    }
}
