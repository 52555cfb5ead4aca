extension PersonalLibrary {
    /// Carries out a change, regardless of when it was scheduled.
    ///
    /// - Returns: the ids of the tracks that were added and removed.
    /// - Throws: ``InvalidSetting``.
    mutating func apply(_ change: LibraryChange) throws -> (added: [String], removed: [String]) {
        for (name, value) in [
            ("remove", change.remove), ("add", change.add), ("replace", change.replace), ("readd", change.readd),
            ("addAlbums", change.addAlbums), ("removeAlbums", change.removeAlbums), ("play", change.play),
        ] where value ?? 0 < 0 {
            throw InvalidSetting(description: "\(name) must not be negative.")
        }
        // The library is a value, so a change that fails leaves no trace.
        var next = self
        var gone: [String] = []
        var new: [String] = []
        if change.showAll == true { next.showAll() }
        for id in change.removeIds ?? [] { gone.append(try next.remove(id: id)) }
        let leaving = (change.remove ?? 0) + (change.replace ?? 0)
        guard leaving <= next.readableCount else {
            throw InvalidSetting(
                description: "The library has \(next.readableCount) tracks, fewer than are to be removed.")
        }
        for _ in 0..<leaving { gone.append(next.removeAny()) }
        for _ in 0..<(change.add ?? 0) + (change.replace ?? 0) { new.append(next.addNew()) }
        guard change.readd ?? 0 <= next.removed.count else {
            throw InvalidSetting(description: "Only \(next.removed.count) tracks have been removed.")
        }
        for _ in 0..<(change.readd ?? 0) { new.append(next.addAgain()) }
        if let rename = change.rename { try next.rename(rename) }
        try next.changeAlbums(adding: change.addAlbums ?? 0, removing: change.removeAlbums ?? 0)
        for edit in change.playlists ?? [] { try next.edit(edit) }
        if let count = change.play, count > 0 {
            guard next.readableCount > 0 else { throw InvalidSetting(description: "The library has nothing to play.") }
            next.play(count)
        }
        self = next
        return (new, gone)
    }

    var readableCount: Int { saved.reduce(0) { $0 + ($1.isReadable ? 1 : 0) } }

    // MARK: Tracks

    private mutating func remove(at index: Int) -> String {
        let track = saved.remove(at: index)
        removed.append(track)
        return id(of: track)
    }

    private mutating func remove(id: String) throws -> String {
        guard let index = saved.firstIndex(where: { $0.isReadable && self.id(of: $0) == id }) else {
            throw InvalidSetting(description: "The library has no track '\(id)'.")
        }
        return remove(at: index)
    }

    private mutating func removeAny() -> String {
        var index = random(below: saved.count)
        while !saved[index].isReadable { index = (index + 1) % saved.count }
        return remove(at: index)
    }

    private mutating func addNew() -> String {
        let entry = catalog.usualEntry(of: nextRecording(), on: service)
        let track = SavedTrack(entry: entry, addedAt: tick())
        place(track)
        return id(of: track)
    }

    private mutating func addAgain() -> String {
        var track = removed.removeLast()
        track.addedAt = tick()
        place(track)
        return id(of: track)
    }

    private mutating func rename(_ rename: LibraryChange.Rename) throws {
        guard let index = saved.firstIndex(where: { $0.isReadable && id(of: $0) == rename.id }) else {
            throw InvalidSetting(description: "The library has no track '\(rename.id)'.")
        }
        titles[saved[index].entry.number] = rename.title
        guard service == .apple else { return }
        let track = saved.remove(at: index)
        place(track)
    }

    // MARK: Albums and playlists

    private mutating func changeAlbums(adding: Int, removing: Int) throws {
        guard removing <= albums.count else {
            throw InvalidSetting(description: "The library has \(albums.count) albums, fewer than are to be removed.")
        }
        albums.removeFirst(removing)
        for _ in 0..<adding {
            let entry = catalog.usualEntry(of: nextRecording(), on: service)
            albums.insert(SavedAlbum(release: entry.release, addedAt: tick()), at: 0)
        }
    }

    // MARK: Pages

    /// Counts a served page, and carries out the changes that wait for it.
    mutating func served(_ list: LibraryList) {
        guard !waiting.isEmpty else { return }
        var due: [LibraryChange] = []
        for index in waiting.indices.reversed() where waiting[index].after.list == list {
            waiting[index].after.page -= 1
            if waiting[index].after.page <= 0 { due.insert(waiting.remove(at: index).change, at: 0) }
        }
        // A change that can no longer be applied to the library is dropped: no caller waits for its error.
        for change in due { _ = try? apply(change) }
    }
}
