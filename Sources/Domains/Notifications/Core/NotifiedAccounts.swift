import NotificationSources
import Storage

/// What notifications need to know of the accounts, which are another domain.
package struct NotifiedAccounts: Sendable {
    /// The time zone of a person's profile; `nil` for none.
    let zone: @Sendable (_ reader: any SQLReader, _ userID: String) throws -> String?
    /// The names of people, by id. Whether a reader may see them has been decided.
    let actors:
        @Sendable (_ reader: ReadTransaction, _ userIDs: Set<String>) throws -> [String: NotificationGroup.Actor]
    /// Whether a session or token still signs somebody in (``PushCredential``).
    let isSignedIn: @Sendable (_ reader: any SQLReader, _ credential: PushCredential) throws -> Bool

    package init(
        zone: @escaping @Sendable (_ reader: any SQLReader, _ userID: String) throws -> String?,
        actors:
            @escaping @Sendable (
                _ reader: ReadTransaction, _ userIDs: Set<String>
            ) throws -> [String: NotificationGroup.Actor],
        isSignedIn: @escaping @Sendable (_ reader: any SQLReader, _ credential: PushCredential) throws -> Bool
    ) {
        (self.zone, self.actors, self.isSignedIn) = (zone, actors, isSignedIn)
    }
}

/// The session or token with which a push target was posted, by its hash.
package enum PushCredential: Sendable, Hashable {
    case session(hash: String)
    case token(hash: String)

    /// The value of `push_targets.credential`.
    var text: String {
        switch self {
        case .session(let hash): "session " + hash
        case .token(let hash): "token " + hash
        }
    }

    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map { String($0) }
        guard words.count == 2 else { return nil }
        switch words[0] {
        case "session": self = .session(hash: words[1])
        case "token": self = .token(hash: words[1])
        default: return nil
        }
    }
}

extension NotifiedAccounts {
    /// The time zone of a person's profile; `nil` for none.
    package func zone(of userID: String, in reader: any SQLReader) throws -> String? { try zone(reader, userID) }
}
