import Foundation
import Model
import Upstream

/// The Apple Music API, as far as Backline needs it.
///
/// It does no I/O: the given closure handles permits, retries and the connection. Throws ``AppleMusicError``, or what
/// the closure throws.
package struct AppleMusicClient: Sendable {
    package typealias Send = @Sendable (UpstreamRequest) async throws -> UpstreamResponse

    private let developerKey: AppleMusicDeveloperKey
    private let userToken: Secret
    private let urgency: UpstreamRequest.Urgency
    private let send: Send

    package init(
        developerKey: AppleMusicDeveloperKey, userToken: Secret, urgency: UpstreamRequest.Urgency = .interactive,
        send: @escaping Send
    ) {
        self.developerKey = developerKey
        self.userToken = userToken
        self.urgency = urgency
        self.send = send
    }

    /// The person's storefront, such as `fr`. The cheapest call that needs both tokens.
    package func storefront() async throws -> String {
        let token = try await developerKey.token()
        let response = try await send(
            UpstreamRequest(
                path: "/me/storefront", headers: [("Accept", "application/json")],
                secretHeaders: [
                    ("Authorization", Secret("Bearer \(token.reveal())")), ("Music-User-Token", userToken),
                ], urgency: urgency))
        guard response.isSuccess else { throw AppleMusicError(response) }
        guard let list = try? JSONDecoder().decode(StorefrontList.self, from: Data(response.body)),
            let storefront = list.data?.first?.id
        else { throw AppleMusicError.unreadable }
        return storefront
    }

    private struct StorefrontList: Decodable {
        struct Storefront: Decodable {
            var id: String?
        }
        var data: [Storefront]?
    }
}
