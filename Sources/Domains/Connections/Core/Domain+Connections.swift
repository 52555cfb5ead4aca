import Contracts
import Domains
import Storage

extension Domain {
    /// People's connections to services, and their setup.
    package static let connections = Domain(
        "connections", migrations: [.connectionsBaseline], personalTables: .connections,
        jobKinds: [
            TypedJobKind.setupVerifyGemini.kind, TypedJobKind.setupVerifyTicketmaster.kind,
            TypedJobKind.setupVerifyAppleMusic.kind, TypedJobKind.setupAppleMusicPageToken.kind,
            TypedJobKind.spotifyAuthorize.kind, TypedJobKind.spotifyReplaceAccount.kind,
            TypedJobKind.spotifyProfile.kind,
        ], notifications: .connections)
}
