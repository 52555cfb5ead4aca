import DomainEvents
import NotificationSources
import Storage

extension NotificationKind {
    /// A list that the person has asked for is ready. The subject and the item are the id of the list.
    package static let listReady = NotificationKind(rawValue: "listReady")
}

extension [NotificationSource] {
    /// What people are notified of about their lists.
    package static let curation: Self = [
        NotificationSource(.listReady, label: "Lists that are ready") { group, reader in
            guard let list = try reader.curation.list(group.subject, userID: group.recipientID),
                list.state == .complete
            else { return nil }
            // The title of a blend has the name of the other person.
            return NotificationContent(
                title: list.request.kind == .blend ? "Your blend is ready" : "Your list is ready",
                body: list.title, path: list.page)
        }
    ]
}

extension CuratedList {
    fileprivate var page: String {
        switch request.kind {
        case .playlist, .recommendations: "/explore/playlists/" + id
        case .playlistSuggestions: "/explore/growth/" + id
        case .blend: "/explore/blends/" + id
        }
    }
}
