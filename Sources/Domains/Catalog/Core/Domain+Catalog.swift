import Contracts
import Domains
import Storage

extension Domain {
    /// What services' catalogs answer.
    package static let catalog = Domain(
        "catalog", migrations: [.catalogBaseline], personalTables: .catalog,
        jobKinds: [
            TypedJobKind.catalogSearch.kind, TypedJobKind.catalogTop.kind, TypedJobKind.catalogItem.kind,
        ])
}
