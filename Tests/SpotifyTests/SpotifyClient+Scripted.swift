import Model
import TestSupport

@testable import Spotify

extension SpotifyClient {
    /// A client whose calls need no network.
    init(_ upstream: ScriptedUpstream) {
        self.init(accessToken: Secret("t"), send: upstream.send)
    }
}
