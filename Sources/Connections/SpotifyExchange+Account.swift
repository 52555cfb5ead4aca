import Contracts
import Model
import Storage

extension SpotifyExchange {
    /// The account behind a token.
    package struct Account: Sendable, Equatable {
        package var id: String
        package var name: String?

        package init(id: String, name: String?) {
            self.id = id
            self.name = name
        }

        /// What people know it by.
        package var displayName: String { name ?? id }

        /// Writes down whose account is connected, as a call with its token has just told.
        ///
        /// - Parameter authorizedAt: of the connection that was asked of. One that was made since, perhaps with
        ///   another account, is left alone.
        package func store(userID: String, authorizedAt: Timestamp?, in transaction: WriteTransaction) throws {
            let present = try transaction.connections.record(
                userID: userID, provider: CredentialProvider.spotify.rawValue)
            guard present?.authorizedAt == authorizedAt else { return }
            try transaction.connections.handle(.answered, userID: userID, provider: .spotify, now: .now()) { record in
                guard record.state == ConnectionState.Name.connected.rawValue else { return }
                (record.accountID, record.accountName) = (id, displayName)
            }
        }
    }
}
