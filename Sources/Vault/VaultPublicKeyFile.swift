import Foundation
import Model
import Platform
import PrivateFiles

/// The file of the current public key: a line of 64 hexadecimal digits, and comments that begin with `#`. It is not
/// secret. Workers and the command line write it; the gateway needs no other file for sealing.
package struct VaultPublicKeyFile: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    package func read() throws(VaultPublicKeyFileError) -> VaultPublicKey {
        try load().key
    }

    func load() throws(VaultPublicKeyFileError) -> (key: VaultPublicKey, identity: PrivateFile.Identity) {
        let content: PrivateFile.Content
        do throws(PrivateFileError) {
            content = try PrivateFile.read(path)
        } catch {
            switch error {
            case .missing, .exists: throw .missing(path: path)
            case .notRegular, .notText: throw .malformed(path: path)
            case .failed(let code): throw .unreadable(path: path, code: code)
            }
        }
        let lines = content.text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
        guard lines.count == 1, let key = [UInt8](hexadecimal: lines[0]).flatMap(VaultPublicKey.init) else {
            throw .malformed(path: path)
        }
        return (key, content.identity)
    }

    /// Writes a key to the file, replacing its content.
    package func write(_ key: VaultPublicKey) throws(VaultPublicKeyFileError) {
        let lines = [
            "# The PUBLIC key of Backline's vault, which seals secrets but opens none. Workers write this file from",
            "# the private key when it is missing; it needs no backup.",
            key.bytes.hexadecimal,
        ]
        do throws(PrivateFileError) {
            try PrivateFile.write(lines.joined(separator: "\n") + "\n", to: path, replaces: true)
        } catch {
            guard case .failed(let code) = error else { throw .unwritable(path: path, code: EINVAL) }
            throw .unwritable(path: path, code: code)
        }
    }
}

/// Why the public key cannot be read or written.
package enum VaultPublicKeyFileError: Error, Sendable, Hashable {
    case missing(path: String)
    case unreadable(path: String, code: Int32)
    case malformed(path: String)
    case unwritable(path: String, code: Int32)
}

extension VaultPublicKeyFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let path):
            "The vault's public key file \(path) is missing, so nothing can be sealed. A worker that has the vault's "
                + "key writes it when it starts; its log says what prevents that."
        case .unreadable(let path, let code):
            "The vault's public key file \(path) cannot be read: \(String(cString: strerror(code)))"
        case .malformed(let path):
            "The vault's public key file \(path) does not contain one line of 64 hexadecimal digits. Remove it, and a "
                + "worker will write it again."
        case .unwritable(let path, let code):
            "The vault's public key file \(path) cannot be written: \(String(cString: strerror(code)))"
        }
    }
}
