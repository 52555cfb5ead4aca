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

    /// Whether the server has not refused a schema lately.
    var takesSchemas: Bool { form.present(at: .now()) == .jsonSchema }

    /// Asks in the form that the server takes, which is found out once in an hour.
    func complete(_ prompt: ChatPrompt) async throws -> ChatAnswer {
        let client = ChatClient(server: name, key: key, model: model, send: calls.send)
        var form = form.present(at: .now())
        while true {
            do {
                let answer = try await client.complete(prompt, as: form)
                self.form.noteAccepted(form, at: .now())
                return answer
            } catch let error as ChatError where error.kind == .formRefused {
                guard let next = form.next else { throw error }
                form = next
            }
        }
    }
}

/// The form of answers that a server takes.
///
/// That a server refuses one is known only once it has taken the same question in another one: an error may be about the
/// question itself, and that of one person must not decide for all.
private final class KnownForm: Sendable {
    private static let retention = Duration.seconds(3_600)

    private struct Known {
        var form: ChatPrompt.Form
        var until: MonotonicInstant
    }
    private let known = Mutex<Known?>(nil)

    func present(at now: MonotonicInstant) -> ChatPrompt.Form {
        known.withLock { known in
            guard let known, now < known.until else { return .jsonSchema }
            return known.form
        }
    }

    /// Notes the form in which a question was taken, after those before it were refused.
    func noteAccepted(_ form: ChatPrompt.Form, at now: MonotonicInstant) {
        guard form != present(at: now) else { return }
        known.withLock { $0 = Known(form: form, until: now.advanced(by: Self.retention)) }
    }
}

extension ProviderSet {
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``, or why the file of a key cannot be read.
    func aiEndpoints() throws -> AIEndpointProvider {
        try opened { runtime in
            AIEndpointProvider(endpoints: try configuration.ai.endpoints.map { try AIEndpoint($0, runtime: runtime) })
        }
    }
}
