import Contracts
import Domains
import Storage

extension Domain {
    /// Songs that people share, reactions to them, and links to them.
    package static let shares = Domain(
        "shares", migrations: [.sharesTables, .sharesReceipts], personalTables: .shares,
        jobKinds: [TypedJobKind.sharesMatch.kind], notifications: .shares)
}
