import Vault

extension Problem {
    /// A secret cannot be sealed, so nothing was stored.
    package static func vaultUnavailable(_ trouble: VaultTrouble) -> Problem {
        recovering(
            trouble.recovery,
            Problem(
                .serviceUnavailable, code: .vaultUnavailable, title: "Secrets cannot be stored at present",
                detail: trouble.sentence, retryAfter: 60))
    }
}
