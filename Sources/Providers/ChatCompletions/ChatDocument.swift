import Model

/// A completion as servers of all kinds answer it. Every field may be missing or of another type.
struct ChatDocument: Decodable {
    var choices: [Choice]?
    var usage: Usage?
    var model: String?

    private enum CodingKeys: String, CodingKey { case choices, usage, model }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        choices = container.lenient([Choice].self, .choices)
        usage = container.lenient(Usage.self, .usage)
        model = container.lenient(String.self, .model)
    }

    /// `nil` for a document without any choice, which is none of a completion.
    var answer: ChatAnswer? {
        guard let choices else { return nil }
        let tokens = usage.flatMap {
            TokenUsage(total: $0.totalTokens, input: $0.promptTokens, output: [$0.completionTokens])
        }
        return ChatAnswer(
            outcome: choices.first?.outcome ?? .empty, tokens: tokens, promptTokens: usage?.promptTokens, model: model)
    }

    struct Usage: Decodable {
        var promptTokens: Int?
        var completionTokens: Int?
        var totalTokens: Int?

        enum CodingKeys: String, CodingKey {
            case promptTokens = "prompt_tokens"
            case completionTokens = "completion_tokens"
            case totalTokens = "total_tokens"
        }
    }

    struct Choice: Decodable {
        /// Of the older completions.
        var text: String?
        var message: Message?
        var finishReason: String?

        private enum CodingKeys: String, CodingKey {
            case text, message
            case finishReason = "finish_reason"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            text = container.lenient(String.self, .text)
            message = container.lenient(Message.self, .message)
            finishReason = container.lenient(String.self, .finishReason)
        }

        fileprivate var outcome: ChatAnswer.Outcome {
            switch finishReason {
            case "length": return .cutOff
            case "content_filter": return .filtered
            default: break
            }
            let content = message?.content ?? text ?? ""
            if content.contains(where: { !$0.isWhitespace }) { return .text(content) }
            if message?.isRefusal == true { return .filtered }
            let thoughts = message?.thoughts ?? ""
            return thoughts.contains { !$0.isWhitespace } ? .thoughts(thoughts) : .empty
        }
    }

    struct Message: Decodable {
        var content: String?
        /// What stands in other fields: local servers put the answer there when they take all of it for thoughts, and
        /// others call the schema a tool.
        var thoughts: String?
        /// Whether the model says in a field of its own that it refuses.
        var isRefusal: Bool

        private enum CodingKeys: String, CodingKey {
            case content, refusal, reasoning, thinking
            case reasoningContent = "reasoning_content"
            case reasoningDetails = "reasoning_details"
            case toolCalls = "tool_calls"
            case functionCall = "function_call"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            content = container.lenient(MessageText.self, .content)?.text
            isRefusal = container.lenient(String.self, .refusal).map { !$0.isEmpty } ?? false
            let fields: [CodingKeys] = [.reasoning, .reasoningContent, .thinking, .reasoningDetails]
            // Some servers give one text in two fields.
            let thoughts = fields.lazy.compactMap { container.lenient(MessageText.self, $0)?.all }.first { !$0.isEmpty }
            let calls =
                (container.lenient([ToolCall].self, .toolCalls) ?? []).compactMap(\.function?.arguments)
                + [container.lenient(ToolCall.Function.self, .functionCall)?.arguments].compactMap(\.self)
            // The call comes after the thoughts about it.
            let texts = [thoughts].compactMap(\.self) + calls
            self.thoughts = texts.isEmpty ? nil : texts.joined(separator: "\n")
        }
    }

    private struct ToolCall: Decodable {
        struct Function: Decodable { var arguments: String? }
        var function: Function?
    }
}

/// A text, or a list of parts of one. Parts of thoughts are not among its ``text``.
private struct MessageText: Decodable {
    var text = ""
    /// With the parts of thoughts.
    var all = ""

    private struct Part: Decodable {
        var type: String?
        var text: String?

        private enum CodingKeys: String, CodingKey { case type, text, content, value }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self.text = text
                return
            }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            type = container.lenient(String.self, .type)
            text =
                container.lenient(String.self, .text) ?? container.lenient(String.self, .content)
                ?? (try? container.nestedContainer(keyedBy: CodingKeys.self, forKey: .text))?.lenient(
                    String.self, .value)
        }

        var isThought: Bool {
            guard let type = type?.lowercased() else { return false }
            return type.contains("think") || type.contains("reason") || type.contains("thought")
        }
    }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            (self.text, all) = (text, text)
        } else if var list = try? decoder.unkeyedContainer() {
            while !list.isAtEnd {
                guard let part = try? list.decode(Part.self) else {
                    // A part that cannot be read costs no other one.
                    _ = try list.decode(Anything.self)
                    continue
                }
                add(part)
            }
        } else {
            add(try Part(from: decoder))
        }
    }

    private mutating func add(_ part: Part) {
        guard let content = part.text else { return }
        all += content
        if !part.isThought { text += content }
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }
}

extension KeyedDecodingContainer {
    /// The value; `nil` when it is missing, null or of another type.
    fileprivate func lenient<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        (try? decodeIfPresent(type, forKey: key)) ?? nil
    }
}
