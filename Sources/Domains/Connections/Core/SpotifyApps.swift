import Model
import Storage

/// The apps in Spotify's developer dashboard that a person's connection can belong to, by their client ids.
package struct SpotifyApps: Sendable, Equatable {
    /// The app that the person has registered; `nil` for none.
    package var own: String?
    /// The installation's app; `nil` for none.
    package var installation: String?

    package init(own: String?, installation: String?) {
        self.own = own
        self.installation = installation
    }

    /// The app with which the person will connect next; `nil` when they cannot.
    package var chosen: String? { own ?? installation }

    /// The app that a connection's tokens must belong to: the one that the consent was given to, as long as it is one
    /// of the two. So a connection continues to work when its person enters their own app, until they connect with it.
    package func client(of record: ConnectionRecord?) -> String? {
        guard let granted = record?.clientID else { return record == nil ? chosen : installation ?? own }
        return granted == own || granted == installation ? granted : chosen
    }

    /// Whether a connection belongs to the person's own app, or the next one will.
    package func isOwn(_ record: ConnectionRecord?) -> Bool { own != nil && client(of: record) == own }
}

extension ConnectionStore {
    /// - Parameter installation: the installation's client id at Spotify.
    package func spotifyApps(userID: String, installation: String?) throws -> SpotifyApps {
        SpotifyApps(
            own: try personalApp(userID: userID, provider: Provider.spotify.rawValue), installation: installation)
    }
}

extension ConnectionStore where Access == WriteTransaction {
    /// Stores the client id of a person's own Spotify app. Attempts under way continue with the app that they began
    /// with.
    package func setSpotifyApp(_ clientID: String, userID: String, now: Timestamp) throws {
        try putPersonalApp(clientID, userID: userID, provider: Provider.spotify.rawValue, now: now)
        try recordChangedApp(userID: userID, now: now)
    }

    /// Deletes the client id of a person's own Spotify app. A connection that belongs to it has to be made again.
    package func deleteSpotifyApp(userID: String, now: Timestamp) throws {
        guard try deletePersonalApp(userID: userID, provider: Provider.spotify.rawValue) else { return }
        try recordChangedApp(userID: userID, now: now)
    }

    /// Reports this as a change of the setup step that shows it.
    private func recordChangedApp(userID: String, now: Timestamp) throws {
        var record =
            try record(userID: userID, provider: Provider.spotify.rawValue)
            ?? ConnectionRecord(userID: userID, provider: .spotify, now: now)
        record.updatedAt = now
        try put(record, now: now)
    }
}
