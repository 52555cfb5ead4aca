/// The parameters of a page of the list of tracks.
package struct TrackListQuery: Sendable {
    package var filter: TrackFilter
    /// The text to search for; `nil` for all tracks that match the filter.
    package var search: SearchQuery?
    /// The artist whose tracks are shown; `nil` for all artists.
    package var artist: ArtistFilter?
    package var sort: TrackSort
    package var start: ListStart<ListPosition>
    /// The maximum number of tracks on the page; at least 1.
    package var limit: Int

    package init(
        filter: TrackFilter = .all, search: SearchQuery? = nil, artist: ArtistFilter? = nil,
        sort: TrackSort = .recentlyAdded, start: ListStart<ListPosition> = .after(nil), limit: Int
    ) {
        self.filter = filter
        self.search = search
        self.artist = artist
        self.sort = sort
        self.start = start
        self.limit = limit
    }
}
