import Foundation
import Model
import Upstream

/// Why an OpenAI-compatible server gave no usable answer. None of its text is stored: it may repeat the prompt.
package struct ChatError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// The server does not accept this form of `response_format`.
        case formRefused
        /// The server does not accept the parameter that limits the tokens of the answer.
        ///
        /// - Parameter next: how to send the limit instead.
        case roomRefused(next: ChatPrompt.Room)
        /// The server does not accept another parameter, which is one of those that Backline sends.
        case parameterRefused(String)
        case keyRefused
        case modelUnknown
        /// Prompt and answer together are longer than the server's context.
        case tooLong
        /// The server is loading its model.
        case loading
        case tooManyRequests(after: Duration)
        case unreadable
        case upstreamError(status: Int)
    }

    package var kind: Kind
    /// The server's name in the configuration.
    package var server: String

    package init(_ kind: Kind, of server: String) { (self.kind, self.server) = (kind, server) }

    /// - Parameter prompt: what was asked. Servers repeat it in errors, so its words say nothing about the error.
    init(_ response: UpstreamResponse, of server: String, asked prompt: String = "", now: Timestamp = .now()) {
        self.server = server
        let text = ErrorText(Self.message(response), asked: prompt)
        kind =
            switch response.status {
            case 400, 422: text.refusal ?? .upstreamError(status: response.status)
            case 401, 403: .keyRefused
            // From routers: none of their servers accepts the parameters.
            case 404 where !text.contains("'model'"):
                text.named ?? (text.contains("parameter") ? .formRefused : .modelUnknown)
            case 404: .modelUnknown
            case 413: .tooLong
            case 429: .tooManyRequests(after: RetryAfter.pause(in: response, orElse: .seconds(60), now: now))
            case 503: .loading
            case 200..<300: text.named ?? .unreadable
            // Proxies also use these when the server they call refuses the request.
            case 405, 415, 500, 501, 502: text.named ?? .upstreamError(status: response.status)
            default: .upstreamError(status: response.status)
            }
    }

    /// The members in which servers say what an error is about, the name of a refused parameter first. Others, such as
    /// FastAPI's `input`, may repeat the whole request.
    private static let tellingMembers = [
        "param", "message", "msg", "type", "loc", "field", "error", "errors", "detail", "details", "metadata", "raw",
        "fieldViolations", "description", "reason", "title",
    ]
    /// How deep in a document these members are searched for, and how many items of a list are read.
    private static let (deepest, mostItems) = (8, 20)
    /// The most bytes that are read of a text that is not JSON.
    private static let longestText = 4_000

    /// The text of an error, wherever a document has it; the body itself if it is plain text. An HTML page says nothing
    /// about the request.
    private static func message(_ response: UpstreamResponse) -> String {
        if let document = try? JSONSerialization.jsonObject(with: Data(response.body), options: .fragmentsAllowed) {
            return texts(in: document, depth: 0).joined(separator: " ")
        }
        let text = String(decoding: response.body.prefix(longestText), as: UTF8.self)
        return text.first { !$0.isWhitespace } == "<" ? "" : text
    }

    private static func texts(in value: Any, depth: Int) -> [String] {
        guard depth < deepest else { return [] }
        if let text = value as? String {
            // Routers pass on the answer of the server they call.
            guard text.hasPrefix("{"),
                let document = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            else { return [text] }
            return texts(in: document, depth: depth + 1)
        }
        if let items = value as? [Any] { return items.prefix(mostItems).flatMap { texts(in: $0, depth: depth + 1) } }
        guard let members = value as? [String: Any] else { return [] }
        return tellingMembers.flatMap { name in members[name].map { texts(in: $0, depth: depth + 1) } ?? [] }
    }
}

extension ChatError: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .formRefused: "The model's server accepts no answer format that Backline knows."
        case .roomRefused:
            "The model's server accepts neither max_tokens nor max_completion_tokens. Whoever runs this Backline can "
                + "name another model or server (ai.endpoints.\(server))."
        case .parameterRefused(let name) where name == ChatPrompt.Omission.thinking.rawValue:
            // The refused request already had the parameter, set to false.
            "The model's server needs '\(name)' set in a way that Backline does not offer. Whoever runs this Backline "
                + "can name another model or server (ai.endpoints.\(server))."
        case .parameterRefused(let name):
            "The model's server does not accept the parameter '\(name)' of Backline's requests. Whoever runs this "
                + "Backline can name another model or server (ai.endpoints.\(server))."
        case .keyRefused:
            "The model's server refuses Backline's key. Whoever runs this Backline can correct it "
                + "(ai.endpoints.\(server).keyFile)."
        case .modelUnknown:
            "The model's server does not have the model. Whoever runs this Backline can name another one "
                + "(ai.endpoints.\(server).model)."
        case .tooLong:
            "The question is too long for the model. Whoever runs this Backline can correct its context "
                + "size (ai.endpoints.\(server).contextTokens)."
        case .loading: "The model is being loaded. Ask again in a minute."
        case .tooManyRequests: "The model's server asked for a pause. Ask again in a minute."
        case .unreadable: "The model's server did not answer as expected. Ask again in a moment."
        case .upstreamError(let status): "The model's server answered with status \(status). Ask again in a moment."
        }
    }
}

extension ChatError: ProviderError {
    package func failure(at now: Timestamp) -> ProviderFailure {
        let (kind, until): (ProviderFailure.Kind, Timestamp?) =
            switch kind {
            case .keyRefused: (.clientRefused, nil)
            case .formRefused, .roomRefused, .parameterRefused, .modelUnknown, .tooLong: (.requestRefused, nil)
            case .loading: (.serverError, nil)
            case .tooManyRequests(let wait): (.rateLimited, now.advanced(by: wait))
            case .unreadable: (.unreadable, nil)
            case .upstreamError(let status) where status == 408 || status >= 500: (.serverError, nil)
            case .upstreamError: (.requestRefused, nil)
            }
        return ProviderFailure(.aiEndpoint, kind, until: until, message: description)
    }
}
