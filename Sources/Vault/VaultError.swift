/// Why a secret cannot be sealed or opened. No case holds a part of the secret.
package enum VaultError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No key file to open with.
    case unavailable(VaultKeyFileError)
    /// No public key to seal with.
    case cannotSeal(VaultPublicKeyFileError)
    /// The secret was sealed with a key that the key file does not hold.
    case unknownKey(id: String)
    /// The value was changed, or sealed under another name.
    case doesNotOpen

    package var description: String {
        switch self {
        case .unavailable(let error):
            "\(error)"
        case .cannotSeal(let error):
            "\(error)"
        case .unknownKey(let id):
            "A secret was sealed with the vault key \(id), which the key file does not hold. Put the file back that "
                + "holds it, or have people enter their keys again."
        case .doesNotOpen:
            "A sealed secret cannot be opened: it was changed, or stored under another name. Enter it again."
        }
    }
}
