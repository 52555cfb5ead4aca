/// A track in a person's list of saved tracks.
struct SpotifySavedTrackDocument: Encodable {
    var addedAt: String
    var track: SpotifyObject<SpotifyTrackDocument>

    enum CodingKeys: String, CodingKey {
        case addedAt = "added_at"
        case track
    }
}

/// An album in a person's list of saved albums.
struct SpotifySavedAlbumDocument: Encodable {
    var addedAt: String
    var album: SpotifyObject<SpotifyAlbumDocument>

    enum CodingKeys: String, CodingKey {
        case addedAt = "added_at"
        case album
    }
}
