/// Why a secret cannot be sealed or opened. No case carries any of it.
package enum VaultError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no key to open with at present.
    case unavailable(VaultKeyFileError)
    /// There is no key to seal with at present.
    case cannotSeal(VaultPublicKeyFileError)
    /// It was sealed with a key that is not in the key file.
    case unknownKey(id: String)
    /// It was changed, or sealed as something else.
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
            "A sealed secret does not open: it was changed, or belongs somewhere else. Enter it again."
        }
    }
}
