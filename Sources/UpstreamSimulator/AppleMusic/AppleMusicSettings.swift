/// What `POST /_sim/apple-music/config` changes while the simulator runs; what is left out stays.
struct AppleMusicSettings: Sendable, Codable, Equatable {
    var latencyMs: Int?
    /// Ten characters each.
    var teamID: String?
    var keyID: String?
    /// PEM of the P-256 key that developer tokens are checked against.
    var publicKey: String?
    /// Music user tokens that are good, each with the storefront of its person, such as `fr`.
    var userTokens: [String: String]?
}

/// What somebody needs to connect Apple Music, as its developer portal and MusicKit hand it out:
/// `GET /_sim/apple-music/key`.
struct AppleMusicKey: Sendable, Codable {
    var teamId: String
    var keyId: String
    /// PEM, as in the `.p8` file.
    var privateKey: String
    var userToken: String
}
