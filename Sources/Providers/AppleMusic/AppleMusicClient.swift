import Foundation
import Model
import Upstream

/// The parts of the Apple Music API that Backline needs.
///
/// It does no I/O: the given closure handles permits, retries and the connection. Throws ``AppleMusicError``, or what
/// the closure throws.
package struct AppleMusicClient: Sendable {
    package typealias Send = @Sendable (UpstreamRequest) async throws -> UpstreamResponse

    private let developerToken: @Sendable () async throws -> Secret
    private let userToken: Secret
    private let urgency: UpstreamRequest.Urgency
    private let send: Send

    /// - Parameter developerToken: called for each request; throws ``AppleMusicError/privateKeyUnreadable``.
    package init(
        developerToken: @escaping @Sendable () async throws -> Secret, userToken: Secret,
        urgency: UpstreamRequest.Urgency = .interactive, send: @escaping Send
    ) {
        self.developerToken = developerToken
        self.userToken = userToken
        self.urgency = urgency
        self.send = send
    }

    /// Signs a developer token for each request.
    package init(
        developerKey: AppleMusicDeveloperKey, userToken: Secret, urgency: UpstreamRequest.Urgency = .interactive,
        send: @escaping Send
    ) {
        self.init(
            developerToken: { try await developerKey.token() }, userToken: userToken, urgency: urgency, send: send)
    }

    /// The person's storefront, such as `fr`. This is the cheapest call that needs both tokens.
    package func storefront() async throws -> String {
        let list = try await read("/me/storefront", as: StorefrontList.self)
        guard let storefront = list.data?.first?.id else { throw AppleMusicError.unreadable }
        return storefront
    }

    private struct StorefrontList: Decodable {
        struct Storefront: Decodable {
            var id: String?
        }
        var data: [Storefront]?
    }

    /// Reads a document.
    ///
    /// - Parameter path: relative to `/v1`, percent-encoded. Only paths below `/me` concern a person and are sent with
    ///   the user token.
    func read<Document: Decodable>(
        _ path: String, query: [(name: String, value: String)] = [], as type: Document.Type
    ) async throws -> Document {
        try Self.document(type, of: try await answer(.get, path, query: query))
    }

    /// Sends a request.
    ///
    /// - Returns: a successful response.
    /// - Throws: ``AppleMusicError``, and the errors of `send`.
    func answer(
        _ method: UpstreamRequest.Method, _ path: String, query: [(name: String, value: String)] = [],
        body: [UInt8]? = nil
    ) async throws -> UpstreamResponse {
        let isPersonal = path.hasPrefix("/me/")
        let token = try await developerToken()
        var secretHeaders = [(name: "Authorization", value: Secret("Bearer \(token.reveal())"))]
        if isPersonal { secretHeaders.append((name: "Music-User-Token", value: userToken)) }
        var headers = [(name: "Accept", value: "application/json")]
        if body != nil { headers.append((name: "Content-Type", value: "application/json")) }
        let response = try await send(
            UpstreamRequest(
                method: method, path: path, query: query, headers: headers, secretHeaders: secretHeaders, body: body,
                urgency: urgency))
        guard response.isSuccess else { throw AppleMusicError(response, isPersonal: isPersonal) }
        return response
    }

    static func document<Document: Decodable>(
        _ type: Document.Type, of response: UpstreamResponse
    ) throws(AppleMusicError) -> Document {
        guard let document = try? JSONDecoder().decode(type, from: Data(response.body)) else { throw .unreadable }
        return document
    }
}
