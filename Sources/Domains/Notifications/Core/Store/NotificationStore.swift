import DomainEvents
import Model
import NotificationSources
import Storage
import Visibility

/// The SQL of notifications and pushes. Read or written in a transaction: `transaction.notifications`.
package struct NotificationStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var notifications: NotificationStore<Self> { NotificationStore(transaction: self) }
}

/// Bounds of what is kept for a person.
package enum NotificationLimits {
    /// The most events of one person in a group of another.
    package static let eventsOfActor = 30
    /// The most events of a group.
    package static let events = NotificationGroup.capacity
    /// The most groups that one person begins for another within a day.
    package static let groupsOfActor = 30
    /// The most bytes of a subject or an item; longer ones are a mistake of their domain.
    package static let keyBytes = 200
    /// How long a push of a kind without ``NotificationSource/usefulFor`` means something.
    package static let usefulFor = Duration.seconds(3 * 86_400)
}

/// Why an act about notifications is refused.
package enum NotificationRefusal: Error, Sendable, Equatable {
    /// The person was suspended or erased meanwhile.
    case unknownPerson
    case tooManyTargets(limit: Int)
    /// There is no such target.
    case unknownTarget
    /// The number is above that of the last change.
    case numberTooHigh(last: Int64)
    /// There is no such kind.
    case unknownKind(String)
}

extension ItemKind {
    /// A notification in a person's event stream.
    package static let notification = ItemKind("notification")
    /// How far a person has read the notifications, in their event stream.
    package static let notificationReadMark = ItemKind("notificationReadMark")
}

extension ChangeTopic {
    /// People's notifications, and how far they have read them.
    package static let notifications = ChangeTopic("notifications")
}

extension NotificationStore {
    /// - Throws: ``NotificationRefusal/unknownPerson``.
    func person(_ userID: String) throws -> PersonKey {
        guard let viewer = try transaction.visibility.viewer(userID: userID) else {
            throw NotificationRefusal.unknownPerson
        }
        return viewer.key
    }
}
