/// The attributes of a playlist that somebody has made public.
private struct PlaylistAttributes: Encodable {
    var artwork: AppleMusicArtwork?
    var curatorName: String
    var description: AppleMusicDescription?
    let isChart = false
    var lastModifiedDate: String
    var name: String
    var playParams: AppleMusicPlayParameters
    let playlistType = "user-shared"
    var url: String
}

/// The attributes of a music video.
private struct VideoAttributes: Encodable {
    var artistName: String
    let durationInMillis = 222_000
    var name: String
}

/// Playlists of the catalog: those that people have made public.
extension AppleMusicDocuments {
    /// The number of tracks that are included with a playlist.
    static let playlistPage = 100

    /// The items of a playlist that others see: nothing that is only in its owner's library, and nothing that the
    /// storefront does not sell.
    func items(of playlist: SavedPlaylist) -> [SavedPlaylist.Content] {
        playlist.items.map(\.content).filter { content in
            switch content {
            case .track(let entry), .catalogSong(let entry):
                catalog.isAvailable(entry.recording, in: storefront)
            case .video: true
            case .upload, .local, .episode, .unavailable: false
            }
        }
    }

    func playlist(_ playlist: SavedPlaylist) -> AppleMusicResource {
        let id = playlist.sharedID ?? ""
        let items = items(of: playlist)
        var tracks = relation(
            "tracks", of: "playlists", id: id, items.prefix(Self.playlistPage).compactMap { item($0) })
        if items.count > Self.playlistPage { tracks.next = tracks.href.map { "\($0)?offset=\(Self.playlistPage)" } }
        let hasCover = playlist.picture == .cover
        let attributes = PlaylistAttributes(
            artwork: hasCover ? AppleMusicArtwork(url: artworkURL(Int(playlist.changedAt))) : nil,
            curatorName: playlist.owner, description: playlist.description.map { .init(standard: $0) },
            lastModifiedDate: CalendarText.moment(playlist.changedAt), name: playlist.name,
            playParams: .init(id: id, kind: "playlist"),
            url: "https://music.apple.com/\(storefront)/playlist/\(id)")
        return resource("playlists", id: id, attributes, .init(tracks: tracks))
    }

    /// A song or music video of a playlist; `nil` for what the catalog does not have.
    func item(_ content: SavedPlaylist.Content) -> AppleMusicResource? {
        switch content {
        case .track(let entry), .catalogSong(let entry): song(entry)
        case .video(let number):
            resource(
                "music-videos", id: String(1_900_000_000 + number),
                VideoAttributes(
                    artistName: catalog.name(ofArtist: 0, on: .apple), name: "Film of a Song \(number)"))
        case .upload, .local, .episode, .unavailable: nil
        }
    }
}

extension SavedPlaylist {
    /// Apple: its id in the catalog; `nil` for one that is not public.
    var sharedID: String? { isPublic == true ? "pl.u-\(id.dropFirst(2))" : nil }
}
