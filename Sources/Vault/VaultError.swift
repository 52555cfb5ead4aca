/// Why a secret cannot be sealed or opened. No case contains any part of the secret.
package enum VaultError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no usable key file to open with.
    case unavailable(VaultKeyFileError)
    /// There is no usable public key to seal with.
    case cannotSeal(VaultPublicKeyFileError)
    /// The secret was sealed with a key that is not in the key file.
    case unknownKey(id: String)
    /// The value was modified, or sealed under another name.
    case doesNotOpen

    package var description: String {
        switch self {
        case .unavailable(let error):
            "\(error)"
        case .cannotSeal(let error):
            "\(error)"
        case .unknownKey(let id):
            "A secret was sealed with the vault key \(id), which is not in the key file. Restore the file that "
                + "contains it, or have people enter their keys again."
        case .doesNotOpen:
            "A sealed secret cannot be opened: it was modified, or stored under another name. Enter it again."
        }
    }
}
