/// The discovery document. The addresses are the simulator's; the issuer is Google's own, which verifiers insist on.
struct GoogleDiscoveryDocument: Encodable {
    let issuer = "https://accounts.google.com"
    let authorizationEndpoint: String
    let tokenEndpoint: String
    let keys: String
    let responseTypes = ["code"]
    let responseModes = ["query"]
    let subjectTypes = ["public"]
    let signingAlgorithms = ["RS256"]
    let scopes = ["openid", "email", "profile"]
    let authenticationMethods = ["client_secret_post", "client_secret_basic"]
    let claims = [
        "aud", "email", "email_verified", "exp", "family_name", "given_name", "iat", "iss", "name", "picture", "sub",
    ]
    let challengeMethods = ["plain", "S256"]
    let grantTypes = ["authorization_code"]

    /// - Parameter base: the address of the simulated Google, without a trailing slash.
    init(base: String) {
        authorizationEndpoint = base + "/o/oauth2/v2/auth"
        tokenEndpoint = base + "/token"
        keys = base + "/oauth2/v3/certs"
    }

    enum CodingKeys: String, CodingKey {
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case keys = "jwks_uri"
        case responseTypes = "response_types_supported"
        case responseModes = "response_modes_supported"
        case subjectTypes = "subject_types_supported"
        case signingAlgorithms = "id_token_signing_alg_values_supported"
        case scopes = "scopes_supported"
        case authenticationMethods = "token_endpoint_auth_methods_supported"
        case claims = "claims_supported"
        case challengeMethods = "code_challenge_methods_supported"
        case grantTypes = "grant_types_supported"
    }
}
