import Foundation

/// Why a key file cannot be read or written. The texts name files, but never the contents of secret files.
package enum KeyFileError: Error, Sendable, Equatable {
    case missing(path: String, remedy: String)
    case unreadable(path: String, code: Int32)
    /// Others can read a secret; `mode` is in the format of `chmod`.
    case notPrivate(path: String, mode: String)
    /// It is not a key file of the wanted kind; `reason` completes "The key file … ".
    case malformed(path: String, reason: String)
    case unwritable(path: String, code: Int32)
    /// A key with that name already exists.
    case exists(path: String, remedy: String)
    case unknownName(String, folder: String)
    case invalidName(String)
}

extension KeyFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let path, let remedy):
            "There is no key file \(path). \(remedy)"
        case .unreadable(let path, let code):
            "The key file \(path) cannot be read: \(String(cString: strerror(code)))"
        case .notPrivate(let path, let mode):
            "The key file \(path) has mode \(mode), so others on this machine can read the secret in it. Run: "
                + "chmod 600 '\(path)'. If others may have read it, make a new key instead."
        case .malformed(let path, let reason):
            "The key file \(path) \(reason). Key files are made by 'backline keys new'; copy them whole."
        case .unwritable(let path, let code):
            "The key file \(path) cannot be written: \(String(cString: strerror(code)))"
        case .exists(let path, let remedy):
            "\(path) already exists. \(remedy)"
        case .unknownName(let name, let folder):
            "No key in \(folder) has the name \(name). 'backline keys list' shows the existing keys."
        case .invalidName(let name):
            "\"\(name.prefix(80))\" cannot be a key's name: use 1 to 64 letters, digits, dots, hyphens and "
                + "underscores, beginning with a letter or digit."
        }
    }
}
