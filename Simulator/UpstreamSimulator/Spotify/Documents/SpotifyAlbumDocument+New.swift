/// Albums that came out on command.
extension SpotifyDocuments {
    func id(of album: NewAlbum) -> String { catalog.spotifyID(of: album) }

    /// - Parameter group: as for the albums of the catalog.
    func simplifiedAlbum(_ album: NewAlbum, group: String? = nil) -> SpotifyObject<SpotifyAlbumDocument> {
        var document = document(album)
        document.albumGroup = mode == .legacy ? group : nil
        return SpotifyObject("album", id: id(of: album), document)
    }

    /// The full object with its first page of tracks.
    ///
    /// - Parameter base: the beginning of that page's links.
    func album(_ album: NewAlbum, base: String) -> SpotifyObject<SpotifyAlbumDocument> {
        var document = document(album)
        document.copyrights = [.init(text: "\(album.date.year) Simulated Records")]
        document.genres = []
        if mode == .legacy {
            document.label = "Simulated Records"
            document.popularity = 0
        }
        document.tracks = tracks(
            of: album, SpotifyPage(limit: 50, offset: 0), url: "\(base)/albums/\(id(of: album))/tracks")
        return SpotifyObject("album", id: id(of: album), document)
    }

    /// - Parameter query: what the page's links repeat.
    func tracks(
        of album: NewAlbum, _ page: SpotifyPage, url: String, query: String = ""
    ) -> SpotifyPagingDocument<SpotifyObject<SpotifyTrackDocument>> {
        let entries = album.entries
        return page.document(
            page.part(of: entries).map { simplifiedTrack($0) }, total: entries.count, url: url, query: query)
    }

    private func document(_ album: NewAlbum) -> SpotifyAlbumDocument {
        SpotifyAlbumDocument(
            albumType: album.albumType, artists: simplifiedArtists([album.artist]), availableMarkets: availableMarkets,
            images: images("6d", catalog.subject(of: album)), name: album.title, releaseDate: album.date.text,
            releaseDatePrecision: album.date.precision.rawValue, totalTracks: album.tracks)
    }
}
