import Foundation
import Model
import PrivateFiles

/// A file that contains a key: lines of `name: value`, and comments that begin with `#`.
///
/// Secret files have mode 0600 and are refused if others can read them; public ones may be read by anybody.
package struct KeyFile: Sendable, Equatable {
    package var name: String
    package var createdAt: Timestamp
    package var revokedAt: Timestamp?
    package var publicKey: CurvePublicKey
    /// The pair; `nil` in a public file.
    package var pair: CurveKeyPair?

    package init(name: String, createdAt: Timestamp, publicKey: CurvePublicKey) {
        self.name = name
        self.createdAt = createdAt
        self.publicKey = publicKey
    }

    package init(name: String, createdAt: Timestamp, pair: CurveKeyPair) {
        self.init(name: name, createdAt: createdAt, publicKey: pair.publicKey)
        self.pair = pair
    }

    // MARK: Reading

    /// Reads a secret key from a file that must not be readable by others.
    ///
    /// - Parameters:
    ///   - credentials: the folder in which a service manager passes secrets (systemd's `CREDENTIALS_DIRECTORY`). An
    ///     access list lets one account read its files, which appears as a mode with read access for the group.
    ///   - remedy: what to do if the file is missing, for the error.
    package static func secret(
        at path: String, credentials: String? = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"],
        remedy: String
    ) throws(KeyFileError) -> CurveKeyPair {
        let content = try read(path, credentials: credentials, remedy: remedy)
        guard content.isPrivate else { throw .notPrivate(path: path, mode: content.mode) }
        guard let pair = try KeyFile(text: content.text, path: path).pair else {
            throw .malformed(path: path, reason: "contains no secret key; specify the file with the secret key")
        }
        return pair
    }

    /// Reads a public key file.
    package static func open(_ path: String, remedy: String) throws(KeyFileError) -> KeyFile {
        try KeyFile(text: read(path, remedy: remedy).text, path: path)
    }

    private static func read(
        _ path: String, credentials: String? = nil, remedy: String
    ) throws(KeyFileError) -> PrivateFile.Content {
        do throws(PrivateFileError) {
            return try PrivateFile.read(path, credentials: credentials)
        } catch {
            switch error {
            case .missing, .exists: throw .missing(path: path, remedy: remedy)
            case .notRegular: throw .malformed(path: path, reason: "is not a regular file")
            case .notText: throw .malformed(path: path, reason: "is not a key file")
            case .failed(let code): throw .unreadable(path: path, code: code)
            }
        }
    }

    private init(text: String, path: String) throws(KeyFileError) {
        var values: [Substring: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            guard let colon = line.firstIndex(of: ":") else {
                throw .malformed(path: path, reason: "is not a key file")
            }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            guard values.updateValue(value, forKey: line[..<colon]) == nil else {
                throw .malformed(path: path, reason: "names \(line[..<colon].prefix(20)) twice")
            }
        }
        guard let name = values["name"], KeyFolder.isName(name),
            let createdAt = values["created"].flatMap(Timestamp.init(rfc3339:)),
            let publicKey = values["public-key"].flatMap(CurvePublicKey.init)
        else { throw .malformed(path: path, reason: "does not contain a name, a time and a public key") }
        self.init(name: name, createdAt: createdAt, publicKey: publicKey)
        if let text = values["revoked"] {
            // A malformed time does not make a revoked key valid.
            revokedAt = Timestamp(rfc3339: text) ?? createdAt
        }
        if let secret = values["secret-key"] {
            guard let pair = CurveKeyPair(secretText: secret), pair.publicKey == publicKey else {
                throw .malformed(path: path, reason: "contains a secret key that does not belong to its public key")
            }
            self.pair = pair
        }
    }

    // MARK: Writing

    private var text: String {
        var lines = [
            pair == nil
                ? "# A public key of Backline's messaging. It is not a secret."
                : "# A SECRET key of Backline's messaging: whoever has it can act in its name. Mode 0600.",
            "name: \(name)", "created: \(createdAt)",
        ]
        if let revokedAt { lines.append("revoked: \(revokedAt)") }
        lines.append("public-key: \(publicKey.text)")
        if let pair { lines.append("secret-key: \(pair.secretKey.reveal())") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Writes the file, with mode 0600 if it contains a secret and 0644 otherwise. At every moment its name refers to
    /// the whole file, the previous one, or none.
    ///
    /// - Parameter replaces: whether a file may already exist.
    package func write(to path: String, replaces: Bool) throws(KeyFileError) {
        do throws(PrivateFileError) {
            // A public key that nobody can read is useless.
            try PrivateFile.write(text, to: path, mode: pair == nil ? 0o644 : 0o600, replaces: replaces)
        } catch {
            switch error {
            case .exists: throw .exists(path: path, remedy: "Nothing was changed.")
            case .failed(let code): throw .unwritable(path: path, code: code)
            case .missing, .notRegular, .notText: throw .unwritable(path: path, code: EINVAL)
            }
        }
    }
}
