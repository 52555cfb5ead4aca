import Model
import Upstream

/// Spotify's Web API for one person.
///
/// It does no I/O of its own, like ``SpotifyAccountsClient``; errors are ``SpotifyError``, or what its closure throws.
package struct SpotifyClient: Sendable {
    let accessToken: Secret
    let send: SpotifyAccountsClient.Send

    package init(accessToken: Secret, send: @escaping SpotifyAccountsClient.Send) {
        self.accessToken = accessToken
        self.send = send
    }

    /// The account that a token belongs to.
    package struct Profile: Sendable, Equatable {
        /// `account_id` where the answer has it, since it never changes; else `id`.
        package var id: String
        /// As others see it; `nil` for accounts without one.
        package var name: String?

        package init(id: String, name: String?) {
            self.id = id
            self.name = name
        }
    }

    /// `GET /me`, which wants the scope `user-read-private`.
    package func me() async throws -> Profile {
        let user = try await read("/me", as: UserResponse.self)
        guard let id = [user.accountID, user.id].compactMap(\.self).first(where: { !$0.isEmpty }) else {
            throw SpotifyError.invalidResponse(reason: "it names no account")
        }
        return Profile(id: id, name: user.displayName.flatMap { $0.isEmpty ? nil : $0 })
    }
}

private struct UserResponse: Decodable {
    var id: String?
    var accountID: String?
    var displayName: String?

    enum CodingKeys: String, CodingKey {
        case id
        case accountID = "account_id"
        case displayName = "display_name"
    }
}
