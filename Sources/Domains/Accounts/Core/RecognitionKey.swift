import Crypto
import Foundation
import Model
import Platform
import PrivateFiles
import Storage

/// The key with which the database recognizes what it must not show: the usernames of people who were erased, and
/// secrets that people have chosen themselves, which could be guessed.
///
/// It is in a file of its own beside the database. A copy of the database, such as a backup, does not contain it, so
/// that nobody can find out from the copy whether somebody with a certain name was here, or test guesses of a secret.
package struct RecognitionKey: Sendable {
    private let key: SymmetricKey

    private static let bitCount = 256

    /// A new key, which recognizes nothing that another one has hashed.
    package init() {
        key = SymmetricKey(size: .init(bitCount: Self.bitCount))
    }

    private init?(text: String) {
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.isEmpty && !$0.hasPrefix("#") }
        guard lines.count == 1, let bytes = [UInt8](hexadecimal: String(lines[0])), bytes.count * 8 == Self.bitCount
        else { return nil }
        key = SymmetricKey(data: bytes)
    }

    /// HMAC-SHA-256 of a name's key (``Username/key(of:)``), in hexadecimal.
    func hash(of nameKey: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Data(nameKey.utf8), using: key).hexadecimal
    }

    /// HMAC-SHA-256 of a secret, in hexadecimal.
    ///
    /// - Parameter kind: what the secret is, such as `ntfy topic`. The same text of another kind has another hash.
    package func hash(of secret: Secret, kind: String) -> String {
        // No key of a name has a line feed.
        HMAC<SHA256>.authenticationCode(for: Data("\(kind)\n\(secret.reveal())".utf8), using: key).hexadecimal
    }

    // MARK: The file

    /// The file of a database's key.
    package static func path(besideDatabase path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().appending(path: "names.key").path
    }

    /// The key of a database. A file that is missing or damaged gets a new key, with which the names that were held
    /// until then, and the secrets, are no longer recognized.
    ///
    /// - Returns: `nil` when the file can be neither read nor written. Names are then neither held nor recognized;
    ///   `backline doctor` reports the file. Nobody's erasure fails for this.
    package static func load(besideDatabase database: Database) -> RecognitionKey? {
        let path = path(besideDatabase: database.path)
        var replaces = false
        // The second attempt finds the key of another process that wrote one at the same time.
        for _ in 0..<2 {
            do throws(PrivateFileError) {
                if let key = RecognitionKey(text: try PrivateFile.read(path).text) { return key }
                replaces = true
            } catch {
                switch error {
                case .notText: replaces = true
                case .missing: break
                case .exists, .notRegular, .failed: return nil
                }
            }
            let made = RecognitionKey()
            do throws(PrivateFileError) {
                try PrivateFile.write(made.fileText, to: path, replaces: replaces)
                give(path, toOwnerOf: database.path)
                return made
            } catch {
                guard case .exists = error else { return nil }
            }
        }
        return nil
    }

    /// If root runs a command for a service with another account, the file belongs to that account, like the database.
    private static func give(_ path: String, toOwnerOf other: String) {
        var status = stat()
        guard geteuid() == 0, stat(other, &status) == 0, status.st_uid != 0 else { return }
        // If that is not allowed, as in a container without the capability, root remains the owner.
        _ = lchown(path, status.st_uid, status.st_gid)
    }

    private var fileText: String {
        let lines = [
            "# The key with which Backline recognizes the usernames of erased people, which nobody gets for a year,",
            "# and topics of ntfy. Do not keep it with backups of the database. Without this file Backline makes a new",
            "# one.",
            key.withUnsafeBytes { Array($0) }.hexadecimal,
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
