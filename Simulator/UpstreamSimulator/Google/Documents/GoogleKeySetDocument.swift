import CryptoExtras

/// The JWK set of the published keys.
struct GoogleKeySetDocument: Encodable {
    struct Key: Encodable {
        var modulus: String
        var exponent: String
        let type = "RSA"
        let use = "sig"
        let algorithm = "RS256"
        var id: String

        enum CodingKeys: String, CodingKey {
            case modulus = "n"
            case exponent = "e"
            case type = "kty"
            case use
            case algorithm = "alg"
            case id = "kid"
        }
    }

    let keys: [Key]

    init(_ keys: GoogleKeys) throws {
        self.keys = try keys.published.map { key in
            let numbers = try key.key.publicKey.getKeyPrimitives()
            return Key(
                modulus: PKCE.base64URL(numbers.modulus), exponent: PKCE.base64URL(numbers.publicExponent), id: key.id)
        }
    }
}
