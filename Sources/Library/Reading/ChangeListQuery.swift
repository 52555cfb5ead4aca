import Model
import Storage

/// What a page of the list of changes shows.
package struct ChangeListQuery: Sendable {
    /// The orders of changes. The raw values are in the API.
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

    /// The earliest moment; `nil` for everything that is kept.
    package var since: Timestamp?
    /// `nil` for all kinds.
    package var kind: LibraryChangeKind?
    /// Only changes of this track's source tracks; `nil` for all items.
    package var track: LibraryID?
    package var order: Order
    package var start: ListStart<Cursor<Int, Int>>
    /// The most changes of the page; at least 1.
    package var limit: Int

    package init(
        since: Timestamp? = nil, kind: LibraryChangeKind? = nil, track: LibraryID? = nil, order: Order = .earliest,
        start: ListStart<Cursor<Int, Int>> = .after(nil), limit: Int
    ) {
        (self.since, self.kind, self.track) = (since, kind, track)
        (self.order, self.start, self.limit) = (order, start, limit)
    }
}
