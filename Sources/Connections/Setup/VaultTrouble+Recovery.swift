import Vault

extension VaultTrouble {
    package var recovery: Recovery {
        switch self {
        case .vaultUnavailable: .fixConfiguration
        case .vaultKeyLost: .reconnect
        }
    }
}
