import Model

/// A completion in any of the shapes that servers return: OpenAI's, or that of another API that a proxy passes on.
struct ChatDocument {
    private let root: ChatValue

    /// - Returns: `nil` for a body that is neither JSON nor a stream of events with JSON.
    init?(_ body: [UInt8]) {
        guard let root = ChatValue(json: body) ?? ChatStream.document(body) else { return nil }
        self.root = root
    }

    /// `nil` for a document without a choice, or anything equivalent: it is not a completion.
    var answer: ChatAnswer? {
        guard let choices else { return nil }
        let outcomes = choices.map(\.outcome)
        let usage = root["usage"]
        let prompt = usage.flatMap { Self.promptTokens(in: $0) }
        let tokens = usage.flatMap {
            TokenUsage(
                total: $0["total_tokens"]?.number, input: prompt,
                output: [$0.first(of: ["completion_tokens", "output_tokens"])?.number])
        }
        let outcome = outcomes.first { if case .text = $0 { true } else { false } } ?? outcomes.first ?? .empty
        // Every prompt has tokens: a server that reports none has not counted those it had cached.
        let read = prompt == 0 ? nil : prompt
        return ChatAnswer(outcome: outcome, tokens: tokens, promptTokens: read, model: root["model"]?.text)
    }

    /// The tokens of the whole prompt. Anthropic's `input_tokens` excludes those that were read from or written to its
    /// cache.
    private static func promptTokens(in usage: ChatValue) -> Int? {
        func number(_ name: String) -> Int? {
            usage[name]?.number.flatMap { $0 < 0 ? nil : Int(clamping: $0, to: serviceNumbers) }
        }
        if let whole = number("prompt_tokens") { return whole }
        guard let uncached = number("input_tokens") else { return nil }
        let cached = ["cache_read_input_tokens", "cache_creation_input_tokens"].compactMap(number)
        return Int(clamping: cached.reduce(uncached, +), to: serviceNumbers)
    }

    private var choices: [ChatChoice]? {
        if let choices = root["choices"] { return (choices.items ?? [choices]).map { ChatChoice($0) } }
        // Gemini's shape, and those that wrap the answer in a list.
        if let candidates = (root["candidates"] ?? root).items, let first = candidates.first {
            return first.names?.isDisjoint(with: ChatChoice.contents) ?? true ? nil : [ChatChoice(first)]
        }
        // Ollama's and Anthropic's shapes, and OpenAI's newer one.
        let hasMessage = root["message"]?.names != nil
        let hasContent = !(root.names ?? []).isDisjoint(with: ChatChoice.contents)
        return hasMessage || hasContent ? [ChatChoice(root)] : nil
    }
}

/// One of the answers in a document.
private struct ChatChoice {
    /// Members in which servers return the text.
    static let contents = ["content", "text", "output_text", "output", "response", "generated_text"]
    /// Members that contain thoughts. Local servers put the answer there when they mistake all of it for thoughts.
    static let reasoning = [
        "reasoning", "reasoning_content", "thinking", "reasoning_details", "thoughts", "reasoning_text", "thought",
        "thinking_content", "thinking_blocks",
    ]
    /// A member in which proxies pass on what the server behind them returned beside the text.
    private static let passedOn = "provider_specific_fields"
    private static let reasons = ["finish_reason", "stop_reason", "done_reason", "finishReason"]
    private static let cutOff: Set<String> = [
        "length", "max_tokens", "model_length", "max_output_tokens", "max_length",
    ]
    private static let filtered: Set<String> = [
        "content_filter", "safety", "recitation", "prohibited_content", "blocklist", "refusal",
    ]

    private let choice: ChatValue
    private let message: ChatValue

    init(_ choice: ChatValue) {
        self.choice = choice
        // The older completions API has no message, and some servers have a text in its place.
        let message = choice.first(of: ["message", "delta"]) ?? choice
        self.message = message.text == nil ? message : ChatValue(members: ["content": message])
    }

