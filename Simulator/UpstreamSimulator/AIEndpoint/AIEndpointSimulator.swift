import Foundation
import HTTPTypes
import Model
import Synchronization

/// A simulated server with OpenAI's chat completions, below `/ai-endpoint/v1`.
package final class AIEndpointSimulator: SimulatedUpstream {
    let name = "ai-endpoint"
    let folders = ["ai-endpoint"]
    let recorder: CallRecorder
    private let recordings: Recordings
    private let state = Mutex(AIEndpointSettings.initial)

    /// - Parameter recordings: the songs that the model knows.
    init(latency: Duration = .zero, recordings: Recordings) {
        recorder = CallRecorder(latency: latency)
        self.recordings = recordings
    }

    func answer(_ call: Call) async -> Answer {
        let settings = state.withLock { $0 }
        if let key = settings.key, !key.isEmpty, call.bearerToken != key {
            return Self.refusal(401, "authentication_error", "Invalid API key")
        }
        switch (call.method, call.target.path) {
        case (.get, "/ai-endpoint/v1/models"): return models(settings)
        case (.post, "/ai-endpoint/v1/chat/completions"): return completion(call, settings)
        default: return Self.refusal(404, "not_found_error", "no such path")
        }
    }

    private func models(_ settings: AIEndpointSettings) -> Answer {
        Answer(document: ChatModelsDocument(settings.models ?? []))
    }

    private func completion(_ call: Call, _ settings: AIEndpointSettings) -> Answer {
        guard let body = (try? JSONSerialization.jsonObject(with: Data(call.body.utf8))) as? [String: Any],
            let messages = body["messages"] as? [[String: Any]], let model = body["model"] as? String
        else { return Self.refusal(400, "invalid_request_error", "the body is not a completion request") }
        guard (settings.models ?? []).contains(model) else {
            return Self.refusal(404, "not_found_error", "model \"\(model)\" not found, try pulling it first")
        }
        let format = body["response_format"] as? [String: Any]
        if let type = format?["type"] as? String, type != "text",
            !(settings.forms ?? []).contains(where: { $0.rawValue == type })
        {
            return Self.refusal(
                400, "invalid_request_error", "'response_format.type' must be one of those that this server takes")
        }
        let schema = (format?["json_schema"] as? [String: Any])?["schema"] as? [String: Any]
        let (system, user) = (Self.text("system", in: messages), Self.text("user", in: messages))
        let room = body["max_tokens"] as? Int ?? 2_048
        // The text is silently cut off at the end.
        let context = max(1, (settings.contextTokens ?? 8_192) - room) * 4
        let isCut = system.utf8.count + user.utf8.count > context
        let question = GeminiQuestion(
            system: system, user: user, schema: schema ?? Self.schema(in: system), room: room)
        let writer = GeminiWriter(
            question: question, behaviour: settings.behaviour ?? .plausible, model: .local,
            catalog: recordings.catalog)
        let (text, isWhole) = writer.completion
        let promptTokens = isCut ? context / 4 / 8 : question.promptTokens
        let tokens = text.utf8.count / 4
        let message = schema == nil ? "<think>Which {songs}?</think>\n" + text : text
        return Answer(
            document: ChatCompletionDocument(
                id: "chatcmpl-\(tokens)", model: model,
                choices: [.init(message: .init(content: message), finishReason: isWhole ? "stop" : "length")],
                usage: .init(prompt: promptTokens, completion: tokens)))
    }

    private static func text(_ role: String, in messages: [[String: Any]]) -> String {
        messages.filter { $0["role"] as? String == role }.compactMap { $0["content"] as? String }
            .joined(separator: "\n")
    }

    /// The schema that the instructions name: a good model reads it there.
    private static func schema(in text: String) -> [String: Any]? {
        guard let start = text.range(of: "JSON Schema: ")?.upperBound else { return nil }
        return (try? JSONSerialization.jsonObject(with: Data(text[start...].utf8))) as? [String: Any]
    }

    private static func refusal(_ status: Int, _ type: String, _ message: String) -> Answer {
        Answer(status: status, document: ChatErrorDocument(type, message))
    }

    func refusal(_ rule: FaultRule) -> Answer? {
        switch rule.fault {
        case .limit429: Self.refusal(429, "rate_limit_error", "too many requests")
        case .overloaded503: Self.refusal(503, "unavailable_error", "Loading model")
        default: nil
        }
    }

    var settings: AIEndpointSettings {
        var settings = state.withLock { $0 }
        settings.latencyMs = Int(recorder.latency.microseconds / 1_000)
        return settings
    }

    func apply(_ change: AIEndpointSettings) throws {
        if let latencyMs = change.latencyMs {
            guard latencyMs >= 0 else { throw InvalidSetting(description: "latencyMs must not be negative.") }
            recorder.latency = .milliseconds(latencyMs)
        }
        state.withLock { state in
            state.key = change.key ?? state.key
            state.models = change.models ?? state.models
            state.forms = change.forms ?? state.forms
            state.behaviour = change.behaviour ?? state.behaviour
            state.contextTokens = change.contextTokens ?? state.contextTokens
        }
    }

    /// This upstream has nothing to forget.
    func reset() {}
}
