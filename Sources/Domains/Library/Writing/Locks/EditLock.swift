import Model
import Storage

/// Why scans of a source leave a row alone.
package enum EditLock: String, Sendable {
    case save, unsave, entries, rename, create

    /// No hold ends later than this after its edit. A later end comes from a clock that was ahead, and is ignored.
    package static let longest = SourceScan.pageLifetime + .seconds(3_600)

    /// The condition that a table's row is not held, for statements that concern one library.
    ///
    /// - Parameter kind: a kind of hold that does not count.
    package static func isFree(
        _ table: StaticString, _ list: SourceList, at now: Timestamp, except kind: EditLock? = nil
    ) -> SQL {
        """
        NOT EXISTS (
            SELECT 1 FROM library_edit_holds
            WHERE library_edit_holds.library_id = \(trusted: table).library_id
                AND library_edit_holds.item = \(list.item) AND library_edit_holds.item_id = \(trusted: table).id
                AND library_edit_holds.kind <> \(kind?.rawValue ?? "")
                AND (library_edit_holds.until IS NULL OR library_edit_holds.until > \(now)
                    AND library_edit_holds.until <= \(now.advanced(by: EditLock.longest))))
        """
    }
}
