import Foundation
import Model
import Upstream

/// Why an OpenAI-compatible server gave no usable answer. Nothing of its text is kept: it may repeat the prompt.
package struct ChatError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// The server does not take this form of `response_format`.
        case formRefused
        case keyRefused
        case modelUnknown
        /// Prompt and answer together are longer than the server's context.
        case tooLong
        /// The server loads its model.
        case loading
        case tooManyRequests(after: Duration)
        case unreadable
        case upstreamError(status: Int)
    }

    package var kind: Kind
    /// Its name in the configuration.
    package var server: String

    package init(_ kind: Kind, of server: String) { (self.kind, self.server) = (kind, server) }

    /// - Parameter prompt: what was asked. Servers repeat it in errors, so its words say nothing about the error.
    init(_ response: UpstreamResponse, of server: String, asked prompt: String = "", now: Timestamp = .now()) {
        self.server = server
        let (text, prompt) = (Self.message(response).lowercased(), prompt.lowercased())
        func says(_ word: String) -> Bool { text.contains(word) && !prompt.contains(word) }
        kind =
            switch response.status {
            case 400, 422:
                if ["response_format", "json_schema", "json_object", "grammar"].contains(where: says) {
                    .formRefused
                } else if says("context") {
                    .tooLong
                } else {
                    .upstreamError(status: response.status)
                }
            case 401, 403: .keyRefused
            case 404: .modelUnknown
            case 429: .tooManyRequests(after: RetryAfter.pause(in: response, orElse: .seconds(60), now: now))
            case 503: .loading
            default: .upstreamError(status: response.status)
            }
    }

    /// The text of an error: of `error.message`, of `error` where it is a text, or of `message`.
    private static func message(_ response: UpstreamResponse) -> String {
        guard let json = (try? JSONSerialization.jsonObject(with: Data(response.body))) as? [String: Any] else {
            return ""
        }
        if let text = json["error"] as? String { return text }
        let error = json["error"] as? [String: Any]
        return [error?["message"], error?["type"], json["message"]].compactMap { $0 as? String }
            .joined(separator: " ")
    }
}

extension ChatError: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .formRefused: "The model's server takes no form of answer that Backline knows."
        case .keyRefused:
            "The model's server refuses Backline's key. Whoever runs this Backline can correct it "
                + "(ai.endpoints.\(server).keyFile)."
        case .modelUnknown:
            "The model's server does not have the model. Whoever runs this Backline can name another one "
                + "(ai.endpoints.\(server).model)."
        case .tooLong:
            "The question is too long for the model. Whoever runs this Backline can correct its size "
                + "(ai.endpoints.\(server).contextTokens)."
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
            case .formRefused, .modelUnknown, .tooLong: (.requestRefused, nil)
            case .loading: (.serverError, nil)
            case .tooManyRequests(let wait): (.rateLimited, now.advanced(by: wait))
            case .unreadable: (.unreadable, nil)
            case .upstreamError(let status) where status == 408 || status >= 500: (.serverError, nil)
            case .upstreamError: (.requestRefused, nil)
            }
        return ProviderFailure(.aiEndpoint, kind, until: until, message: description)
    }
}
