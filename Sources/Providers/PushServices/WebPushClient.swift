import Model
import Push
import Upstream

/// Sends messages to browsers (RFC 8030, RFC 8291, RFC 8292).
package struct WebPushClient: Sendable {
    private let hosts: PushHosts
    private let tokens: VAPIDTokens

    /// - Parameter hosts: ``PushHosts/webPush(_:)``.
    package init(hosts: PushHosts, tokens: VAPIDTokens) {
        (self.hosts, self.tokens) = (hosts, tokens)
    }

    /// Encrypts and sends a message.
    ///
    /// - Parameter person: for whom it is sent; people's messages to one host take turns.
    /// - Throws: `CancellationError`; ``StorageError``; an error of the cryptography, which valid keys never cause.
    package func send(
        _ message: WebPushMessage, to subscription: WebPushSubscription, person: String? = nil
    ) async throws -> PushOutcome {
        var request = UpstreamRequest(
            method: .post, path: "/", headers: message.headers,
            secretHeaders: [("Authorization", try tokens.authorization(for: subscription.origin))],
            body: try WebPushEncryption.body(message.content, for: subscription), urgency: .background,
            person: person)
        request.secretTarget = subscription.target
        request.allowedAddresses = subscription.allowedAddresses
        request.admission = nil
        let response: UpstreamResponse
        do {
            response = try await hosts.send(
                request, to: subscription.host, at: try BaseURL(subscription.origin))
        } catch let error as UpstreamError {
            return PushOutcome(error)
        }
        let outcome = PushOutcome(
            webPush: response.status, body: response.body, retryAfter: RetryAfter.duration(in: response), at: .now())
        if case .refused = outcome { tokens.forget(subscription.origin) }
        return outcome
    }
}