    var outcome: ChatAnswer.Outcome {
        let reason = choice.first(of: Self.reasons)?.text?.lowercased()
        if let reason, Self.filtered.contains(reason) { return .filtered }
        let content = ChatText(message.first(of: Self.contents) ?? choice.first(of: Self.contents))
        let calls = calls
        // Beside a call there may be an announcement of it, or an answer, which then counts as the last one.
        let text = content.text.isBlankOrTags ? "" : (calls + [content.text]).joined(separator: "\n")
        let reasoning =
            [message, message[Self.passedOn]].lazy.compactMap(\.self)
            .flatMap { fields in Self.reasoning.lazy.compactMap { name in fields[name].map { ChatText($0).all } } }
            // Some servers return the same text in two fields.
            .first { !$0.isBlank } ?? content.thoughts
        // The call comes after the thoughts about it.
        let thoughts = ([reasoning] + calls).filter { !$0.isBlank }.joined(separator: "\n")
        if let reason, Self.cutOff.contains(reason) {
            // Unfinished thoughts contain drafts. Only their end may be an answer.
            let end = thoughts.last { !$0.isWhitespace }
            return .cutOff(!text.isEmpty ? text : end.map { "}]`".contains($0) } ?? false ? thoughts : "")
        }
        if !text.isEmpty { return .text(text) }
        if message["refusal"]?.text.map({ !$0.isEmpty }) ?? false { return .filtered }
        return thoughts.isEmpty ? .empty : .thoughts(thoughts)
    }

    /// The arguments of tool calls, which some servers turn the schema into.
    private var calls: [String] {
        let calls = message["tool_calls"].map { $0.items ?? [$0] } ?? []
        let values = (calls + [message["function_call"]].compactMap(\.self)).compactMap { call in
            (call["function"] ?? call).first(of: ["arguments", "parameters", "input", "args"])
        }
        return (values + [message["parsed"]].compactMap(\.self)).map { ChatText($0).all }.filter { !$0.isBlank }
    }
}

/// A completion in parts, as sent by servers that ignore `stream`.
private enum ChatStream {
    /// The parts as one document; `nil` for a body without parts.
    static func document(_ body: [UInt8]) -> ChatValue? {
        var (content, thoughts, arguments) = ("", "", "")
        var root: [String: ChatValue] = [:]
        var choice: [String: ChatValue] = [:]
        var hasParts = false
        for line in body.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            guard let part = part(line) else { continue }
            for name in ["usage", "model", "error"] { root[name] = part[name] ?? root[name] }
            guard let first = part["choices"]?.items?.first else { continue }
            hasParts = true
            choice["finish_reason"] = first["finish_reason"] ?? choice["finish_reason"]
            guard let delta = first.first(of: ["delta", "message"]) else { continue }
            content += ChatText(delta["content"]).text
            thoughts += delta.first(of: ChatChoice.reasoning).map { ChatText($0).all } ?? ""
            for call in delta["tool_calls"]?.items ?? [] { arguments += call["function"]?["arguments"]?.text ?? "" }
        }
        guard hasParts || root["error"] != nil else { return nil }
        if hasParts {
            let call = ChatValue(members: ["arguments": ChatValue(text: arguments)])
            choice["message"] = ChatValue(members: [
                "content": ChatValue(text: content), "reasoning": ChatValue(text: thoughts),
                "tool_calls": ChatValue(items: [call]),
            ])
            root["choices"] = ChatValue(items: [ChatValue(members: choice)])
        }
        return ChatValue(members: root)
    }

    private static func part(_ line: ArraySlice<UInt8>) -> ChatValue? {
        let field = Array("data:".utf8)
        return line.starts(with: field) ? ChatValue(json: line.dropFirst(field.count)) : nil
    }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }

    /// Whether the text has nothing but tags, such as the `</think>` that is left of thoughts in another field.
    fileprivate var isBlankOrTags: Bool {
        var isTag = false
        for character in self {
            switch character {
            case "<" where !isTag: isTag = true
            case ">" where isTag: isTag = false
            case _ where isTag && (character.isLetter || "/_-|".contains(character)): continue
            case _ where !isTag && character.isWhitespace: continue
            default: return false
            }
        }
        return !isTag
    }
}
