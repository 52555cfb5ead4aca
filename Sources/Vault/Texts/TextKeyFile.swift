import Foundation
import Model
import Platform
import PrivateFiles

/// The file of the keys of private texts: one line of 64 hexadecimal digits for each key, the one that seals first, and
/// comments that begin with `#`. Only its account may be able to read it.
package struct TextKeyFile: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// The keys, of which the first one seals.
    ///
    /// - Throws: ``TextKeyError``.
    package func load() throws(TextKeyError) -> (keys: [TextKey], identity: PrivateFile.Identity) {
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
        guard content.isPrivate else { throw .notPrivate(path: path, mode: content.mode) }
        var keys: [TextKey] = []
        for line in content.text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let bytes = [UInt8](hexadecimal: line), let key = TextKey(bytes: bytes) else {
                throw .malformed(path: path)
            }
            keys.append(key)
        }
        guard !keys.isEmpty else { throw .malformed(path: path) }
        return (keys, content.identity)
    }

    /// Creates the file with a new key, and its folder if missing. If several processes call it at once, one succeeds;
    /// the others find its file.
    ///
    /// - Throws: ``TextKeyError/unwritable(path:code:)``.
    package func make() throws(TextKeyError) {
        // Errors with the folder are reported when the file is written.
        try? FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        do throws(PrivateFileError) {
            try PrivateFile.write(Self.text(of: [.random()]), to: path, replaces: false)
        } catch {
            switch error {
            case .exists: return
            case .failed(let code): throw .unwritable(path: path, code: code)
            case .missing, .notRegular, .notText: throw .unwritable(path: path, code: EINVAL)
            }
        }
    }

    /// Replaces the keys of the file, the one that seals first.
    ///
    /// - Throws: ``TextKeyError/unwritable(path:code:)``.
    func replace(with keys: [TextKey]) throws(TextKeyError) {
        do throws(PrivateFileError) {
            try PrivateFile.write(Self.text(of: keys), to: path, replaces: true)
        } catch {
            if case .failed(let code) = error { throw .unwritable(path: path, code: code) }
            throw .unwritable(path: path, code: EINVAL)
        }
    }

    private static func text(of keys: [TextKey]) -> String {
        let lines = [
            "# SECRET keys of Backline's private texts. Anybody with a key and the database can read what people write",
            "# to each other and to administrators. Mode 0600. Back up this file separately from the database: without",
            "# it, the texts are lost. The first key seals new texts; the others open earlier ones.",
        ]
        return (lines + keys.map(\.bytes.hexadecimal)).joined(separator: "\n") + "\n"
    }
}

/// Why a private text cannot be sealed or opened. No case contains any part of a text or key.
package enum TextKeyError: Error, Sendable, Hashable {
    case missing(path: String)
    case unreadable(path: String, code: Int32)
    /// Other accounts can read the file. `mode` is in the form of `chmod`.
    case notPrivate(path: String, mode: String)
    case malformed(path: String)
    case unwritable(path: String, code: Int32)
    case exists(path: String)
    /// The text was sealed with a key that is not in the file.
    case unknownKey(id: String)
    /// The text was modified, or stored in another place.
    case doesNotOpen
}

extension TextKeyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let path):
            "The key file of private texts \(path) is missing, and there are texts that were sealed with it. Restore it "
                + "from your backup."
        case .unreadable(let path, let code):
            "The key file of private texts \(path) cannot be read: \(String(cString: strerror(code)))"
        case .notPrivate(let path, let mode):
            "The key file of private texts \(path) has mode \(mode), so others on this machine can read it. Run: "
                + "chmod 600 '\(path)'"
        case .malformed(let path):
            "The key file of private texts \(path) must contain lines of 64 hexadecimal digits. Restore it from your "
                + "backup."
        case .unwritable(let path, let code):
            "The key file of private texts \(path) cannot be written: \(String(cString: strerror(code)))"
        case .exists(let path):
            "The key file of private texts \(path) already exists. Nothing was changed."
        case .unknownKey(let id):
            "A private text was sealed with the key \(id), which is not in the key file. Restore the file that "
                + "contains it."
        case .doesNotOpen: "A private text cannot be opened: it was modified, or stored in another place."
        }
    }
}
