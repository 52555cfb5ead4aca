import Model
import Push
import Upstream

/// Publishes messages at ntfy servers (https://docs.ntfy.sh/publish/).
package struct NtfyClient: Sendable {
    private let hosts: PushHosts

    /// - Parameter hosts: ``PushHosts/ntfy(_:)``.
    package init(hosts: PushHosts) {
        self.hosts = hosts
    }

    /// - Parameter person: for whom it is sent; people's messages to one host take turns.
    /// - Throws: `CancellationError`; ``StorageError``.
    package func send(
        _ message: NtfyMessage, to target: NtfyTarget, person: String? = nil
    ) async throws -> PushOutcome {
        var request = UpstreamRequest(
            method: .post, path: "/", headers: [("Content-Type", "application/json"), ("Accept", "application/json")],
            secretHeaders: target.authorization.map { [("Authorization", $0)] } ?? [],
            body: try message.body(for: target), urgency: .background, person: person)
        request.allowedAddresses = target.allowedAddresses
        request.admission = nil
        let response: UpstreamResponse
        do {
            // Plain http leads only to addresses that the administrator has listed.
            response = try await hosts.send(
                request, to: target.host, at: try BaseURL(target.server, plainHTTP: .anywhere))
        } catch let error as UpstreamError {
            return PushOutcome(error)
        }
        return PushOutcome(
            ntfy: response.status, body: response.body, retryAfter: RetryAfter.duration(in: response), at: .now())
    }
}
