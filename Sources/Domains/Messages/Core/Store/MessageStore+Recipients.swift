import Model
import Storage
import Visibility

/// Somebody to whom a person may want to send something.
package struct MessageRecipient: Sendable {
    package let person: Standing
    /// The id of the thread of the two; `nil` if there is none.
    package let threadID: String?
    package let writing: MessageWriting
}

extension MessageStore {
    /// The most people among whom a person chooses: those whom one may follow, and those with whom one writes.
    private static var mostRecipients: Int { 20_000 }

    /// The people to whom a viewer may want to send something: first those to whom the viewer writes most, then those
    /// with whom the viewer has a thread, then those whom the viewer follows, the latest of each first. Those who receive
    /// nothing from the viewer are left out.
    ///
    /// - Parameter limit: `nil` for all.
    package func recipients(of viewer: Viewer, limit: Int? = nil, now: Timestamp) throws -> [MessageRecipient] {
        var found: [MessageRecipient] = []
        try transaction.forEachRow(
            """
            SELECT \(Standing.columns(for: viewer)), message_threads.id AS thread_id,
                message_threads.state AS thread_state, message_threads.asker AS thread_asker,
                message_threads.asked_at AS thread_asked_at, message_settings.policy AS their_policy
            FROM (
                SELECT follows.followed AS key, follows.change AS follow_change FROM follows
                WHERE follows.follower = \(viewer.key)
                UNION ALL
                SELECT message_sides.other AS key, 0 AS follow_change FROM message_sides
                WHERE message_sides.person = \(viewer.key) AND message_sides.last_number > 0 AND NOT EXISTS (
                    SELECT 1 FROM follows
                    WHERE follows.follower = \(viewer.key) AND follows.followed = message_sides.other)
                ) AS known JOIN people ON people.key = known.key
                LEFT JOIN message_sides
                    ON message_sides.person = \(viewer.key) AND message_sides.other = people.key
                LEFT JOIN message_threads ON message_threads.key = message_sides.thread
                LEFT JOIN message_settings ON message_settings.person = people.key
            WHERE \(MessageThread.isReachable(for: viewer))
                AND (\(Facet.existence.condition(for: viewer)) OR message_sides.last_number > 0)
                AND COALESCE(message_sides.is_asked, 0) = 0
            ORDER BY COALESCE(message_sides.sent, 0) DESC, COALESCE(message_sides.last_number, 0) DESC,
                known.follow_change DESC, people.key
            LIMIT \(Self.mostRecipients)
            """
        ) { row in
            let person = try Standing(row: row)
            let rules = try ThreadRules(row: row, for: viewer, toward: person)
            let writing = rules.writing(now: now)
            guard writing != .refused else { return .continue }
            found.append(MessageRecipient(person: person, threadID: try row["thread_id"], writing: writing))
            return found.count == limit ? .stop : .continue
        }
        return found
    }

    /// What a message of a viewer to a person whom they can reach leads to.
    package func writing(to person: Standing, by viewer: Viewer, now: Timestamp) throws -> MessageWriting {
        if let thread = try thread(with: person.key, for: viewer, now: now) { return thread.writing }
        var rules = ThreadRules()
        rules.policy = try settings(of: person.key).policy
        (rules.isFollowed, rules.follows) = (person.followsViewer, person.isFollowing)
        return rules.writing(now: now)
    }
}

extension ThreadRules {
    /// - Parameters:
    ///   - row: with `thread_state`, `thread_asker`, `thread_asked_at` and `their_policy`; all `NULL` for two people
    ///     without a thread, and for a person without settings.
    ///   - person: how the viewer stands to the other person; `nil` for one whom the viewer does not see.
    init(row: Row, for viewer: Viewer, toward person: Standing?) throws {
        self.init(
            standing: try row["thread_state"] as ThreadStanding? ?? .new,
            hasAsked: try row["thread_asker"] as Int64? == viewer.key.rawValue, askedAt: try row["thread_asked_at"])
        policy = (try row["their_policy"] as Int64?).map(MessagePolicy.init(number:)) ?? .anybody
        if let person { (isFollowed, follows) = (person.followsViewer, person.isFollowing) }
    }
}
