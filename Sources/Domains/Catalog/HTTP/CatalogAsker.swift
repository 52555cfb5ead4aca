import Connections
import Contracts
import Gateway
import Library
import Model
import Storage

/// A person who asks a service about its catalog, as the connection is at the moment.
struct CatalogAsker: Sendable {
    let userID: String
    let source: MusicSource
    /// ``ConnectionRecord/consentMark``.
    let account: String
    /// The country whose catalog the account sees. It is empty where Spotify does not name it, and until the first sync
    /// of the library has asked Apple Music.
    let market: String

    /// - Parameters:
    ///   - spotifyClientID: the installation's client id at Spotify.
    ///   - scopes: the scopes that the person has to have granted.
    /// - Throws: ``Problem`` `spotifyNotConnected`, `appleMusicNotConnected` or `scopeMissing`.
    init(
        userID: String, source: MusicSource, spotifyClientID: String?, scopes: [String] = [],
        in reader: some SQLReader
    ) throws {
        guard let provider = source.provider,
            let record = try reader.connections.record(userID: userID, provider: provider.rawValue)
        else {
            throw Problem.notConnected(to: source, again: false)
        }
        let clientID: String?
        switch source {
        case .spotify:
            let apps = try reader.connections.spotifyApps(userID: userID, installation: spotifyClientID)
            clientID = apps.client(of: record)
            market = record.spotifyCountry ?? ""
        case .appleMusic:
            clientID = nil
            market = try reader.library.storefront(of: source, userID: userID) ?? ""
        case .file: throw Problem.notConnected(to: source, again: false)
        }
        let state = try record.connectionState(at: .now(), clientID: clientID)
        guard state.isUsable else {
            if case .needsReconnect = state { throw Problem.notConnected(to: source, again: true) }
            throw Problem.notConnected(to: source, again: false)
        }
        let granted = record.scopes?.split(separator: " ").map(String.init) ?? []
        let missing = scopes.filter { !granted.contains($0) }
        guard missing.isEmpty else { throw Problem.scopeMissing(missing) }
        self.userID = userID
        self.source = source
        account = record.consentMark
    }
}
