import Model
import Storage
import Visibility

/// The SQL of threads and messages. Read or written in a transaction: `transaction.messages`.
///
/// Every act finds the person and their side of the thread, and checks everything about the other one, in the
/// transaction that writes: what somebody was shown before may have changed.
package struct MessageStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var messages: MessageStore<Self> { MessageStore(transaction: self) }
}

extension MessageStore {
    /// A thread of a viewer; `nil` for an id that is not of one.
    package func thread(_ id: String, for viewer: Viewer, now: Timestamp) throws -> MessageThread? {
        try threads(where: "message_threads.id = \(id)", for: viewer, now: now).first
    }

    /// The thread of a viewer and another person, if there is one.
    package func thread(with other: PersonKey, for viewer: Viewer, now: Timestamp) throws -> MessageThread? {
        let (first, second) = Self.ordered(viewer.key, other)
        let isOfTwo: SQL = "message_threads.first_key = \(first) AND message_threads.second_key = \(second)"
        return try threads(where: isOfTwo, for: viewer, now: now).first
    }

    /// Threads of a viewer.
    ///
    /// - Parameter end: the order and the limit, with a space before them.
    func threads(
        where condition: SQL, end: SQL = "", for viewer: Viewer, now: Timestamp
    ) throws -> [MessageThread] {
        try transaction.map(
            """
            SELECT \(MessageThread.columns(for: viewer)) \(MessageThread.tables)
            WHERE message_sides.person = \(viewer.key) AND \(condition)
            """ + end
        ) { try MessageThread(row: $0, for: viewer, now: now) }
    }

    /// The row of the thread of two people.
    func threadKey(of one: PersonKey, and other: PersonKey) throws -> Int64? {
        let (first, second) = Self.ordered(one, other)
        return try transaction.row(
            "SELECT key FROM message_threads WHERE first_key = \(first) AND second_key = \(second)")?["key"]
    }

    static func ordered(_ one: PersonKey, _ other: PersonKey) -> (first: PersonKey, second: PersonKey) {
        one.rawValue < other.rawValue ? (one, other) : (other, one)
    }
}

extension MessageStore where Access == WriteTransaction {
    /// A viewer and one of their threads.
    ///
    /// - Throws: ``MessageRefusal/unknownThread`` also for a viewer who was suspended or erased meanwhile.
    func own(_ id: String, of userID: String, now: Timestamp) throws -> (viewer: Viewer, thread: MessageThread) {
        guard let viewer = try transaction.visibility.viewer(userID: userID),
            let thread = try thread(id, for: viewer, now: now)
        else { throw MessageRefusal.unknownThread }
        return (viewer, thread)
    }

    /// The thread of the person and another one, which is made if there is none. The other one does not learn of it.
    ///
    /// - Parameter subjectID: `nil` for a name that nobody has.
    /// - Throws: ``MessageRefusal``; `ActLimitReached`.
    package func openThread(with subjectID: String?, by userID: String, now: Timestamp) throws -> MessageThread {
        guard let viewer = try transaction.visibility.viewer(userID: userID),
            let relation = try transaction.visibility.relation(of: viewer, to: subjectID)
        else { throw MessageRefusal.unknownPerson }
        guard !relation.isSelf else { throw MessageRefusal.selfTarget }
        let other = relation.person.key
        let known = try thread(with: other, for: viewer, now: now)
        // Whoever follows the viewer or has written to them shows themself by that, also with a private profile.
        // Whoever has only opened the thread does not: such a thread is closed.
        let isKnown =
            known.map { $0.state != .closed }
            ?? (relation.canSee(.existence) || relation.canSee(.act) && relation.followsViewer)
        guard isKnown else { throw MessageRefusal.unknownPerson }
        if let known { return known }
        try transaction.visibility.count(ActLimit.threads, by: viewer.key, now: now)
        let key = try transaction.nextChange()
        let (first, second) = Self.ordered(viewer.key, other)
        try transaction.run(
            """
            INSERT INTO message_threads (key, id, first_key, second_key, state)
            VALUES (\(key), \(UUIDv7.next()), \(first), \(second), \(ThreadStanding.new))
            """)
        for (person, other) in [(viewer.key, other), (other, viewer.key)] {
            try transaction.run(
                """
                INSERT INTO message_sides (
                    person, thread, other, last_number, hidden_number, is_asked, read_number, unread, sent,
                    reset_change, change)
                VALUES (\(person), \(key), \(other), 0, 0, 0, 0, 0, 0, 0, \(key))
                """)
        }
        guard let made = try thread(with: other, for: viewer, now: now) else { throw MessageRefusal.unknownPerson }
        return made
    }

    /// A thread has changed for a person, whose programs read it with a new number.
    ///
    /// - Parameter further: further columns to set, with a comma before them.
    func touch(_ thread: Int64, of person: PersonKey, _ further: SQL = "") throws {
        try transaction.run(
            """
            UPDATE message_sides SET change = \(try transaction.nextChange()) \(further)
            WHERE person = \(person) AND thread = \(thread)
            """)
    }

    /// Has the programs of people whose erasure has not begun read what has changed.
    func recordChange(of people: [PersonKey]) throws {
        transaction.recordChange(
            of: try transaction.visibility.userIDs(of: people).values, topic: .messages)
    }
}
