import Foundation
import Model
import Upstream

/// A server that offers OpenAI's chat completions, such as Ollama, llama.cpp, vLLM or LM Studio.
///
/// It does no I/O: the given closure handles permits, retries and the connection. Throws ``ChatError``, or what the
/// closure throws.
package struct ChatClient: Sendable {
    package typealias Send = @Sendable (UpstreamRequest) async throws -> UpstreamResponse

    private let server: String
    private let key: Secret?
    private let model: String
    private let send: Send

    /// - Parameter server: the server's name in the configuration.
    package init(server: String, key: Secret?, model: String, send: @escaping Send) {
        (self.server, self.key, self.model, self.send) = (server, key, model, send)
    }

    package func complete(_ prompt: ChatPrompt, as style: ChatPrompt.Style) async throws -> ChatAnswer {
        let body = ChatBody(prompt, model: model, style: style)
        var headers: [(String, Secret)] = []
        if let key { headers.append(("Authorization", Secret("Bearer \(key.reveal())"))) }
        let response = try await send(
            UpstreamRequest(
                method: .post, path: "/chat/completions",
                headers: [("Accept", "application/json"), ("Content-Type", "application/json")],
                secretHeaders: headers, body: Array(try body.json()), isIdempotent: true))
        // Some servers also answer errors with 200.
        guard response.isSuccess, let answer = ChatDocument(response.body)?.answer else {
            throw ChatError(response, of: server, asked: prompt.user)
        }
        return answer
    }

    /// What an answer means for its call. A server that is loading its model is asked once more.
    package static func classify(_ response: UpstreamResponse, now: Timestamp = .now()) -> ResponseVerdict {
        switch response.status {
        case 200..<300: .success
        case 429: .retryable(after: RetryAfter.pause(in: response, orElse: .seconds(60), now: now))
        case 503: .retryable(after: RetryAfter.duration(in: response, now: now))
        default: .final
        }
    }
}

private struct ChatBody {
    let prompt: ChatPrompt
    let model: String
    let style: ChatPrompt.Style

    init(_ prompt: ChatPrompt, model: String, style: ChatPrompt.Style) {
        (self.prompt, self.model, self.style) = (prompt, model, style)
    }

    func json() throws -> Data {
        let schema = try JSONSerialization.jsonObject(with: Data(prompt.schema.utf8))
        // Added even if the response format demands it: some servers accept a schema and do not follow it.
        let system = prompt.system + "\nThe answer is one JSON object of this JSON Schema: " + prompt.schema
        let messages =
            style.omits(.system)
            ? [["role": "user", "content": system + "\n\n" + prompt.user]]
            : [["role": "system", "content": system], ["role": "user", "content": prompt.user]]
        var body: [String: Any] = ["model": model, "messages": messages]
        if !style.omits(.stream) { body["stream"] = false }
        if style.omits(.thinking) { body["enable_thinking"] = false }
        if let name = style.room.parameter { body[name] = prompt.maxTokens }
        switch style.form {
        case .jsonSchema:
            var form: [String: Any] = ["name": "list", "schema": schema]
            if !style.omits(.strict) { form["strict"] = true }
            body["response_format"] = ["type": "json_schema", "json_schema": form]
        case .jsonObject: body["response_format"] = ["type": "json_object"]
        case .text: break
        }
        return try JSONSerialization.data(withJSONObject: body, options: [.sortedKeys, .withoutEscapingSlashes])
    }
}
