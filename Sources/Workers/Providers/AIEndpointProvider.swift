import Bootstrap
import ChatCompletions
import Model
import Synchronization
import Upstream

/// The administrator's servers of models.
struct AIEndpointProvider: OpenedProvider {
    /// In the order of the configuration.
    let endpoints: [AIEndpoint]
}

/// One server of a model. It is asked one question at a time: most such servers have one machine.
struct AIEndpoint: Sendable {
    let name: String
    let model: String
    /// Of question and answer together.
    let contextTokens: Int
    private let calls: UpstreamClient
    private let key: Secret?
    private let form = KnownForm()

    fileprivate init(_ endpoint: BacklineConfiguration.Endpoint, runtime: UpstreamRuntime) throws {
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

    /// Whether the server has not refused a schema yet.
    var takesSchemas: Bool { form.present == .jsonSchema }

    /// Asks in the form that the server takes, which is found out once.
    func complete(_ prompt: ChatPrompt) async throws -> ChatAnswer {
        let client = ChatClient(server: name, key: key, model: model, send: calls.send)
        while true {
            let form = form.present
            do {
                return try await client.complete(prompt, as: form)
            } catch let error as ChatError where error.kind == .formRefused {
                guard let next = form.next else { throw error }
                self.form.set(next)
            }
        }
    }
}

/// The form of answers that a server has not refused.
private final class KnownForm: Sendable {
    private let form = Mutex(ChatPrompt.Form.jsonSchema)

    var present: ChatPrompt.Form { form.withLock { $0 } }

    func set(_ form: ChatPrompt.Form) { self.form.withLock { $0 = form } }
}

extension ProviderSet {
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``, or why the file of a key cannot be read.
    func aiEndpoints() throws -> AIEndpointProvider {
        try opened { runtime in
            AIEndpointProvider(endpoints: try configuration.ai.endpoints.map { try AIEndpoint($0, runtime: runtime) })
        }
    }
}
