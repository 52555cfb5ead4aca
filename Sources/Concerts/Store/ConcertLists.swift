import Storage

/// The orders of lists of concerts.
package enum ConcertLists {
    /// A user's searches, newest first.
    package static let searches = Keyset<RowID>("concertSearches", by: "id", descending: true)
    /// The shows of a search, which are grouped in memory: rank, date, time and id, unknown ones last.
    package static let shows = Keyset<Int, Int, Int, String>("shows")
}
