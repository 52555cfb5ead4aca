import Bootstrap
import ITunes
import Model
import Upstream

/// The iTunes Search API, which counts all calls from this address together.
package struct ITunesProvider: OpenedProvider {
    private let client: ITunesClient

    fileprivate init(providers: ProviderSet, runtime: UpstreamRuntime) throws {
        let calls = try providers.calls(
            .itunes, by: runtime, timeout: RetryPolicy.interactiveTimeout, classify: { ITunesClient.classify($0) })
        client = ITunesClient(send: calls(nil, .interactive).send)
    }

    /// Calls while somebody waits.
    ///
    /// - Throws: ``ProviderFailure``; what the database throws.
    package func call<Value>(_ body: (ITunesClient) async throws -> Value) async throws -> Value {
        try await ProviderFailure.translating(.itunes) { try await body(client) }
    }
}

extension ProviderSet {
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    package func itunes() throws -> ITunesProvider {
        try opened { try ITunesProvider(providers: self, runtime: $0) }
    }
}
