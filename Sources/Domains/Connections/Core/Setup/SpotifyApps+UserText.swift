extension SpotifyApps {
    /// What a state means for a person who uses their own app, or has none; `nil` if the usual sentence applies.
    ///
    /// - Parameter isOwn: whether the connection belongs to the person's own app.
    func sentence(for state: ConnectionState, isOwn: Bool) -> String? {
        switch state {
        case .disconnected where chosen == nil:
            "This Backline has no Spotify app. Enter the client id of your own app."
        case .degraded(.accountNotAllowed, _) where isOwn:
            "Spotify does not let your account use your app. Add the account to the app's users in Spotify's developer "
                + "dashboard."
        case .degraded(.ownerPremiumMissing, _) where isOwn:
            "Spotify answers no requests from your app, because its owner has no Premium subscription. When the "
                + "subscription changes, it can take a few hours until Spotify allows requests again."
        case .degraded(.clientRefused, _) where isOwn:
            "Spotify does not accept the client id of your app. Compare it with Spotify's developer dashboard."
        default: nil
        }
    }
}
