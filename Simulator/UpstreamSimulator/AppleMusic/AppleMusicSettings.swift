/// The settings of `/_sim/apple-music/config`. In a change, missing members stay as they are.
struct AppleMusicSettings: Sendable, Codable, Equatable {
    var latencyMs: Int?
    /// The team id and the key id have ten characters each.
    var teamID: String?
    var keyID: String?
    /// PEM of the P-256 key with which developer tokens are verified.
    var publicKey: String?
    /// Valid music user tokens, each with the storefront of its person, such as `fr`.
    var userTokens: [String: String]?
    /// The account to which a user token belongs, for tokens that share one library. A token without an entry has an
    /// account of its own, with the token's name.
    var accounts: [String: String]?
    /// Whether lists of the library have `meta.total`.
    var totals: Bool?
    /// Whether a list's `next` names another list, as in an example in Apple's documentation.
    var misnamedNext: Bool?
    /// For how many calls a person's library does not show what an app has added; 0 shows it at once.
    var writesShowAfterCalls: Int?
    /// Whether a playlist's date changes at once, although the songs that an app has added are not shown yet.
    var datesShowAtOnce: Bool?
}

/// The key and token that a person needs to connect Apple Music, as issued by its developer portal and MusicKit: `GET
/// /_sim/apple-music/key`.
struct AppleMusicKey: Sendable, Codable {
    var teamId: String
    var keyId: String
    /// PEM, as in the `.p8` file.
    var privateKey: String
    var userToken: String
}
