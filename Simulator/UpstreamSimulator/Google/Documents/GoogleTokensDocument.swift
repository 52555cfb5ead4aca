/// What a code is exchanged for.
struct GoogleTokensDocument: Encodable {
    var accessToken: String
    /// In seconds.
    let expiresIn = 3_599
    var scope: String
    let tokenType = "Bearer"
    var idToken: String

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case expiresIn = "expires_in"
        case scope
        case tokenType = "token_type"
        case idToken = "id_token"
    }
}
