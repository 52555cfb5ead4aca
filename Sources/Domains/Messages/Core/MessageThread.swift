import Model
import Storage
import Visibility

/// A thread as one of its two people sees it at this moment.
package struct MessageThread: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
        /// Nobody has written.
        case new
        case open
        /// The other person asks to write to this one.
        case request
        /// This person has asked, and has no answer.
        case requested
        /// The other person is gone, or cannot be reached.
        case closed
        /// This person has blocked the other one.
        case blocked
    }

    let key: Int64
    package let id: String
    package let state: State
    package let writing: MessageWriting
    /// The other person; `nil` in a closed thread.
    package let other: Standing?
    /// The newest message; `nil` before the first one, and in a request of the other person.
    package let last: Message?
    /// When the newest message was sent; also in a request.
    package let at: Timestamp?
    package let unread: Int
    /// How far this person has read; 0 for nothing.
    package let readNumber: Int64
    /// How far the other person has read; `nil` unless both show their marks.
    package let otherReadNumber: Int64?
    /// After which change programs read the messages again; 0 for none. In an open thread, a change of the other person
    /// counts: it may be a suspension, which hides what they have written, or its end.
    package let resetChange: Int64
    package let change: Int64
    let lastNumber: Int64
    let hiddenNumber: Int64
    let otherKey: PersonKey
    /// Whether this person has a request of the other one to answer.
    let isAsked: Bool
    /// The last change of what the other person shows, or of whether they are suspended; 0 for none.
    let otherChange: Int64

    /// Whether the texts of the other person are not shown.
    package var isHidden: Bool { state == .closed }
}

extension MessageThread {
    /// What a statement reads of a thread, with ``tables``.
    static func columns(for viewer: Viewer) -> SQL {
        """
        message_threads.key AS thread_key, message_threads.id AS thread_id, message_threads.state AS thread_state,
        message_threads.asker AS thread_asker, message_threads.asked_at AS thread_asked_at,
        message_sides.other AS side_other, message_sides.last_number AS side_last,
        message_sides.hidden_number AS side_hidden, message_sides.read_number AS side_read,
        message_sides.unread AS side_unread, message_sides.reset_change AS side_reset,
        message_sides.change AS side_change, message_sides.is_asked AS side_asked, their_sides.read_number AS their_read,
        own_settings.shows_marks AS own_shows_marks, their_settings.policy AS their_policy,
        their_settings.shows_marks AS their_shows_marks, \(Message.columns), \(Standing.columns(for: viewer)),
        CASE WHEN people.state = 0 AND EXISTS (
            SELECT 1 FROM blocks WHERE blocks.blocker = \(viewer.key) AND blocks.blocked = people.key)
            THEN 1 ELSE 0 END AS has_blocked,
        their_log.profile_change AS their_change,
        CASE WHEN message_threads.state = \(ThreadStanding.open)
            AND \(Facet.act.condition(for: viewer, in: Person.State.allCases))
            THEN their_log.profile_change END AS their_reset,
        CASE WHEN \(isReachable(for: viewer)) THEN 1 ELSE 0 END AS is_reachable
        """
    }

    /// The condition of threads with people whom a viewer can reach, of the tables `message_threads` and `people`:
    /// those whom the viewer sees in lists, and those who have shown themselves by a follow, a request or a message.
    /// Others have opened the thread without a message, or have become private since the viewer opened it or asked
    /// them.
    ///
    /// - Parameter states: as in `Facet.condition(for:of:in:)`.
    static func isReachable(for viewer: Viewer, in states: [Person.State] = [.active]) -> SQL {
        """
        (\(Facet.existence.condition(for: viewer, in: states)) OR \(Facet.act.condition(for: viewer, in: states)) AND (
            message_threads.state = \(ThreadStanding.open) OR message_threads.asker = people.key OR EXISTS (
                SELECT 1 FROM follows AS shown
                WHERE shown.follower = people.key AND shown.followed = \(viewer.key))))
        """
    }

    /// The tables of ``columns(for:)``. A condition on `message_sides.person` has to follow.
    static let tables: SQL = """
        FROM message_sides JOIN message_threads ON message_threads.key = message_sides.thread
            LEFT JOIN people ON people.key = message_sides.other
            LEFT JOIN messages ON messages.number = message_sides.last_number
            LEFT JOIN message_sides AS their_sides
                ON their_sides.person = message_sides.other AND their_sides.thread = message_sides.thread
            LEFT JOIN author_log AS their_log ON their_log.author = message_sides.other
            LEFT JOIN message_settings AS own_settings ON own_settings.person = message_sides.person
            LEFT JOIN message_settings AS their_settings ON their_settings.person = message_sides.other
        """

    /// - Parameter row: with ``columns(for:)``.
    init(row: Row, for viewer: Viewer, now: Timestamp) throws {
        let standing: ThreadStanding = try row["thread_state"]
        let hasAsked = try row["thread_asker"] as Int64? == viewer.key.rawValue
        let state = try State(row: row, standing, hasAsked: hasAsked)
        let other = state == .closed ? nil : try Standing(row: row)
        let rules = try ThreadRules(row: row, for: viewer, toward: other)
        let isReadOnly = [.closed, .blocked].contains(state)
        let (ownMarks, theirMarks): (Bool?, Bool?) = (try row["own_shows_marks"], try row["their_shows_marks"])
        let showsMarks = state == .open && ownMarks == true && theirMarks == true
        let id: String = try row["thread_id"]
        let (last, hidden): (Int64, Int64) = (try row["side_last"], try row["side_hidden"])
        let otherReset = try row["their_reset"] as Int64? ?? 0
        var newest: Message?
        // The newest message may be one that a declined request has hidden.
        if last > hidden, try row["message_number"] as Int64? != nil {
            newest = try Message(row: row, threadID: id, viewer: viewer.key, isHidden: state == .closed)
        }
        self.init(
            key: try row["thread_key"], id: id, state: state,
            writing: isReadOnly ? .closed : rules.writing(now: now), other: other,
            last: state == .request ? nil : newest, at: newest?.at,
            unread: state == .open ? try row["side_unread"] : 0, readNumber: try row["side_read"],
            otherReadNumber: showsMarks ? try row["their_read"] : nil,
            resetChange: max(try row["side_reset"], otherReset), change: try row["side_change"], lastNumber: last,
            hiddenNumber: hidden, otherKey: try row["side_other"], isAsked: try row["side_asked"],
            otherChange: try row["their_change"] as Int64? ?? 0)
    }
}

extension MessageThread.State {
    fileprivate init(row: Row, _ standing: ThreadStanding, hasAsked: Bool) throws {
        let (hasBlocked, isReachable): (Bool, Bool) = (try row["has_blocked"], try row["is_reachable"])
        guard !hasBlocked, isReachable else {
            self = hasBlocked ? .blocked : .closed
            return
        }
        self =
            switch standing {
            case .open: .open
            case .new: .new
            case .request: hasAsked ? .requested : .request
            case .declined: hasAsked ? .requested : .new
            }
    }
}
