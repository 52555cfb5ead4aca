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

    /// The key of private texts is missing or cannot be used. The reason is in the log.
    package static let textsUnavailable = recovering(
        .fixConfiguration,
        Problem(
            .serviceUnavailable, code: .vaultUnavailable, title: "Texts cannot be stored at present",
            detail: "Backline cannot use the key that encrypts private texts. Its operator can find the reason in the "
                + "log.", retryAfter: 60))
}
