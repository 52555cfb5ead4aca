import Gateway
import Model
import Notifications
import Storage
import Visibility

extension EventSource {
    /// A person's notifications, as the person sees them at the moment of sending.
    static func notifications(_ parts: NotificationParts) -> EventSource {
        EventSource(
            .notification, topics: [.notifications],
            count: { reader, userID, after, limit in
                try reader.visibility.viewer(userID: userID).map {
                    try reader.notifications.countOfChanges(of: $0.key, after: after, limit: limit)
                } ?? 0
            },
            changes: { reader, userID, after, limit in
                guard let viewer = try reader.visibility.viewer(userID: userID) else { return [] }
                let writer = NotificationWriter(reader, viewer: viewer, kinds: parts.kinds, accounts: parts.accounts)
                let found = try writer.changes(after: after, limit: limit)
                let people = try NotificationParts.people(of: found.compactMap(\.notification), in: reader)
                let mark = try writer.readNumber()
                return found.map { change in
                    guard let notification = change.notification else {
                        return Change(number: change.number, gone: .notification, id: change.id)
                    }
                    let data = JSONWriter.object {
                        parts.write(notification, people: people, mark: mark, to: &$0)
                    }
                    return Change(number: change.number, id: change.id, data: data)
                }
            })
    }

    /// How far the person has read, on all of their devices.
    static let notificationReadMarks = EventSource(
        .notificationReadMark, topics: [.notifications]
    ) { reader, userID, after, _ in
        guard let person = try reader.visibility.viewer(userID: userID)?.key,
            let mark = try reader.notifications.mark(of: person), mark.change > after
        else { return [] }
        return [
            Change(
                number: mark.change, id: "notifications",
                data: JSONWriter.object { $0.member("readMark", Int(mark.number)) })
        ]
    }
}
