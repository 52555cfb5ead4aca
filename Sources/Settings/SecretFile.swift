import Foundation
import Model

/// A file that contains only a secret, such as an API key or a client secret.
package enum SecretFile {
    /// The reason why a file cannot be used. It completes a sentence that begins with the path: "does not exist".
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let description: String
        /// Whether the file exists and is empty.
        package let isEmpty: Bool
    }

    /// The secret in a file, and whether all accounts can read it.
    package struct Content {
        package let secret: Secret
        package let isReadableByOthers: Bool
    }

    /// Reads the secret, of at most 4 KiB. The call blocks.
    package static func read(_ path: String) throws(Failure) -> Secret {
        try content(path).secret
    }

    /// Reads a private key in PEM, which has several lines, from at most 16 KiB. The call blocks.
    package static func readPEM(_ path: String) throws(Failure) -> Secret {
        let file: SmallFile
        do {
            file = try SmallFile(path: path, maximumBytes: 16_384)
        } catch {
            throw Failure(description: error.reason, isEmpty: false)
        }
        guard let text = String(validating: file.bytes, as: UTF8.self), text.contains("-----BEGIN PRIVATE KEY-----")
        else {
            throw Failure(
                description: "does not contain a PEM private key like Apple's .p8 files (its content is not shown)",
                isEmpty: file.bytes.isEmpty)
        }
        return Secret(text)
    }

    /// Reads the secret like ``read(_:)``, and whether all accounts can read it.
    package static func content(_ path: String) throws(Failure) -> Content {
        let file: SmallFile
        do {
            file = try SmallFile(path: path, maximumBytes: 4_096)
        } catch {
            throw Failure(description: error.reason, isEmpty: false)
        }
        let text = (String(validating: file.bytes, as: UTF8.self) ?? "\u{fffd}")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw Failure(description: "is empty", isEmpty: true) }
        guard let secret = ConfigurationRule<Secret>.secret.parse(text) else {
            let allowed = "\(ConfigurationRule<Secret>.secret.allowed) on one line"
            throw Failure(
                description: "does not contain a secret (its content is not shown); allowed: \(allowed)",
                isEmpty: false)
        }
        return Content(secret: secret, isReadableByOthers: file.isReadableByOthers)
    }
}
