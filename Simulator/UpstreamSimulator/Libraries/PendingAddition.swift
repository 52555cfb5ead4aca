/// Something new in a library that is not shown yet.
struct PendingAddition: Sendable {
    enum Content: Sendable {
        case tracks([SavedTrack])
        case playlist(SavedPlaylist)
        case items([SavedPlaylist.Item], playlist: String)
    }

    /// The number of calls to the library until it is shown.
    var calls: Int
    var content: Content
    /// Whether the date of the playlist has already changed.
    var showsDateAtOnce = false
}

extension PersonalLibrary {
    /// Whether a playlist exists, even if it is not shown yet.
    func hasPlaylist(_ id: String) -> Bool {
        playlists.contains { $0.id == id }
            || pending.contains { addition in
                if case .playlist(let playlist) = addition.content { playlist.id == id } else { false }
            }
    }

    /// Saves songs. Songs that are already saved do not change.
    ///
    /// - Parameter calls: the number of calls to the library until they are shown.
    mutating func save(_ entries: [Entry], after calls: Int) {
        let now = tick()
        add(.tracks(entries.map { SavedTrack(entry: $0, addedAt: now) }), after: calls)
    }

    /// Makes a playlist, the first of the list.
    ///
    /// - Parameter calls: the number of calls to the library until it is shown.
    mutating func addPlaylist(
        named name: String, description: String?, _ contents: [SavedPlaylist.Content], after calls: Int
    ) -> SavedPlaylist {
        let id = newPlaylistID()
        let now = tick()
        let playlist = SavedPlaylist(
            id: id, name: name, description: description, owner: person, isPublic: false, picture: .none,
            items: contents.map { SavedPlaylist.Item(content: $0, addedAt: now) }, changedAt: now)
        add(.playlist(playlist), after: calls)
        return playlist
    }

    /// Adds items at the end of a playlist.
    ///
    /// - Parameters:
    ///   - calls: the number of calls to the library until they are shown.
    ///   - showsDateAtOnce: whether the playlist's date changes before that.
    mutating func addItems(
        _ contents: [SavedPlaylist.Content], toPlaylist id: String, after calls: Int, showsDateAtOnce: Bool
    ) {
        let now = tick()
        let items = contents.map { SavedPlaylist.Item(content: $0, addedAt: now) }
        if showsDateAtOnce, let index = playlists.firstIndex(where: { $0.id == id }) {
            playlists[index].changedAt = now
        }
        pending.append(
            PendingAddition(
                calls: calls, content: .items(items, playlist: id), showsDateAtOnce: showsDateAtOnce))
        showDue()
    }

    private mutating func add(_ content: PendingAddition.Content, after calls: Int) {
        pending.append(PendingAddition(calls: calls, content: content))
        showDue()
    }

    /// Shows everything.
    mutating func showAll() {
        for index in pending.indices { pending[index].calls = 0 }
        showDue()
    }

    /// Counts a call to the library, and shows what is due.
    mutating func countCall() {
        for index in pending.indices { pending[index].calls -= 1 }
        showDue()
    }

    private mutating func showDue() {
        let due = pending.filter { $0.calls <= 0 }
        pending.removeAll { $0.calls <= 0 }
        for addition in due {
            switch addition.content {
            case .tracks(let tracks):
                for track in tracks where !saved.contains(where: { $0.isReadable && $0.entry == track.entry }) {
                    place(track)
                }
            case .playlist(let playlist): playlists.insert(playlist, at: 0)
            case .items(let items, let id):
                guard let index = playlists.firstIndex(where: { $0.id == id }) else { continue }
                playlists[index].items += items
                playlists[index].revision += 1
                guard !addition.showsDateAtOnce else { continue }
                playlists[index].changedAt = max(playlists[index].changedAt, items.last?.addedAt ?? 0)
            }
        }
    }
}
