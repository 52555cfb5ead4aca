import Model

extension VaultTrouble {
    package var recovery: Recovery {
        switch self {
        case .vaultUnavailable: .fixConfiguration
        case .vaultKeyLost: .reconnect
        }
    }
}

extension ProviderFailure {
    /// What a provider was to be asked with does not open, in words for people: the error's own name the operator's
    /// files.
    package init(_ error: VaultError, of provider: Provider) {
        let trouble = VaultTrouble(error)
        self.init(provider, .secretsSealed, recovery: trouble.recovery, message: trouble.sentence)
    }
}
