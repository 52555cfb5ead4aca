import DomainEvents
import Model
import NotificationSources
import Storage
import Visibility

/// A notification as its person sees it at this moment.
package struct WrittenNotification: Sendable {
    package let key: Int64
    package let number: Int64
    package let change: Int64
    package let group: NotificationGroup
    package let content: NotificationContent
    package let lastAt: Timestamp

    /// The id in the API.
    package var id: String { String(key) }
}

/// Writes what groups of events show to a person. Everything is decided at this moment: events by people whom the person
/// does not see are left out, and a group without others shows nothing.
package struct NotificationWriter {
    let reader: ReadTransaction
    let viewer: Viewer
    let kinds: NotificationKinds
    let accounts: NotifiedAccounts

    package init(
        _ reader: ReadTransaction, viewer: Viewer, kinds: NotificationKinds, accounts: NotifiedAccounts
    ) {
        (self.reader, self.viewer, self.kinds, self.accounts) = (reader, viewer, kinds, accounts)
    }

    /// Writes groups, in the same order, without those that show nothing.
    ///
    /// - Parameters:
    ///   - groups: at most some dozens.
    ///   - numbers: leaves out the events of a group with other numbers; for pushes, which report what is new.
    func write(
        _ groups: [GroupRecord], within numbers: [Int64: ClosedRange<Int64>] = [:]
    ) throws -> [WrittenNotification] {
        let events = try events(of: groups)
        let names = try names(of: Set(events.values.flatMap { $0.compactMap(\.actorID) }))
        return try groups.compactMap { record in
            guard let source = kinds[record.kind] else { return nil }
            let numbers = numbers[record.key]
            let shown = (events[record.key] ?? []).filter { numbers?.contains($0.number) ?? true }.compactMap {
                event -> NotificationGroup.Event? in
                guard let actorID = event.actorID else {
                    return NotificationGroup.Event(itemID: event.item, actor: nil, time: event.time)
                }
                guard source.namesEverybody || event.isActorNamed else {
                    return NotificationGroup.Event(
                        itemID: event.item, actor: nil, unnamedID: actorID, time: event.time)
                }
                return names[actorID].map {
                    NotificationGroup.Event(itemID: event.item, actor: $0, time: event.time)
                }
            }
            guard !shown.isEmpty else { return nil }
            // Where events of somebody were left out, the latest of them are there.
            let group = NotificationGroup(
                recipientID: viewer.userID, kind: record.kind, subject: record.subject, events: shown,
                hasMore: record.hasMore && shown.count >= NotificationLimits.eventsOfActor)
            guard let content = try source.write(group, reader) else { return nil }
            return WrittenNotification(
                key: record.key, number: record.number, change: record.change, group: group, content: content,
                // The last event of the group may be one that the viewer does not see.
                lastAt: shown.map(\.time).max() ?? record.lastAt)
        }
    }

    private struct SeenEvent {
        let number: Int64
        let item: String
        let actorID: String?
        /// Whether the viewer may see the name also where not everybody shows it.
        let isActorNamed: Bool
        let time: Timestamp
    }

    /// The events that the viewer may see, by group, the latest first.
    private func events(of groups: [GroupRecord]) throws -> [Int64: [SeenEvent]] {
        var events: [Int64: [SeenEvent]] = [:]
        for part in groups.map(\.key).listParts {
            try reader.forEachRow(
                """
                SELECT notification_events.group_key AS group_key, notification_events.number AS number,
                    notification_events.item AS item, notification_events.happened_at AS happened_at,
                    people.user_id AS user_id,
                    CASE WHEN \(Facet.isNamed(to: viewer)) THEN 1 ELSE 0 END AS is_named
                FROM notification_events LEFT JOIN people ON people.key = notification_events.actor
                WHERE notification_events.person = \(viewer.key) AND notification_events.group_key IN (\(list: part))
                    AND (notification_events.actor IS NULL OR \(Facet.act.condition(for: viewer)))
                ORDER BY notification_events.number DESC
                """
            ) { row in
                events[try row["group_key"], default: []].append(
                    SeenEvent(
                        number: try row["number"], item: try row["item"], actorID: try row["user_id"],
                        isActorNamed: try row["is_named"], time: try row["happened_at"]))
                return .continue
            }
        }
        return events
    }

    private func names(of userIDs: Set<String>) throws -> [String: NotificationGroup.Actor] {
        try userIDs.listParts.reduce(into: [:]) { names, part in
            names.merge(try accounts.actors(reader, Set(part))) { first, _ in first }
        }
    }
}

/// A row of `notification_groups`.
struct GroupRecord: Sendable {
    let key: Int64
    let kind: NotificationKind
    let subject: String
    let number: Int64
    let change: Int64
    let hasMore: Bool
    let lastAt: Timestamp

    static let columns: SQL = "key, kind, subject, number, change, has_more, last_at"

    init(row: Row) throws {
        key = try row["key"]
        kind = NotificationKind(rawValue: try row["kind"])
        subject = try row["subject"]
        number = try row["number"]
        change = try row["change"]
        hasMore = try row["has_more"]
        lastAt = try row["last_at"]
    }
}
