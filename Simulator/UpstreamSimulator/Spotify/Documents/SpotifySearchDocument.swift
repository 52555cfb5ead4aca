/// The results of a search: one page for each type that the caller asked for.
struct SpotifySearchDocument: Encodable {
    var albums: SpotifyPagingDocument<SpotifyObject<SpotifyAlbumDocument>>?
    var artists: SpotifyPagingDocument<SpotifyObject<SpotifyArtistDocument>>?
    /// Null for playlists of people who have left.
    var playlists: SpotifyPagingDocument<SpotifyObject<SpotifyPlaylistDocument>?>?
    var tracks: SpotifyPagingDocument<SpotifyObject<SpotifyTrackDocument>>?
    // Types that have no results here.
    var shows: SpotifyPagingDocument<JSONNull>?
    var episodes: SpotifyPagingDocument<JSONNull>?
    var audiobooks: SpotifyPagingDocument<JSONNull>?
}
