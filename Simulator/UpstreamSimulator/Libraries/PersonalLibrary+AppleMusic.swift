/// The parts of Apple Music's library besides its lists of songs, albums and playlists: artists, and single items by
/// their ids.
extension PersonalLibrary {
    func id(of album: SavedAlbum) -> String { appleID("l.", UInt64(album.release.number)) }

    /// An artist's id, which is shorter than the other ids.
    func id(ofArtist artist: Int) -> String { String(appleID("r.", UInt64(artist)).prefix(9)) }

    func id(ofVideo number: Int) -> String { appleID("i.", 1 << 40 | UInt64(number)) }

    /// The artists of the saved songs and albums, by name.
    var artists: [Int] {
        var all = Set(albums.map(\.release.artist))
        for track in saved where track.isReadable { all.insert(track.entry.artist) }
        return all.map { (name: catalog.name(ofArtist: $0, on: service).lowercased(), artist: $0) }
            .sorted { ($0.name, $0.artist) < ($1.name, $1.artist) }
            .map(\.artist)
    }

    func artist(ofID id: String) -> Int? { artists.first { self.id(ofArtist: $0) == id } }

    /// A saved song, or one that only a playlist has.
    func song(ofID id: String) -> SavedTrack? {
        if let track = saved.first(where: { $0.isReadable && self.id(of: $0) == id }) { return track }
        for item in playlists.flatMap(\.items) {
            if let track = track(of: item), self.id(of: track) == id { return track }
        }
        return nil
    }

    /// The song of the library that an entry of a playlist is; `nil` for anything else.
    func track(of item: SavedPlaylist.Item) -> SavedTrack? {
        switch item.content {
        case .track(let entry): SavedTrack(entry: entry, addedAt: item.addedAt)
        case .upload(let entry): SavedTrack(entry: entry, addedAt: item.addedAt, kind: .upload)
        default: nil
        }
    }

    func album(ofID id: String) -> SavedAlbum? { albums.first { self.id(of: $0) == id } }

    /// The number of a video of a playlist.
    func video(ofID id: String) -> Int? {
        for item in playlists.flatMap(\.items) {
            if case .video(let number) = item.content, self.id(ofVideo: number) == id { return number }
        }
        return nil
    }
}
