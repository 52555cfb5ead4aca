import Domains
import Storage

extension Domain {
    /// Sealed values.
    package static let vault = Domain(
        "vault", migrations: [.vaultBaseline], personalTables: .vault, settings: [TextKeySettings.self])
}
