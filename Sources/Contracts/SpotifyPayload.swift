/// The payload of `spotify.authorize`, version 1: an attempt to connect whose code has come.
package struct SpotifyAuthorizePayload: Codable, Sendable, Equatable {
    package var authorizationID: String

    package init(authorizationID: String) {
        self.authorizationID = authorizationID
    }
}
