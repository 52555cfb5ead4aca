/// What a page of the list of tracks shows.
package struct TrackListQuery: Sendable {
    package var filter: TrackFilter
    /// `nil` for all tracks of the filter.
    package var search: SearchQuery?
    /// `nil` for the tracks of all artists.
    package var artist: ArtistFilter?
    package var sort: TrackSort
    package var start: ListStart<ListPlace>
    /// The most tracks of the page; at least 1.
    package var limit: Int

    package init(
        filter: TrackFilter = .all, search: SearchQuery? = nil, artist: ArtistFilter? = nil,
        sort: TrackSort = .recentlyAdded, start: ListStart<ListPlace> = .after(nil), limit: Int
    ) {
        self.filter = filter
        self.search = search
        self.artist = artist
        self.sort = sort
        self.start = start
        self.limit = limit
    }
}
