import Contracts
import Domains
import Storage

extension Domain {
    /// People, their tokens and sessions.
    package static let accounts = Domain(
        "accounts", migrations: [.accountsBaseline, .accountsNames, .accountsPictures], personalTables: .accounts,
        jobKinds: [TypedJobKind.accountsGoogleSignIn.kind, TypedJobKind.accountsGoogleEndpoints.kind],
        settings: [AccountSettings.self])
}
