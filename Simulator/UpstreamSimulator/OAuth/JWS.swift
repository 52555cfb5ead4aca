import Foundation

/// The compact form of signed JSON (RFC 7515), without a library: the simulator must be able to make and refuse tokens
/// that no library would make.
struct JWS {
    var header: [String: JSONValue]
    var claims: [String: JSONValue]
    var signature: Data
    /// The signed text: the first two parts, with the dot between them.
    var signed: Data

    /// `nil` unless there are three parts, the first two of them JSON objects.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Self.decode(parts[2])
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signed = Data((parts[0] + "." + parts[1]).utf8)
    }

    static func make(
        header: [String: JSONValue], claims: [String: JSONValue], sign: (Data) throws -> Data
    ) rethrows -> String {
        let parts = [header, claims].map { PKCE.base64URL(DocumentEncoder.text(of: JSONValue.object($0)).utf8) }
        let signed = parts.joined(separator: ".")
        return signed + "." + PKCE.base64URL(try sign(Data(signed.utf8)))
    }

    private static func object(_ part: Substring) -> [String: JSONValue]? {
        decode(part).flatMap { try? JSONDecoder().decode([String: JSONValue].self, from: $0) }
    }

    /// base64url without padding; other alphabets are refused.
    static func decode(_ part: Substring) -> Data? {
        guard !part.contains(where: { "+/=".contains($0) }) else { return nil }
        let padding = String(repeating: "=", count: (4 - part.count % 4) % 4)
        return Data(base64Encoded: part.replacing("-", with: "+").replacing("_", with: "/") + padding)
    }
}
