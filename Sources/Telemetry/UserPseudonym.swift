import Crypto

/// What logs call a user.
///
/// The first 48 bits of a SHA-256. It needs no key: a user's id is itself random, so that nobody finds it by
/// trying names, and whoever has the database to look ids up in needs no log to see what their owners do.
package enum UserPseudonym {
    package static func of(_ userID: String) -> String {
        // The owner of what is done for everybody is nobody.
        if userID == "system" { return userID }
        let digits = Array("0123456789abcdef".utf8)
        let digest = SHA256.hash(data: Array("backline user\n\(userID)".utf8))
        let text = digest.prefix(6).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
