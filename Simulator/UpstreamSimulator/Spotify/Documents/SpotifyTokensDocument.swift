/// What a code or a refresh token is exchanged for.
struct SpotifyTokensDocument: Encodable {
    var accessToken: String
    let tokenType = "Bearer"
    /// In seconds.
    var expiresIn: Int
    /// Absent if the old one stays valid.
    var refreshToken: String?
    var scope: String

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case scope
    }
}
