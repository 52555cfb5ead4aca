import Model
import Storage

/// A kind of notification, such as `follow`. The domain whose events it reports declares it.
package struct NotificationKind: RawRepresentable, Sendable, Hashable {
    /// Its name in the API and in the database: letters in camel case.
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// Something happened of which a person may want to be notified. The domain in which it happened publishes it in the
/// transaction of the event, and not again when the same act is repeated.
///
/// It names rows and nothing that they contain: a notification is written when it is read, after it was decided what
/// its person may see then.
package struct PersonNotified: DomainEvent {
    package let recipientID: String
    package let kind: NotificationKind
    /// What the notifications of one day are joined by, such as the id of a thread; empty where a kind has one subject.
    package let subject: String
    /// The person who acted; `nil` where nobody did, as for a concert.
    package let actorID: String?
    /// What happened, unique within the kind and the recipient, such as the id of a message.
    package let itemID: String
    package let time: Timestamp

    package init(
        recipientID: String, kind: NotificationKind, subject: String, actorID: String?, itemID: String, time: Timestamp
    ) {
        (self.recipientID, self.kind, self.subject) = (recipientID, kind, subject)
        (self.actorID, self.itemID, self.time) = (actorID, itemID, time)
    }
}

/// What people were notified of is gone, such as a message that was deleted, so that the notification ends with it.
package struct NotificationWithdrawn: DomainEvent {
    package let recipientID: String
    package let kind: NotificationKind
    /// The item of the ``PersonNotified``.
    package let itemID: String

    package init(recipientID: String, kind: NotificationKind, itemID: String) {
        (self.recipientID, self.kind, self.itemID) = (recipientID, kind, itemID)
    }
}

/// Everything of one subject is gone, such as a share with the reactions to it, so that its notifications end.
package struct NotificationSubjectWithdrawn: DomainEvent {
    package let recipientID: String
    package let kind: NotificationKind
    /// The subject of the ``PersonNotified``.
    package let subject: String

    package init(recipientID: String, kind: NotificationKind, subject: String) {
        (self.recipientID, self.kind, self.subject) = (recipientID, kind, subject)
    }
}

/// There is news of topics, such as an artist, of which their readers may want to be notified. The domain that found it
/// publishes it in the transaction that puts it into feeds. The readers are notified later, some at a time.
package struct TopicNews: DomainEvent {
    package let kind: NotificationKind
    /// As in ``PersonNotified``.
    package let subject: String
    /// The keys of the topics, as feeds name authors.
    package let topics: [Int64]
    /// What happened, unique within the kind. Who reads several of the topics is notified once.
    package let itemID: String
    package let time: Timestamp

    package init(kind: NotificationKind, subject: String, topics: [Int64], itemID: String, time: Timestamp) {
        (self.kind, self.subject, self.topics) = (kind, subject, topics)
        (self.itemID, self.time) = (itemID, time)
    }
}
