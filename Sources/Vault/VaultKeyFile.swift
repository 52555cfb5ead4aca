import Foundation
import Model
import Platform
import PrivateFiles

/// The file of the master keys, which open secrets: one line of 64 hexadecimal digits per key, the current one first,
/// and comments that begin with `#`. Only its account may be able to read it. The gateway does not need it.
package struct VaultKeyFile: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// - Parameter credentials: see ``PrivateFile/read(_:maximumBytes:credentials:)``.
    /// - Throws: ``VaultKeyFileError``.
    package func read(
        credentials: String? = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
    ) throws(VaultKeyFileError) -> VaultKeyring {
        try load(credentials: credentials).keyring
    }

    func load(
        credentials: String? = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
    ) throws(VaultKeyFileError) -> (keyring: VaultKeyring, identity: PrivateFile.Identity) {
        let content: PrivateFile.Content
        do throws(PrivateFileError) {
            content = try PrivateFile.read(path, credentials: credentials)
        } catch {
            switch error {
            case .missing, .exists: throw .missing(path: path)
            case .notRegular: throw .malformed(path: path, reason: "is not a regular file")
            case .notText: throw .malformed(path: path, reason: "is too large, or is not UTF-8 text")
            case .failed(let code): throw .unreadable(path: path, code: code)
            }
        }
        guard content.isPrivate else { throw .notPrivate(path: path, mode: content.mode) }
        return (try keyring(in: content.text), content.identity)
    }

    private func keyring(in text: String) throws(VaultKeyFileError) -> VaultKeyring {
        var keys: [VaultKey] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let bytes = [UInt8](hexadecimal: line), let key = VaultKey(bytes: bytes) else {
                throw .malformed(path: path, reason: "has a line that is not 64 hexadecimal digits")
            }
            guard !keys.contains(where: { $0.id == key.id }) else {
                throw .malformed(path: path, reason: "contains the key \(key.id) twice")
            }
            keys.append(key)
        }
        guard let current = keys.first else { throw .malformed(path: path, reason: "contains no key") }
        return VaultKeyring(current: current, former: Array(keys.dropFirst()))
    }

    /// Creates the file with a new key, and its folder if missing. If several processes call it at once, one succeeds.
    ///
    /// - Returns: `nil` when the file exists.
    package func make() throws(VaultKeyFileError) -> VaultKeyring? {
        let keyring = VaultKeyring(current: .random())
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        // Errors with the folder are reported when the file is written.
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do throws(VaultKeyFileError) {
            try write(keyring, replaces: false)
        } catch .exists {
            return nil
        }
        return keyring
    }

    /// Replaces the keys of the file.
    package func replace(with keyring: VaultKeyring) throws(VaultKeyFileError) {
        try write(keyring, replaces: true)
    }

    private func write(_ keyring: VaultKeyring, replaces: Bool) throws(VaultKeyFileError) {
        var lines = [
            "# SECRET keys of Backline's vault. Anybody with a key and the database can read people's secrets.",
            "# Mode 0600, for workers only. Back up this file separately from the database. The first key seals",
            "# new secrets; the others are needed until every secret is sealed with the first.",
        ]
        lines += keyring.keys.map(\.bytes.hexadecimal)
        do throws(PrivateFileError) {
            try PrivateFile.write(lines.joined(separator: "\n") + "\n", to: path, replaces: replaces)
        } catch {
            switch error {
            case .exists: throw .exists(path: path)
            case .failed(let code): throw .unwritable(path: path, code: code)
            case .missing, .notRegular, .notText: throw .unwritable(path: path, code: EINVAL)
            }
        }
    }
}

/// Why the keys cannot be read or written. The texts have the path of the file and never its content.
package enum VaultKeyFileError: Error, Sendable, Hashable {
    case missing(path: String)
    case unreadable(path: String, code: Int32)
    /// Other accounts can read the file. `mode` is in the form of `chmod`.
    case notPrivate(path: String, mode: String)
    /// `reason` completes the sentence "The vault's key file …".
    case malformed(path: String, reason: String)
    case unwritable(path: String, code: Int32)
    case exists(path: String)
}

extension VaultKeyFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let path):
            "The vault's key file \(path) is missing. A worker makes one when it starts, unless secrets were sealed "
                + "with the missing one. Restore it from your backup then. If it is lost, 'backline vault new' makes a new "
                + "one, and people have to enter their keys again."
        case .unreadable(let path, let code):
            "The vault's key file \(path) cannot be read: \(String(cString: strerror(code)))"
        case .notPrivate(let path, let mode):
            "The vault's key file \(path) has mode \(mode), so others on this machine can read it. Run: chmod 600 "
                + "'\(path)'. If others may have read it, run 'backline vault rotate' after that."
        case .malformed(let path, let reason):
            "The vault's key file \(path) \(reason). It must contain one line of 64 hexadecimal digits per key. "
                + "Restore it from your backup."
        case .unwritable(let path, let code):
            "The vault's key file \(path) cannot be written: \(String(cString: strerror(code)))"
        case .exists(let path):
            "The vault's key file \(path) already exists. Nothing was changed."
        }
    }
}
