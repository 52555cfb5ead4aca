import Model

/// What a model is asked, with the shape of its answer.
package struct ChatPrompt: Sendable, Hashable {
    /// How the shape of the answer is demanded. Servers differ in what they take.
    package enum Form: String, Sendable, Hashable, CaseIterable {
        case jsonSchema, jsonObject, text

        /// The form to try when a server refuses this one.
        package var next: Form? {
            switch self {
            case .jsonSchema: .jsonObject
            case .jsonObject: .text
            case .text: nil
            }
        }
    }

    package var system: String
    package var user: String
    /// A JSON Schema, as JSON.
    package var schema: String
    /// Thinking counts, too.
    package var maxTokens: Int

    package init(system: String, user: String, schema: String, maxTokens: Int) {
        (self.system, self.user, self.schema, self.maxTokens) = (system, user, schema, maxTokens)
    }
}

/// What a model made of a prompt.
package struct ChatAnswer: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// The text without thoughts that stand in fields of their own. They may stand in `<think>` in the text.
        case text(String)
        /// The answer did not fit into `max_tokens`; maybe nothing but thoughts did.
        case cutOff
        /// The server withholds the answer.
        case filtered
        case empty
    }

    package var outcome: Outcome
    /// `nil` when the server does not tell.
    package var tokens: TokenUsage?
    /// What the model has read of the prompt; `nil` when the server does not tell.
    package var promptTokens: Int?
    package var model: String?
}
