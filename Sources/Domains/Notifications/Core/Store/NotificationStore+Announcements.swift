import DomainEvents
import Model
import NotificationSources
import Storage
import Timeline
import Visibility

extension NotificationStore {
    package func hasAnnouncements() throws -> Bool {
        try transaction.row("SELECT 1 FROM notification_announcements LIMIT 1") != nil
    }
}

extension NotificationStore where Access == WriteTransaction {
    /// Stores news of topics, of which their readers are notified by ``announce(kinds:accounts:now:limit:)``.
    package func store(_ news: TopicNews) throws {
        let number = try transaction.nextChange()
        try transaction.run(
            """
            INSERT INTO notification_announcements (number, kind, subject, item, happened_at, after)
            VALUES (\(number), \(news.kind.rawValue), \(news.subject), \(news.itemID), \(news.time), 0)
            """)
        for topic in news.topics {
            try transaction.run(
                """
                INSERT INTO notification_announcement_topics (number, topic) VALUES (\(number), \(topic))
                ON CONFLICT (number, topic) DO NOTHING
                """)
        }
    }

    /// Notifies some more readers of the earliest news.
    ///
    /// - Parameter limit: the most readers.
    /// - Returns: whether there may be more to do.
    package func announce(
        kinds: NotificationKinds, accounts: NotifiedAccounts, now: Timestamp, limit: Int
    ) throws -> Bool {
        let news = try transaction.row(
            """
            SELECT number, kind, subject, item, happened_at, after FROM notification_announcements
            ORDER BY number LIMIT 1
            """)
        guard let news else { return false }
        let number: Int64 = try news["number"]
        let topics = try transaction.map(
            "SELECT topic FROM notification_announcement_topics WHERE number = \(number)"
        ) { TimelineAuthor(rawValue: try $0["topic"]) }
        let readers = try transaction.timeline.readers(of: topics, after: try news["after"], limit: limit)
        for reader in readers {
            try record(
                PersonNotified(
                    recipientID: reader.userID, kind: NotificationKind(rawValue: try news["kind"]),
                    subject: try news["subject"], actorID: nil, itemID: try news["item"],
                    time: try news["happened_at"]),
                kinds: kinds, accounts: accounts, now: now)
        }
        if let last = readers.last, readers.count == limit {
            try transaction.run(
                "UPDATE notification_announcements SET after = \(last.key) WHERE number = \(number)")
        } else {
            try transaction.run("DELETE FROM notification_announcement_topics WHERE number = \(number)")
            try transaction.run("DELETE FROM notification_announcements WHERE number = \(number)")
        }
        return true
    }
}
