import Accounts
import Domains
import Model
import NotificationSources
import Notifications
import Storage

extension NotifiedAccounts {
    /// What notifications know of the accounts of this installation.
    static let installation = NotifiedAccounts(
        zone: { reader, userID in try zone(of: userID, in: reader) },
        actors: { reader, userIDs in
            try reader.accounts.summaries(ofUsers: userIDs).mapValues { person in
                NotificationGroup.Actor(
                    userID: person.userID, username: person.username, displayName: person.displayName)
            }
        },
        isSignedIn: { reader, credential in try isSignedIn(credential, in: reader) })

    private static func zone(of userID: String, in reader: some SQLReader) throws -> String? {
        try reader.accounts.timeZone(userID: userID)
    }

    private static func isSignedIn(_ credential: PushCredential, in reader: some SQLReader) throws -> Bool {
        switch credential {
        case .session(let hash): try reader.accounts.session(hash: hash, now: .now()) != nil
        case .token(let hash): try reader.accounts.holder(tokenHash: hash, now: .now()) != nil
        }
    }
}

extension NotificationKinds {
    /// The kinds of all domains.
    static var all: NotificationKinds { NotificationKinds([Domain].all.notifications) }
}
