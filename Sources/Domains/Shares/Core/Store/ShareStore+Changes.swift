import Model
import Storage
import Visibility

/// That a share has changed for somebody.
package struct ShareChange: Sendable, Equatable {
    package let id: ShareID
    package let number: Int64

    init(row: Row) throws {
        id = try ShareID(row: row)
        number = try row["change"]
    }
}

extension ShareStore {
    /// A person's own shares, and those to which they or others have reacted, that changed after a number, in the order
    /// of the changes. What the person may no longer see is left out: that its sender closed their profile or is gone is
    /// reported otherwise.
    package func changes(for viewer: Viewer, after change: Int64, limit: Int) throws -> [ShareChange] {
        let made = try transaction.map(
            """
            SELECT number, shared_at, number AS change FROM shares WHERE sender = \(viewer.key) AND number > \(change)
            ORDER BY number LIMIT \(limit)
            """, ShareChange.init)
        let changed = try transaction.map(
            """
            SELECT shares.number, shares.shared_at, share_changes.change AS change
            FROM share_changes CROSS JOIN shares CROSS JOIN people
            WHERE share_changes.person = \(viewer.key) AND share_changes.change > \(change)
                AND shares.number = share_changes.share AND people.key = shares.sender
                AND \(Self.isVisible(to: viewer))
            ORDER BY share_changes.change LIMIT \(limit)
            """, ShareChange.init)
        return Array((made + changed).sorted { ($0.number, $0.id) < ($1.number, $1.id) }.prefix(limit))
    }
}
