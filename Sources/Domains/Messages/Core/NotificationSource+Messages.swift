import DomainEvents
import NotificationSources

extension NotificationKind {
    /// Somebody has written to the person. The subject is the id of the thread, the item the number of the message.
    package static let message = NotificationKind(rawValue: "message")
    /// Somebody has sent the person a song. Subject and item are as with ``message``.
    package static let sentSong = NotificationKind(rawValue: "sentSong")
    /// Somebody asks to write to the person. The item is the id of the thread.
    package static let messageRequest = NotificationKind(rawValue: "messageRequest")
}

extension [NotificationSource] {
    /// What people are notified of by what others write to them. What is written is in none of it: a push may pass a
    /// server that can read it.
    package static let messages: Self = [
        NotificationSource(.message, label: "Messages", urgency: .high, asksPolicy: false) { group, _ in
            let messages = group.events.count == 1 && !group.hasMore ? "a message" : group.count("message")
            return NotificationContent(title: "\(group.names) sent you \(messages)", path: "/threads/" + group.subject)
        },
        NotificationSource(.sentSong, label: "Songs sent to you", asksPolicy: false) { group, _ in
            let songs = group.events.count == 1 && !group.hasMore ? "a song" : group.count("song")
            return NotificationContent(title: "\(group.names) sent you \(songs)", path: "/threads/" + group.subject)
        },
        // Whoever is asked is not disturbed: a request is in the list, and nothing is pushed unless they choose so.
        NotificationSource(
            .messageRequest, label: "Requests to write to you", channels: [.page], urgency: .low, asksPolicy: false
        ) { group, _ in
            NotificationContent(
                title: "\(group.names) \(group.verb("asks", "ask")) to write to you", path: "/threads/requests")
        },
    ]
}
