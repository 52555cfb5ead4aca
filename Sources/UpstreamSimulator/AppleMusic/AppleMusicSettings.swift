/// The settings of `/_sim/apple-music/config`. In a change, missing members stay as they are.
struct AppleMusicSettings: Sendable, Codable, Equatable {
    var latencyMs: Int?
    /// Ten characters each.
    var teamID: String?
    var keyID: String?
    /// PEM of the P-256 key that developer tokens are checked against.
    var publicKey: String?
    /// Valid music user tokens, each with the storefront of its person, such as `fr`.
    var userTokens: [String: String]?
    /// The account that a user token is of, for tokens that share one library. A token without an entry is an account
    /// of its own, with the token's name.
    var accounts: [String: String]?
    /// Whether lists of the library have `meta.total`.
    var totals: Bool?
    /// Whether `next` of a list names another one, as in an example of Apple's documentation.
    var misnamedNext: Bool?
    /// How many calls of a person's library do not show yet what an app has added; 0 shows it at once.
    var writesShowAfterCalls: Int?
    /// Whether a playlist's date changes at once, although the songs that an app has added do not show yet.
    var datesShowAtOnce: Bool?
}

/// The key and token that a person needs to connect Apple Music, as its developer portal and MusicKit give them:
/// `GET /_sim/apple-music/key`.
struct AppleMusicKey: Sendable, Codable {
    var teamId: String
    var keyId: String
    /// PEM, as in the `.p8` file.
    var privateKey: String
    var userToken: String
}
