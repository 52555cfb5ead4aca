/// A playlist as one service describes it, without its entries.
package struct SourcePlaylist: Sendable, Hashable {
    package var sourceID: String
    package var name: String
    package var description: String?
    /// Spotify's `owner.id`; `nil` if the service gives none.
    package var ownerID: String?
    package var ownerName: String?
    /// Whether the playlist is public; `nil` if the service does not report it.
    package var isPublic: Bool?
    package var isCollaborative: Bool?
    /// Whether the person may add songs (Apple Music's `canEdit`); `nil` if the service does not report it.
    package var canEdit: Bool?
    package var artworkURL: String?
    /// The number of entries; `nil` if the list of playlists does not include it.
    package var entryCount: Int?
    /// A version that changes whenever the entries do: Spotify's `snapshot_id`, Apple Music's `lastModifiedDate`. `nil`
    /// if the service gives none; then the entries are read every time.
    package var version: String?
    package var addedAt: Timestamp?

    package init(sourceID: String, name: String) {
        self.sourceID = sourceID
        self.name = name
    }
}

/// An entry of a playlist. Positions count from 0 and include entries that are not tracks.
package struct SourcePlaylistEntry: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case track(SourceTrack)
        /// A file on the owner's device.
        case local(title: String)
        case episode(title: String)
        /// A removed track, a music video, or an entry that cannot be read.
        case unavailable(title: String?)
    }

    package var position: Int
    package var content: Content
    package var addedAt: Timestamp?

    package init(position: Int, content: Content, addedAt: Timestamp?) {
        self.position = position
        self.content = content
        self.addedAt = addedAt
    }
}

/// A saved album as one service describes it.
package struct SourceAlbum: Sendable, Hashable {
    package var sourceID: String
    package var name: String
    package var artist: String
    package var artworkURL: String?
    package var releaseDate: ReleaseDate?
    package var trackCount: Int?
    package var genres: [String] = []
    package var addedAt: Timestamp?

    package init(sourceID: String, name: String, artist: String) {
        self.sourceID = sourceID
        self.name = name
        self.artist = artist
    }
}
