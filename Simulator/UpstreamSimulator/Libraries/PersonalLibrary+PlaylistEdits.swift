/// The edits that people make to their playlists in the service's own app.
extension PersonalLibrary {
    mutating func edit(_ edit: LibraryChange.PlaylistEdit) throws {
        let count = edit.count ?? 1
        guard count >= 0, count <= 11_000 else {
            throw InvalidSetting(description: "The count of a playlist's edit is 0 to 11,000.")
        }
        if edit.edit == .create {
            let items = try edit.songs.map { try self.items($0) } ?? newItems(count)
            let playlist = SavedPlaylist(
                id: newPlaylistID(), name: edit.name ?? "New playlist", description: "", owner: person,
                isPublic: false, picture: .empty, items: items, changedAt: tick())
            playlists.insert(playlist, at: 0)
            return
        }
        let index = try place(of: edit)
        if edit.edit == .delete {
            playlists.remove(at: index)
            return
        }
        if edit.edit == .append, let calls = edit.showsAfterCalls, service == .apple {
            let items = try edit.songs.map { try self.items($0) } ?? newItems(count)
            addItems(
                items.map(\.content), toPlaylist: playlists[index].id, after: calls, showsDateAtOnce: true)
            return
        }
        // The moment of new entries comes before that of the playlist's change.
        let new: [SavedPlaylist.Item] =
            switch edit.edit {
            case .append, .insert, .replace: try edit.songs.map { try self.items($0) } ?? newItems(count)
            default: []
            }
        let now = tick()
        try change(&playlists[index], edit, count: count, adding: new)
        playlists[index].revision += 1
        playlists[index].changedAt = now
    }

    private func change(
        _ playlist: inout SavedPlaylist, _ edit: LibraryChange.PlaylistEdit, count: Int,
        adding new: [SavedPlaylist.Item]
    ) throws {
        let last = playlist.items.count - 1
        switch edit.edit {
        case .append: playlist.items += new
        case .insert:
            playlist.items.insert(contentsOf: new, at: min(max(0, edit.position ?? 0), playlist.items.count))
        case .remove where edit.songs != nil:
            for song in edit.songs ?? [] {
                if let index = playlist.items.firstIndex(where: { songID(of: $0) == song }) {
                    playlist.items.remove(at: index)
                }
            }
        case .remove where edit.position != nil:
            guard last >= 0 else { return }
            let first = min(max(0, edit.position ?? 0), last)
            playlist.items.removeSubrange(first..<min(first + count, last + 1))
        case .remove, .replace:
            guard count <= playlist.items.count else {
                throw InvalidSetting(description: "The playlist has \(playlist.items.count) entries.")
            }
            playlist.items.removeFirst(count)
            playlist.items += new
        case .reorder:
            guard last >= 0 else { return }
            let moved = playlist.items.remove(at: min(max(0, edit.position ?? 0), last))
            playlist.items.insert(moved, at: min(max(0, edit.to ?? last), last))
        case .empty: playlist.items = []
        case .rename:
            guard let name = edit.name else { throw InvalidSetting(description: "A rename needs a name.") }
            playlist.name = name
        case .create, .delete: break
        }
    }

    private func place(of edit: LibraryChange.PlaylistEdit) throws -> Int {
        var place = edit.index
        if let id = edit.id { place = playlists.firstIndex { $0.id == id } }
        if let name = edit.called { place = playlists.firstIndex { $0.name == name && $0.owner == person } }
        guard let index = place, playlists.indices.contains(index) else {
            throw InvalidSetting(description: "id, index or called must name a playlist of the library.")
        }
        return index
    }

    /// Makes new entries for songs that are named by their ids in the library.
    private mutating func items(_ ids: [String]) throws -> [SavedPlaylist.Item] {
        let contents = try ids.map { try content(ofSong: $0) }
        let now = tick()
        return contents.map { SavedPlaylist.Item(content: $0, addedAt: now) }
    }

    private func content(ofSong id: String) throws -> SavedPlaylist.Content {
        let track: SavedTrack? =
            switch service {
            case .spotify: catalog.entry(ofSpotifyID: id).map { SavedTrack(entry: $0, addedAt: 0) }
            case .apple: song(ofID: id)
            }
        guard let track else { throw InvalidSetting(description: "There is no song '\(id)'.") }
        return track.kind == .upload ? .upload(track.entry) : .track(track.entry)
    }

    /// The id of an entry's song, as the library lists it; `nil` for an entry that is not a song.
    func songID(of item: SavedPlaylist.Item) -> String? {
        switch item.content {
        case .track(let entry), .catalogSong(let entry): id(of: SavedTrack(entry: entry, addedAt: 0))
        case .upload(let entry): id(of: SavedTrack(entry: entry, addedAt: 0, kind: .upload))
        case .video, .local, .episode, .unavailable: nil
        }
    }

    /// The id of an entry's song in the service's catalog; `nil` if the catalog does not have it.
    func catalogID(of item: SavedPlaylist.Item, storefront: String) -> String? {
        switch item.content {
        case .track(let entry), .catalogSong(let entry):
            switch service {
            case .spotify: catalog.spotifyID(.track, UInt64(entry.number))
            case .apple: catalog.appleID(.song, entry.number, storefront: storefront)
            }
        case .upload, .video, .local, .episode, .unavailable: nil
        }
    }
}
