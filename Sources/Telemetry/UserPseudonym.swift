import Crypto

/// The name of a user in logs: the first 48 bits of a SHA-256 of the id.
///
/// It needs no key. A user's id is random, so it cannot be guessed; and a reader of the database, who knows the ids,
/// does not need the logs.
package enum UserPseudonym {
    package static func of(_ userID: String) -> String {
        // The owner of system jobs is not a person.
        if userID == "system" { return userID }
        let digits = Array("0123456789abcdef".utf8)
        let digest = SHA256.hash(data: Array("backline user\n\(userID)".utf8))
        let text = digest.prefix(6).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
