/// An entry of a playlist. Development mode names what it contains twice.
struct SpotifyPlaylistItemDocument: Encodable {
    enum Content: Encodable {
        case track(SpotifyObject<SpotifyTrackDocument>)
        case local(SpotifyLocalTrackDocument)
        case episode(SpotifyObject<SpotifyEpisodeDocument>)
        case episodeAsTrack(SpotifyObject<SpotifyEpisodeTrackDocument>)
        /// What no longer exists: null.
        case unavailable

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .track(let document): try document.encode(to: encoder)
            case .local(let document): try document.encode(to: encoder)
            case .episode(let document): try document.encode(to: encoder)
            case .episodeAsTrack(let document): try document.encode(to: encoder)
            case .unavailable: try JSONNull().encode(to: encoder)
            }
        }
    }

    struct Thumbnail: Encodable {
        let url = JSONNull()
    }

    @Nullable var addedAt: String?
    @Nullable var addedBy: SpotifyIdentity?
    var isLocal: Bool
    let primaryColor = JSONNull()
    var track: Content
    var item: Content?
    let videoThumbnail = Thumbnail()

    enum CodingKeys: String, CodingKey {
        case addedAt = "added_at"
        case addedBy = "added_by"
        case isLocal = "is_local"
        case primaryColor = "primary_color"
        case track, item
        case videoThumbnail = "video_thumbnail"
    }
}

extension SpotifyDocuments {
    /// A page of a playlist's entries.
    ///
    /// - Parameters:
    ///   - episodes: whether `additional_types` has `episode`; without it an episode looks like a track.
    ///   - query: what the page's links repeat.
    func items(
        of playlist: SavedPlaylist, _ page: SpotifyPage, episodes: Bool, url: String, query: String
    ) -> SpotifyPagingDocument<SpotifyPlaylistItemDocument> {
        let items = page.part(of: playlist.items).map { item in
            self.item(item, addedBy: playlist.owner, episodes: episodes)
        }
        return page.document(items, total: playlist.items.count, url: url, query: query)
    }

    private func item(
        _ item: SavedPlaylist.Item, addedBy: String, episodes: Bool
    ) -> SpotifyPlaylistItemDocument {
        let content = content(of: item, episodes: episodes)
        let isKnown = item.addedAt != 0
        var isLocal = false
        if case .local = content { isLocal = true }
        return SpotifyPlaylistItemDocument(
            addedAt: isKnown ? CalendarText.moment(item.addedAt) : nil,
            addedBy: isKnown ? SpotifyIdentity("user", id: addedBy) : nil, isLocal: isLocal, track: content,
            item: mode == .dev2026 ? content : nil)
    }

    private func content(of item: SavedPlaylist.Item, episodes: Bool) -> SpotifyPlaylistItemDocument.Content {
        switch item.content {
        case .track(let entry), .catalogSong(let entry): .track(track(entry, isItem: true))
        case .local(let number): .local(localTrack(number))
        case .episode(let number): episodes ? .episode(episode(number)) : .episodeAsTrack(episodeAsTrack(number))
        case .video, .upload, .unavailable: .unavailable
        }
    }
}
