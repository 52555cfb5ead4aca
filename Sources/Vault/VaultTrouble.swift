import Model

/// Why secrets cannot be used, as reported to people. Operators find the details in the log and with `doctor`.
package enum VaultTrouble: String, Sendable, Hashable {
    /// The key file is missing or unusable, or there is no public key to seal with.
    case vaultUnavailable
    /// Secrets were sealed with a key that is missing.
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
            "Backline cannot use the key that encrypts secrets. Its operator can find the reason with "
                + "'backline doctor'."
        case .vaultKeyLost:
            "Backline no longer has the key that encrypted your keys and tokens. Enter your keys again, "
                + "and connect your accounts again."
        }
    }

    package var recovery: Recovery {
        switch self {
        case .vaultUnavailable: .fixConfiguration
        case .vaultKeyLost: .reconnect
        }
    }
}

extension ProviderFailure {
    /// The failure of a call whose credential cannot be opened. Its text is for people; the error's own text contains
    /// paths of the operator's files.
    package init(_ error: VaultError, of provider: Provider) {
        let trouble = VaultTrouble(error)
        self.init(provider, .secretsSealed, recovery: trouble.recovery, message: trouble.sentence)
    }
}
