import Contracts
import Domains
import Storage

extension Domain {
    /// What people listened to.
    package static let listening = Domain(
        "listening", migrations: [.listeningBaseline], personalTables: .listening,
        jobKinds: [TypedJobKind.listeningReadSpotify.kind], settings: [ListeningSettings.self])
}
