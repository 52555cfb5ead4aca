import Model
import Storage

/// A Spotify account, as `GET /me` names it. It has at least one of the two ids.
package struct SpotifyAccount: Sendable, Equatable, Codable {
    /// Spotify's `account_id`, which never changes; `nil` when Spotify did not send it.
    package var accountID: String?
    /// Spotify's `id`, which names the owner of a playlist.
    package var spotifyUserID: String?
    /// The display name; `nil` for accounts without one.
    package var name: String?
    /// The country whose catalog the account sees, such as `CZ`; `nil` if Spotify does not report it.
    package var country: String?

    package init(accountID: String?, spotifyUserID: String?, name: String?, country: String? = nil) {
        self.accountID = accountID
        self.spotifyUserID = spotifyUserID
        self.name = name
        self.country = country
    }

    /// The id that stored data of the account refers to.
    package var id: String { accountID ?? spotifyUserID ?? "" }

    /// The name to show to the account's owner.
    package var displayName: String { name ?? spotifyUserID ?? id }

    /// Whether a connection belongs to this account; `nil` when the connection's account is unknown.
    ///
    /// If both sides have an `account_id`, only those are compared. Otherwise the `id`s are compared.
    package func isAccount(of record: ConnectionRecord?) -> Bool? {
        guard let record, let known = record.accountID else { return nil }
        if known == id { return true }
        // If only one id is known, it can be either of the two.
        let knownUserID = record.accountUserID ?? known
        guard accountID == nil || known == knownUserID else { return false }
        return spotifyUserID == knownUserID
    }

    func write(to record: inout ConnectionRecord) {
        // Data stored under an `account_id` remains the account's when Spotify omits the id.
        if accountID != nil || isAccount(of: record) != true { record.accountID = id }
        (record.accountUserID, record.accountName) = (spotifyUserID, displayName)
        record.details = country.map { SpotifyDetails(country: $0).storage }
    }

    /// Stores the account that Spotify has just named for the connection's token.
    ///
    /// - Parameter authorizedAt: the time of the connection whose token made the call. A connection that was made
    ///   since, perhaps with another account, is left alone.
    package func store(userID: String, authorizedAt: Timestamp?, in transaction: WriteTransaction) throws {
        let present = try transaction.connections.record(userID: userID, provider: Provider.spotify.rawValue)
        guard present?.authorizedAt == authorizedAt else { return }
        try transaction.connections.handle(.answered, userID: userID, provider: .spotify, now: .now()) { record in
            guard record.state == ConnectionState.Name.connected.rawValue, isAccount(of: record) != false else {
                return
            }
            write(to: &record)
        }
    }
}
