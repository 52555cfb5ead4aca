import Model
import Storage
import Visibility

/// How far a person has read the notifications.
package struct NotificationMark: Sendable, Equatable {
    /// The highest number that was read.
    package let number: Int64
    package let change: Int64
}

extension NotificationStore {
    /// How far a person has read; `nil` for somebody who has not read anything.
    package func mark(of person: PersonKey) throws -> NotificationMark? {
        try transaction.row("SELECT number, change FROM notification_marks WHERE person = \(person)").map {
            NotificationMark(number: try $0["number"], change: try $0["change"])
        }
    }
}

extension NotificationStore where Access == WriteTransaction {
    /// Moves the mark of a person forward, and ends what would be pushed of what was read. A number that is not above
    /// the mark changes nothing.
    ///
    /// - Returns: the mark as it is now.
    /// - Throws: ``NotificationRefusal``.
    package func moveMark(to number: Int64, of userID: String) throws -> NotificationMark {
        let person = try person(userID)
        let last = try transaction.lastChange()
        // A mark beyond all changes would hide what happens next.
        guard number <= last else { throw NotificationRefusal.numberTooHigh(last: last) }
        let former = try mark(of: person)
        if let former, former.number >= number { return former }
        let mark = NotificationMark(number: number, change: try transaction.nextChange())
        try transaction.run(
            """
            INSERT INTO notification_marks (person, number, change) VALUES (\(person), \(mark.number), \(mark.change))
            ON CONFLICT (person) DO UPDATE SET number = excluded.number, change = excluded.change
            """)
        transaction.recordChange(of: [userID], topic: .notifications)
        try see(through: number, groups: nil, of: person)
        return mark
    }

    /// Notes that a page has shown notifications, so that they are not pushed.
    ///
    /// - Parameters:
    ///   - number: what happened up to this number was seen. It is not stored, so that one that is too high includes
    ///     nothing that happens later.
    ///   - groups: the keys of the notifications; `nil` for all.
    /// - Throws: ``NotificationRefusal/unknownPerson``.
    package func see(through number: Int64, groups: [Int64]?, of userID: String) throws {
        try see(through: number, groups: groups, of: try person(userID))
    }

    private func see(through number: Int64, groups: [Int64]?, of person: PersonKey) throws {
        let condition: SQL = groups.map { "AND group_key IN (\(list: $0))" } ?? ""
        try transaction.run(
            """
            UPDATE push_intents SET state = \(PushState.done.sql), sent_number = number, has_waited = 0
            WHERE person = \(person) AND state <> \(PushState.done.sql) AND number <= \(number) \(condition)
            """)
    }
}
