import Domains
import Storage

extension Domain {
    /// Who may see what of whom, who follows whom, who blocks whom, and how often people act toward others.
    package static let visibility = Domain(
        "visibility", migrations: [.visibilityTables, .visibilityAcquaintances], personalTables: .visibility)
}
