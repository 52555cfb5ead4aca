import Contracts
import Domains
import Storage

extension Domain {
    /// New releases of the artists whom people rank or listen to most.
    package static let releases = Domain(
        "releases", migrations: [.releasesTables, .releasesNamedArtists], personalTables: .releases,
        jobKinds: [TypedJobKind.releasesRead.kind], notifications: .releases, settings: [ReleaseSettings.self])
}
