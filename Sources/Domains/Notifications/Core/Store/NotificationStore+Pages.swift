import Model
import NotificationSources
import Storage
import Visibility

/// The order of notifications, for cursors: the latest first.
package let notificationList = Keyset<Int>("notifications", by: "number", descending: true)

/// A page of a person's notifications.
package struct NotificationListPage: Sendable {
    package var items: [WrittenNotification] = []
    package var nextCursor: String?

    package init() {}
}

/// How many notifications a person has not read.
package struct UnreadNotifications: Sendable, Equatable {
    package var count: Int
    package var isMore: Bool

    /// The most that are counted.
    package static let maximum = 100

    package init(count: Int = 0, isMore: Bool = false) {
        (self.count, self.isMore) = (count, isMore)
    }
}

extension NotificationWriter {
    /// A page of notifications as the viewer sees them now.
    package func page(after cursor: Cursor<Int>?, limit: Int) throws -> NotificationListPage {
        let found = try reader.map(
            """
            SELECT \(GroupRecord.columns) FROM notification_groups
            WHERE person = \(viewer.key) AND is_listed = 1 \(notificationList.following(cursor))
            ORDER BY \(notificationList.order) LIMIT \(limit + 1)
            """, GroupRecord.init)
        var page = NotificationListPage()
        page.items = try write(Array(found.prefix(limit)))
        if found.count > limit, let last = found.prefix(limit).last {
            page.nextCursor = notificationList.text(of: Int(last.number))
        }
        return page
    }

    /// How many notifications are above the read mark, as far as the viewer may see whom they are about.
    package func unread() throws -> UnreadNotifications {
        let mark = try reader.notifications.mark(of: viewer.key)?.number ?? 0
        let count: Int =
            try reader.row(
                """
                SELECT COUNT(*) AS count FROM (
                    SELECT 1 FROM notification_groups
                    WHERE notification_groups.person = \(viewer.key) AND notification_groups.is_listed = 1
                        AND notification_groups.number > \(mark) AND EXISTS (
                            SELECT 1 FROM notification_events
                            LEFT JOIN people ON people.key = notification_events.actor
                            WHERE notification_events.person = \(viewer.key)
                                AND notification_events.group_key = notification_groups.key
                                AND (notification_events.actor IS NULL OR \(Facet.act.condition(for: viewer))))
                    LIMIT \(UnreadNotifications.maximum + 1)) AS counted
                """)?["count"] ?? 0
        return UnreadNotifications(
            count: min(count, UnreadNotifications.maximum), isMore: count > UnreadNotifications.maximum)
    }

    /// A change of a notification: as it is now, or that there is nothing to show any more.
    package struct Change {
        package let number: Int64
        package let id: String
        package let notification: WrittenNotification?
    }

    /// What changed of the viewer's notifications after a number, in the order of the changes.
    package func changes(after change: Int64, limit: Int) throws -> [Change] {
        let found = try reader.map(
            """
            SELECT \(GroupRecord.columns) FROM notification_groups
            WHERE person = \(viewer.key) AND is_listed = 1 AND change > \(change) ORDER BY change, key LIMIT \(limit)
            """, GroupRecord.init)
        let written = Dictionary(uniqueKeysWithValues: try write(found).map { ($0.key, $0) })
        return found.map { Change(number: $0.change, id: String($0.key), notification: written[$0.key]) }
    }

    /// What is to be pushed of groups: the events that were not pushed before, up to the last one when they were taken.
    /// Later ones follow with the next push.
    package func pushes(_ deliveries: [PushDelivery]) throws -> [WrittenNotification] {
        var owed: [Int64: ClosedRange<Int64>] = [:]
        for delivery in deliveries {
            let number: Int64? = try reader.row(
                """
                SELECT sent_number FROM push_intents
                WHERE person = \(viewer.key) AND group_key = \(delivery.group) AND target = \(delivery.target.id)
                """)?["sent_number"]
            // It was seen, deleted or blocked since it was taken.
            guard let number, number < delivery.number else { continue }
            owed[delivery.group] = number + 1...delivery.number
        }
        return try owed.keys.sorted().listParts.flatMap { part in
            try write(
                try reader.map(
                    """
                    SELECT \(GroupRecord.columns) FROM notification_groups
                    WHERE person = \(viewer.key) AND key IN (\(list: part)) ORDER BY number DESC
                    """, GroupRecord.init), within: owed)
        }
    }
}

extension NotificationWriter {
    /// The number up to which the viewer has read; `nil` for somebody who has not read anything.
    package func readNumber() throws -> Int64? { try reader.notifications.mark(of: viewer.key)?.number }
}

extension NotificationStore {
    /// The number of a person's notifications that changed after a number, up to `limit`.
    package func countOfChanges(of person: PersonKey, after change: Int64, limit: Int) throws -> Int {
        try transaction.row(
            """
            SELECT COUNT(*) AS count FROM (
                SELECT 1 FROM notification_groups
                WHERE person = \(person) AND is_listed = 1 AND change > \(change) LIMIT \(limit)) AS counted
            """)?["count"] ?? 0
    }
}
