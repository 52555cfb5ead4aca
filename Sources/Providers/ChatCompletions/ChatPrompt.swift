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

    /// How the most tokens of the answer are told. Servers differ in the name of the parameter.
    package enum Room: String, Sendable, Hashable, CaseIterable {
        case maxTokens, maxCompletionTokens
        /// Not at all: the server has a limit of its own.
        case unlimited

        var parameter: String? {
            switch self {
            case .maxTokens: "max_tokens"
            case .maxCompletionTokens: "max_completion_tokens"
            case .unlimited: nil
            }
        }
    }

    /// What requests can do without. The raw values are names in errors.
    package enum Omission: String, Sendable, Hashable, CaseIterable {
        case stream, strict
        /// The role of the instructions, which then stand before the data in one message.
        case system
        /// The thoughts of models that think: some servers do not answer such a request as a whole.
        case thinking = "enable_thinking"
    }

    /// How a server is asked.
    package struct Style: Sendable, Hashable {
        package var form: Form
        package var room: Room
        package var omissions: Set<Omission>

        /// The most styles that a server can be asked in before it takes one, since each refusal changes a part of the
        /// style for good.
        package static let most = Form.allCases.count + Room.allCases.count + Omission.allCases.count

        package init(_ form: Form = .jsonSchema, room: Room = .maxTokens, omitting omissions: Set<Omission> = []) {
            (self.form, self.room, self.omissions) = (form, room, omissions)
        }

        func omits(_ omission: Omission) -> Bool { omissions.contains(omission) }

        /// How to ask a server that has refused this style; `nil` where nothing is left to change.
        package func after(_ error: ChatError) -> Style? {
            var next = self
            switch error.kind {
            case .formRefused:
                guard let form = form.next else { return nil }
                next.form = form
            case .roomRefused(let named):
                guard room != .unlimited else { return nil }
                next.room = room == .maxTokens && named == .maxCompletionTokens ? named : .unlimited
            case .parameterRefused(let name):
                guard let omission = Omission(rawValue: name), next.omissions.insert(omission).inserted else {
                    return nil
                }
            default: return nil
            }
            return next
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
        /// The text without thoughts that stand in fields of their own. They may stand in the text, too.
        case text(String)
        /// There is no text but in fields of thoughts or of calls of tools, in which some servers put an answer.
        case thoughts(String)
        /// The answer did not fit into `max_tokens`; maybe nothing but thoughts did. The text is what there is of it,
        /// of thoughts only where they end with what may be an answer.
        case cutOff(String)
        /// The server withholds the answer.
        case filtered
        case empty
    }

    package var outcome: Outcome
    /// `nil` when the server does not tell.
    package var tokens: TokenUsage?
    /// What the model has read of the prompt, 1 to 1,000,000,000 tokens, with those of a cache; `nil` when the server
    /// does not report it.
    package var promptTokens: Int?
    package var model: String?
}
