/// The attributes of a playlist of a library.
private struct LibraryPlaylistAttributes: Encodable {
    var dateAdded: String?
    var lastModifiedDate: String
    var name: String
    let canEdit = true
    var hasCatalog: Bool
    var isPublic: Bool
    var description: AppleMusicDescription?
    var artwork: AppleMusicLibraryArtwork?
    var playParams: AppleMusicPlayParameters
}

/// The attributes of a music video of a library.
private struct LibraryVideoAttributes: Encodable {
    var name: String
    var artistName: String
    let durationInMillis = 222_000
    var playParams: AppleMusicPlayParameters
}

extension AppleMusicLibraryDocuments {
    /// - Parameter tracks: the relationship `tracks` if the call asked for it.
    func playlist(_ playlist: SavedPlaylist, tracks: AppleMusicListDocument? = nil) -> AppleMusicResource {
        let isPublic = playlist.isPublic == true
        let attributes = LibraryPlaylistAttributes(
            dateAdded: playlist.items.map(\.addedAt).min().map { CalendarText.moment($0) },
            lastModifiedDate: CalendarText.moment(playlist.changedAt), name: playlist.name, hasCatalog: isPublic,
            isPublic: isPublic, description: playlist.description.map { .init(standard: $0) },
            artwork: cover(of: playlist),
            playParams: .init(id: playlist.id, kind: "playlist", isLibrary: true, globalId: playlist.sharedID))
        return resource("playlists", id: playlist.id, attributes, tracks.map { .init(tracks: $0) })
    }

    /// Covers that Apple composes have a fixed size and no placeholders for another one.
    private func cover(of playlist: SavedPlaylist) -> AppleMusicLibraryArtwork? {
        switch playlist.picture {
        case .none: return nil
        case .empty:
            let url = SimulatedMedia.address(
                real: "https://is1-ssl.mzstatic.com/image/thumb/gen/600x600AM.PDCXS01.jpg",
                path: SimulatedMedia.picturePath(playlist.id, "600x600"))
            return AppleMusicLibraryArtwork(url: url, hasSize: false)
        case .cover:
            return AppleMusicLibraryArtwork(url: catalogDocuments.artworkURL(Int(playlist.changedAt)), hasSize: false)
        }
    }

    /// An entry of a playlist: a song of the library, a video, or a song of the catalog. `nil` for what Apple does not
    /// have.
    func item(_ item: SavedPlaylist.Item) -> AppleMusicResource? {
        switch item.content {
        case .track, .upload: library.track(of: item).map { song($0) }
        case .catalogSong(let entry): catalogDocuments.song(entry)
        case .video(let number): video(number)
        case .local, .episode, .unavailable: nil
        }
    }

    func video(_ number: Int) -> AppleMusicResource {
        let id = library.id(ofVideo: number)
        return resource(
            "music-videos", id: id,
            LibraryVideoAttributes(
                name: "Film of a Song \(number)", artistName: catalog.name(ofArtist: 0, on: .apple),
                playParams: .init(id: id, kind: "musicVideo", isLibrary: true)))
    }
}
