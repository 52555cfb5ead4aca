import Domains
import Storage

extension Domain {
    /// Sealed values.
    package static let vault = Domain(
        "vault", migrations: [.vaultBaseline, .vaultInstallation], personalTables: .vault,
        settings: [TextKeySettings.self])
}
