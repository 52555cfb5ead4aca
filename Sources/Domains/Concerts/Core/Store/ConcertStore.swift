import Storage

/// The SQL of concerts. Members that write need a ``WriteTransaction``.
package struct ConcertStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var concerts: ConcertStore<Self> { ConcertStore(transaction: self) }
}

extension ItemKind {
    package static let concertSearch = ItemKind("concertSearch")
}

extension ChangeTopic {
    /// People's searches for concerts.
    package static let concerts = ChangeTopic("concerts")
}

/// The orders of the lists that are split into pages.
package enum ConcertLists {
    /// A user's searches, newest first.
    package static let searches = Keyset<RowID>("concertSearches", by: "id", descending: true)
    /// The shows of a search, which are grouped in memory: by rank, date, time and id, with unknown values last.
    package static let shows = Keyset<Int, Int, Int, String>("shows")
}
