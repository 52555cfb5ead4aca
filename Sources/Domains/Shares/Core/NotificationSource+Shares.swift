import DomainEvents
import NotificationSources
import Storage
import Visibility

extension NotificationKind {
    /// Somebody reacts to a share of the person, or thanks for it. The subject is the id of the share, the item its
    /// number with the key of who reacts.
    package static let reaction = NotificationKind(rawValue: "reaction")
}

extension [NotificationSource] {
    /// What people are notified of about their shares.
    package static let shares: Self = [
        NotificationSource(
            .reaction, label: "Reactions and thanks", urgency: .low, namesEverybody: false
        ) { group, reader in
            guard let id = ShareID(group.subject),
                let title = try reader.shares.title(of: id, sentBy: group.recipientID)
            else { return nil }
            return NotificationContent(
                title: "\(group.names) reacted to a song that you shared", body: title, path: "/shares/" + id.text)
        }
    ]
}

extension ShareStore {
    /// The song of a share; `nil` for one that is gone, or of somebody else.
    func title(of id: ShareID, sentBy userID: String) throws -> String? {
        guard let person = try transaction.visibility.key(ofUser: userID) else { return nil }
        return try transaction.row(
            """
            SELECT share_contents.title AS title
            FROM shares JOIN share_contents ON share_contents.key = shares.content
            WHERE shares.number = \(id.number) AND shares.sender = \(person)
            """)?["title"]
    }
}
