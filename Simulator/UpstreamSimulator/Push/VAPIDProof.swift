import Crypto
import Foundation

/// The header field by which the sender of a push message proves who it is (RFC 8292).
struct VAPIDProof {
    /// Why a message is not accepted.
    enum Refusal: Error, Equatable {
        /// There is no such header field, or it has another form.
        case missing
        /// The token is wrong: the text says how.
        case badToken(String)
        /// The key is not the one that the subscription was made for.
        case otherKey
    }

    /// The longest life of a token in seconds.
    private static let longestLife = 86_400.0

    private let token: JWS
    private let key: P256.Signing.PublicKey
    private let keyBytes: Data

    /// - Parameter header: the value of `Authorization`.
    init(_ header: String?) throws(Refusal) {
        guard let header, header.lowercased().hasPrefix("vapid ") else { throw .missing }
        var parameters: [String: String] = [:]
        for part in header.dropFirst("vapid ".count).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, parameters.updateValue(pair[1], forKey: pair[0]) == nil else { throw .missing }
        }
        guard let text = parameters["t"], let keyText = parameters["k"] else { throw .missing }
        guard let bytes = JWS.decode(Substring(keyText)), bytes.count == 65, bytes.first == 4,
            let key = try? P256.Signing.PublicKey(x963Representation: bytes)
        else { throw .badToken("k is not an uncompressed point of P-256") }
        guard let token = JWS(text) else { throw .badToken("t is not signed JSON") }
        (self.token, self.key, keyBytes) = (token, key, bytes)
    }

    /// Checks everything that the services check.
    ///
    /// - Parameters:
    ///   - origin: the service's own.
    ///   - expected: the key that the subscription was made for; `nil` for any.
    func check(origin: String, expected: Data?, at now: Date) throws(Refusal) {
        guard token.header["alg"]?.string == "ES256", token.header["typ"]?.string == "JWT" else {
            throw .badToken("the header is not that of ES256")
        }
        // r followed by s; a DER signature has another length.
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature),
            key.isValidSignature(signature, for: token.signed)
        else { throw .badToken("the signature is not one of k") }
        guard token.claims["aud"]?.string == origin else { throw .badToken("aud is not \(origin)") }
        guard let end = token.claims["exp"]?.number else { throw .badToken("exp is missing") }
        let life = end - now.timeIntervalSince1970
        guard life > 0, life <= Self.longestLife else { throw .badToken("exp is past, or more than 24 hours ahead") }
        guard let contact = token.claims["sub"]?.string, Self.isPublic(contact) else {
            throw .badToken("sub is not an address of a public domain")
        }
        if let expected, expected != keyBytes { throw .otherKey }
    }

    /// Apple's rule, as far as it is known.
    private static func isPublic(_ contact: String) -> Bool {
        let domain: Substring
        if contact.hasPrefix("mailto:"), !contact.contains(" "), let at = contact.lastIndex(of: "@") {
            domain = contact[contact.index(after: at)...]
        } else if contact.hasPrefix("https://") {
            domain = contact.dropFirst("https://".count).prefix { !"/:?#".contains($0) }
        } else {
            return false
        }
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, !labels.contains(""), let last = labels.last else { return false }
        return !["local", "localhost", "invalid", "test"].contains(last) && last.contains { $0.isLetter }
    }
}
