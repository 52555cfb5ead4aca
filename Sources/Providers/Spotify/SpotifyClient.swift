import Model
import Upstream

/// Spotify's Web API for one person.
///
/// Like ``SpotifyAccountsClient``, it does no I/O. Errors are ``SpotifyError``, or those of `send`.
package struct SpotifyClient: Sendable {
    let accessToken: Secret
    let send: SpotifyAccountsClient.Send

    package init(accessToken: Secret, send: @escaping SpotifyAccountsClient.Send) {
        self.accessToken = accessToken
        self.send = send
    }

    /// The account that a token belongs to. It has at least one of the two ids.
    package struct Profile: Sendable, Equatable {
        /// `account_id`, which never changes. Spotify has sent it since May 2026.
        package var accountID: String?
        /// `id`, which names the owner of a playlist (`owner.id`).
        package var id: String?
        /// The display name; `nil` for accounts without one.
        package var name: String?
        /// The country of the account, such as `CZ`; `nil` for apps in development mode, which do not receive it.
        package var country: String?

        package init(accountID: String?, id: String?, name: String?, country: String? = nil) {
            self.accountID = accountID
            self.id = id
            self.name = name
            self.country = country
        }
    }

    /// `GET /me`, which needs the scope `user-read-private`.
    ///
    /// - Throws: ``SpotifyError``, also when the answer has neither id; and what `send` throws.
    package func me() async throws -> Profile {
        let user = try await read("/me", as: UserResponse.self)
        func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
        let profile = Profile(
            accountID: nonEmpty(user.accountID), id: nonEmpty(user.id), name: nonEmpty(user.displayName),
            country: nonEmpty(user.country))
        guard profile.accountID != nil || profile.id != nil else {
            throw SpotifyError.invalidResponse(reason: "it names no account")
        }
        return profile
    }
}

private struct UserResponse: Decodable {
    var id: String?
    var accountID: String?
    var displayName: String?
    var country: String?

    enum CodingKeys: String, CodingKey {
        case id, country
        case accountID = "account_id"
        case displayName = "display_name"
    }
}
