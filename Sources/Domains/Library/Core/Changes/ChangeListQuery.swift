import Model
import Storage

/// What a page of the change log shows.
package struct ChangeListQuery: Sendable {
    /// The sort orders of changes. The raw values are part of the API.
    package enum Order: String, Sendable, Hashable, CaseIterable {
        case earliest
        case latest

        package var list: Keyset<Int, Int> {
            switch self {
            case .earliest: LibraryLists.changes
            case .latest: LibraryLists.latestChanges
            }
        }
    }

    /// The time of the earliest change to show; `nil` for all stored changes.
    package var since: Timestamp?
    /// The kind of changes to show; `nil` for all kinds.
    package var kind: LibraryChangeKind?
    /// The track whose source tracks' changes are shown; `nil` for all items.
    package var track: LibraryID?
    package var order: Order
    package var start: ListStart<Cursor<Int, Int>>
    /// The maximum number of changes on the page; at least 1.
    package var limit: Int

    package init(
        since: Timestamp? = nil, kind: LibraryChangeKind? = nil, track: LibraryID? = nil, order: Order = .earliest,
        start: ListStart<Cursor<Int, Int>> = .after(nil), limit: Int
    ) {
        (self.since, self.kind, self.track) = (since, kind, track)
        (self.order, self.start, self.limit) = (order, start, limit)
    }
}
