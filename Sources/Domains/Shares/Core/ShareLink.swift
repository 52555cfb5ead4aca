import Crypto
import Model
import Platform
import Storage

/// A link that shows one share to people without an account.
package struct ShareLink: Sendable, Equatable {
    package let id: String
    package let showsName: Bool
    package let createdAt: Timestamp
    package let expiresAt: Timestamp

    /// The most links of one person, so that all of them can end at once.
    package static let capacity = 100
    /// The days for which a link may last.
    package static let days = 1...90
    package static let standardDays = 30

    static let columns: SQL = "id, shows_name, created_at, expires_at"

    init(id: String, showsName: Bool, createdAt: Timestamp, expiresAt: Timestamp) {
        (self.id, self.showsName, self.createdAt, self.expiresAt) = (id, showsName, createdAt, expiresAt)
    }

    init(row: Row) throws {
        id = try row["id"]
        showsName = try row["shows_name"]
        createdAt = try row["created_at"]
        expiresAt = try row["expires_at"]
    }
}

/// The secret in a link: 256 random bits, shown once and stored as a hash.
package struct ShareToken: Sendable {
    package let secret: Secret

    /// 43 characters of base64url.
    private static let length = 43

    package static func random() -> ShareToken {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
        return ShareToken(secret: Secret(Base64URL.text(of: bytes)))
    }

    private init(secret: Secret) { self.secret = secret }

    /// - Returns: `nil` for a text that cannot be a token.
    package init?(_ text: String) {
        guard text.utf8.count == Self.length, Base64URL.bytes(of: text) != nil else { return nil }
        secret = Secret(text)
    }

    /// SHA-256 in hexadecimal. The secret is random, so a slow hash would add nothing.
    var hash: String { SHA256.hash(data: Array(secret.reveal().utf8)).hexadecimal }
}

/// What a link shows.
package struct LinkedShare: Sendable, Equatable {
    package let song: ShareSong
    package let message: String?
    package let at: Timestamp
    package let expiresAt: Timestamp
    /// The id of the sender, where the link shows the name.
    package let senderID: String?
}
