import Model

/// A question to a model, with the shape of its answer.
package struct ChatPrompt: Sendable, Hashable {
    /// How the shape of the answer is requested. Servers differ in what they accept.
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

    /// How the answer's token limit is sent. Servers differ in the name of the parameter.
    package enum Room: String, Sendable, Hashable, CaseIterable {
        case maxTokens, maxCompletionTokens
        /// The limit is not sent: the server has its own.
        case unlimited

        var parameter: String? {
            switch self {
            case .maxTokens: "max_tokens"
            case .maxCompletionTokens: "max_completion_tokens"
            case .unlimited: nil
            }
        }
    }

    /// Parts of a request that can be left out. The raw values are names in errors.
    package enum Omission: String, Sendable, Hashable, CaseIterable {
        case stream, strict
        /// The role of the instructions, which are then placed before the data in a single message.
        case system
        /// The thoughts of reasoning models: some servers do not answer such requests unless they are streamed.
        case thinking = "enable_thinking"
    }

    /// How a server is asked.
    package struct Style: Sendable, Hashable {
        package var form: Form
        package var room: Room
        package var omissions: Set<Omission>

        /// The most styles that a server can be asked in before it accepts one, since each refusal changes a part of
        /// the style permanently.
        package static let most = Form.allCases.count + Room.allCases.count + Omission.allCases.count

        package init(_ form: Form = .jsonSchema, room: Room = .maxTokens, omitting omissions: Set<Omission> = []) {
            (self.form, self.room, self.omissions) = (form, room, omissions)
        }

        func omits(_ omission: Omission) -> Bool { omissions.contains(omission) }

        /// The style to use after a server has refused this one; `nil` if nothing is left to change.
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
    /// Includes thinking.
    package var maxTokens: Int

    package init(system: String, user: String, schema: String, maxTokens: Int) {
        (self.system, self.user, self.schema, self.maxTokens) = (system, user, schema, maxTokens)
    }
}

/// A model's answer to a prompt.
package struct ChatAnswer: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// The text, without thoughts that are in separate fields. The text itself may contain thoughts.
        case text(String)
        /// Text was only in fields for thoughts or tool calls, in which some servers put an answer.
        case thoughts(String)
        /// The answer did not fit into `max_tokens`; perhaps only thoughts did. The text is the part that was received;
        /// of thoughts, only if they end with what may be an answer.
        case cutOff(String)
        /// The server withheld the answer.
        case filtered
        case empty
    }

    package var outcome: Outcome
    /// `nil` when the server does not report it.
    package var tokens: TokenUsage?
    /// How much of the prompt the model has read, 1 to 1,000,000,000 tokens, including cached ones; `nil` when the
    /// server does not report it.
    package var promptTokens: Int?
    package var model: String?
}
