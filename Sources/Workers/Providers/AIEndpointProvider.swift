import Bootstrap
import ChatCompletions
import Curation
import Model
import Settings
import Synchronization
import Upstream

/// The language model servers that the administrator has configured.
package struct AIEndpointProvider: OpenedProvider {
    /// In the order of the configuration.
    package let endpoints: [AIEndpoint]
}

/// One model server. It is asked one question at a time: most such servers are a single machine.
package struct AIEndpoint: Sendable {
    package let name: String
    package let model: String
    /// The tokens of the question and the answer together.
    package let contextTokens: Int
    private let calls: UpstreamClient
    private let key: Secret?
    private let style = KnownStyle()

    fileprivate init(_ endpoint: CurationSettings.Endpoint, runtime: UpstreamRuntime) throws {
        (name, model, contextTokens) = (endpoint.name, endpoint.model, endpoint.contextTokens)
        key = try endpoint.keyFile.map { try SecretFile.read($0) }
        calls = UpstreamClient(
            runtime: runtime, provider: Provider.aiEndpoint.rawValue,
            baseURL: try BaseURL(endpoint.url, plainHTTP: .privateNetwork), credential: key, scope: endpoint.url,
            limit: PermitLimit(requests: 1, window: .milliseconds(100)),
            limits: TransferLimits(totalTimeout: endpoint.timeout),
            policy: RetryPolicy(maximumAttempts: 2, waitLimit: endpoint.timeout),
            classify: { ChatClient.classify($0) })
    }

    /// Whether the server has not refused a schema recently.
    package var takesSchemas: Bool { style.present(at: .now()).form == .jsonSchema }

    /// Asks in the style that the server accepts, which is determined at most once an hour.
    package func complete(_ prompt: ChatPrompt) async throws -> ChatAnswer {
        let client = ChatClient(server: name, key: key, model: model, send: calls.send)
        var style = style.present(at: .now())
        for _ in 0..<ChatPrompt.Style.most {
            do {
                let answer = try await client.complete(prompt, as: style)
                self.style.recordAccepted(style, at: .now())
                return answer
            } catch let error as ChatError {
                guard let next = style.after(error) else { throw error }
                style = next
            }
        }
        throw ChatError(.formRefused, of: name)
    }
}

/// The style of questions that a server accepts.
///
/// A style counts as refused only once the server has accepted the same question in another style: an error may be
/// about the question itself, and one person's question must not decide for everyone.
private final class KnownStyle: Sendable {
    private static let retention = Duration.seconds(3_600)

    private struct State {
        var style: ChatPrompt.Style
        var until: MonotonicInstant
    }
    private let known = Mutex<State?>(nil)

    func present(at now: MonotonicInstant) -> ChatPrompt.Style {
        known.withLock { known in
            guard let known, now < known.until else { return ChatPrompt.Style() }
            return known.style
        }
    }

    /// Notes the style in which a question was accepted, after earlier ones were refused.
    func recordAccepted(_ style: ChatPrompt.Style, at now: MonotonicInstant) {
        guard style != present(at: now) else { return }
        known.withLock { $0 = State(style: style, until: now.advanced(by: Self.retention)) }
    }
}

extension ProviderSet {
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``, or the reason why a key file cannot be read.
    package func aiEndpoints() throws -> AIEndpointProvider {
        try opened { runtime in
            let endpoints = configuration[CurationSettings.self].endpoints
            return AIEndpointProvider(endpoints: try endpoints.map { try AIEndpoint($0, runtime: runtime) })
        }
    }
}
