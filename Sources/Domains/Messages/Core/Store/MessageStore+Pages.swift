import Model
import Storage
import Visibility

/// The order of a person's threads: the one with the newest message first.
package let threadList = Keyset<Int>("threads", by: "message_sides.last_number", descending: true)
/// The order of the messages of a thread: the newest first.
package let messageList = Keyset<Int>("messages", by: "messages.number", descending: true)

/// Which threads a list has.
package enum ThreadListKind: String, Sendable, CaseIterable {
    /// All but requests of others, and threads with people whom the person has blocked.
    case open
    case blocked
    /// Requests of others.
    case requests
}

/// A page of threads.
package struct ThreadPage: Sendable {
    package var items: [MessageThread] = []
    package var nextCursor: String?

    package init() {}
}

/// A page of messages.
package struct MessagePage: Sendable {
    package var items: [Message] = []
    package var nextCursor: String?
    /// Whether there are messages older than those of the page, and newer than those that the reader has.
    package var hasGap = false

    package init() {}
}

extension MessageStore {
    /// A page of a viewer's threads.
    ///
    /// - Parameter limit: at most 50.
    package func threads(
        _ kind: ThreadListKind, for viewer: Viewer, after cursor: Cursor<Int>? = nil, limit: Int, now: Timestamp
    ) throws -> ThreadPage {
        // Without a row of people, a condition about them is NULL, which a CASE makes false.
        let condition: SQL =
            switch kind {
            case .open:
                """
                message_sides.is_asked = 0 AND CASE WHEN people.state = 0 AND EXISTS (
                    SELECT 1 FROM blocks
                    WHERE blocks.blocker = \(viewer.key) AND blocks.blocked = message_sides.other)
                    THEN 1 ELSE 0 END = 0
                """
            case .blocked:
                // From the blocks, which are fewer than the threads.
                """
                people.state = 0 AND message_sides.thread IN (
                    SELECT own.thread FROM blocks CROSS JOIN message_sides AS own
                    WHERE blocks.blocker = \(viewer.key) AND own.person = blocks.blocker
                        AND own.other = blocks.blocked)
                """
            case .requests: "message_sides.is_asked = 1 AND \(Facet.act.condition(for: viewer))"
            }
        let found = try threads(
            where: "message_sides.last_number > 0 AND \(condition)" + threadList.following(cursor),
            end: " ORDER BY " + threadList.order + " LIMIT \(limit + 1)", for: viewer, now: now)
        var page = ThreadPage()
        page.items = Array(found.prefix(limit))
        if found.count > limit { page.nextCursor = page.items.last.map { threadList.text(of: Int($0.lastNumber)) } }
        return page
    }

    /// A page of the messages of a viewer's thread.
    ///
    /// - Parameters:
    ///   - since: the number of the newest message that the reader has; `nil` for none.
    ///   - limit: at most 100.
    package func messages(
        in thread: MessageThread, for viewer: Viewer, since: Int64? = nil, after cursor: Cursor<Int>? = nil, limit: Int
    ) throws -> MessagePage {
        let found = try transaction.map(
            """
            SELECT \(Message.columns) FROM messages
            WHERE messages.thread = \(thread.key) AND messages.number > \(thread.hiddenNumber)
                \(messageList.following(cursor))
            ORDER BY \(messageList.order) LIMIT \(limit + 1)
            """
        ) { try Message(row: $0, threadID: thread.id, viewer: viewer.key, isHidden: thread.isHidden) }
        var page = MessagePage()
        page.items = Array(found.prefix(limit))
        guard found.count > limit, let next = found.last else { return page }
        page.nextCursor = page.items.last.map { messageList.text(of: Int($0.id.number)) }
        page.hasGap = next.id.number > since ?? 0
        return page
    }

    /// Those of the messages that contain songs which were sent to a viewer, by people whom the viewer can reach.
    package func sentSongs(
        _ numbers: some Sequence<Int64>, to viewer: Viewer
    ) throws -> [(message: Message, sender: Standing)] {
        try transaction.map(
            """
            SELECT \(Message.columns), message_threads.id AS thread_id, \(Standing.columns(for: viewer))
            FROM messages JOIN message_threads ON message_threads.key = messages.thread
                JOIN people ON people.key = messages.sender
            WHERE messages.number IN (\(list: Set(numbers))) AND messages.recipient = \(viewer.key)
                AND messages.has_song = 1 AND message_threads.state = \(ThreadStanding.open)
                AND \(Facet.act.condition(for: viewer))
            """
        ) { row in
            (
                message: try Message(
                    row: row, threadID: try row["thread_id"], viewer: viewer.key, isHidden: false),
                sender: try Standing(row: row)
            )
        }
    }
}
