import Contracts
import LinkedAccounts
import Model
import Storage

/// A person who asks Spotify about its catalog, as the connection is at the moment.
struct CatalogAsker: Sendable {
    let userID: String
    /// ``ConnectionRecord/consentMark``.
    let account: String
    /// The country whose catalog the account sees; empty where Spotify does not tell.
    let market: String

    /// - Parameters:
    ///   - installation: the installation's client id at Spotify.
    ///   - scopes: what the person has to have allowed.
    /// - Throws: ``Problem`` `spotifyNotConnected` or `scopeMissing`.
    init(userID: String, installation: String?, scopes: [String] = [], in reader: some SQLReader) throws {
        guard let record = try reader.connections.record(userID: userID, provider: Provider.spotify.rawValue) else {
            throw Problem.spotifyNotConnected(again: false)
        }
        let apps = try reader.connections.spotifyApps(userID: userID, installation: installation)
        let state = try record.connectionState(at: .now(), clientID: apps.client(of: record))
        guard state.isUsable else {
            if case .needsReconnect = state { throw Problem.spotifyNotConnected(again: true) }
            throw Problem.spotifyNotConnected(again: false)
        }
        let granted = record.scopes?.split(separator: " ").map(String.init) ?? []
        let missing = scopes.filter { !granted.contains($0) }
        guard missing.isEmpty else { throw Problem.scopeMissing(missing) }
        self.userID = userID
        account = record.consentMark
        market = record.spotifyCountry ?? ""
    }
}
