/// Why people's secrets cannot be used, in words for them; what an operator has to do is in the log and `doctor`.
package enum VaultTrouble: String, Sendable, Hashable {
    /// The key file is missing or cannot be used, or nobody has said yet what to seal with.
    case vaultUnavailable
    /// What was sealed is of another key than the present one.
    case vaultKeyLost

    package init(_ error: VaultError) {
        self =
            switch error {
            case .unavailable, .cannotSeal: .vaultUnavailable
            case .unknownKey, .doesNotOpen: .vaultKeyLost
            }
    }

    package var sentence: String {
        switch self {
        case .vaultUnavailable:
            "Backline cannot reach the key with which it keeps secrets safe. Whoever runs it finds the reason with "
                + "'backline doctor'."
        case .vaultKeyLost:
            "Backline no longer has the key with which it sealed what you entered. Enter your keys again."
        }
    }
}
