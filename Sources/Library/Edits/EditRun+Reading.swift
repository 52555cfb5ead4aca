import Model
import Storage

/// Reading a service before it is written to again.
extension EditRun {
    /// What a step without an answer did.
    func inspect(
        _ step: EditStep, of edit: LibraryEdit, _ upstream: EditUpstream,
        _ created: inout EditUpstream.CreatedPlaylist?
    ) async throws -> EditFinding {
        switch step.action {
        case .save(let tracks), .unsave(let tracks):
            // Without an answer to that, the write is repeated, which does nothing if it was made.
            guard let areSaved = upstream.areSaved else { return .notDone(nil) }
            let isSaving = if case .save = step.action { true } else { false }
            return try await areSaved(tracks).allSatisfy { $0 == isSaving } ? .done(nil) : .notDone(nil)
        case .verify, .remove, .rename: return .notDone(nil)
        case .create(let name, _, _):
            let candidates = try await newPlaylists(named: name, since: step.sentAt ?? edit.createdAt, edit, upstream)
            // The person has said that one of several is the one: services list the newest first.
            let ids = candidates.map(\.sourceID)
            let (finding, id) = EditFinding.creating(
                among: step.after == nil ? ids : Array(ids.prefix(1)), of: edit.source)
            if let id, let playlist = candidates.first(where: { $0.sourceID == id }) {
                created = EditUpstream.CreatedPlaylist(
                    sourceID: id, version: playlist.version, ownerID: playlist.ownerID, ownerName: playlist.ownerName)
            }
            return finding
        case .append(let tracks, _):
            guard let before = step.before else { return .unclear(.listChanged) }
            let start = max(0, before.count - tracks.count)
            guard let shown = try await shownEntries(of: edit, from: start, upTo: nil, upstream) else {
                // A playlist that an edit has made, and that is not shown yet.
                guard try await confirmedMark(of: edit) != nil else { throw EditError(.playlistGone(edit.source)) }
                return .notShown
            }
            return .appending(step.action.tracks, to: before, shown: shown, of: edit.source)
        case .insert(let tracks, let position, let placed):
            guard let before = step.before else { return .unclear(.listChanged) }
            let shown = try await entries(
                of: edit, from: position + placed, upTo: position + tracks.count, upstream)
            return .inserting(
                step.action.tracks, at: position + placed, in: before, shown: shown, of: edit.source)
        }
    }

    /// Compares the list at the service with the one whose positions the person named.
    ///
    /// - Throws: ``EditError`` when it is another one.
    func verify(_ edit: LibraryEdit, _ upstream: EditUpstream) async throws -> PlaylistMark {
        let playlist = try await playlist(of: edit)
        guard let mark = try await upstream.mark(playlist.sourceID) else { throw EditError(.playlistGone(edit.source)) }
        if let version = playlist.upstreamVersion, version == mark.version { return mark }
        guard let key = edit.playlistKey, let former = edit.undo.formerVersion else {
            throw EditError(.playlistChanged)
        }
        let known = try await database.read { try $0.edits.entryIDs(ofPlaylist: key, version: former) }
        let shown = try await entries(of: edit, from: 0, upTo: nil, upstream)
        let ids = shown.entries.map { entry -> String? in
            if case .track(let track) = entry.content { track.sourceID } else { nil }
        }
        guard known == ids, shown.mark.version == mark.version else { throw EditError(.playlistChanged) }
        return mark
    }

    /// Own playlists of a name that the library did not know at a moment.
    private func newPlaylists(
        named name: String, since moment: Timestamp, _ edit: LibraryEdit, _ upstream: EditUpstream
    ) async throws -> [SourcePlaylist] {
        var found: [SourcePlaylist] = []
        var offset: Int? = 0
        while let start = offset {
            let page = try await upstream.library.playlists(start)
            found += page.items.filter { $0.name == name }
            offset = page.nextOffset
        }
        let ids = found.map(\.sourceID)
        let known = try await database.read { reader in
            try reader.edits.playlists(ids, of: edit, knownBefore: moment)
        }
        return found.filter { !known.contains($0.sourceID) }
    }

    /// The list before the next write.
    ///
    /// A playlist that an edit has made may not be shown yet: it has what the service has confirmed. Whether it still
    /// exists is told by the write.
    ///
    /// - Throws: ``EditError`` when the service does not have the playlist any more.
    func mark(of edit: LibraryEdit, _ upstream: EditUpstream) async throws -> PlaylistMark {
        if let mark = try await upstream.mark(try await playlist(of: edit).sourceID) { return mark }
        guard let mark = try await confirmedMark(of: edit) else { throw EditError(.playlistGone(edit.source)) }
        return mark
    }

    /// The list as far as a service that shows late has confirmed it; `nil` for one that no edit has made.
    private func confirmedMark(of edit: LibraryEdit) async throws -> PlaylistMark? {
        guard edit.source.showsLate, let key = edit.playlistKey else { return nil }
        let count = try await database.read { [userID] in
            try $0.edits.confirmedEntries(ofPlaylist: key, userID: userID)
        }
        return count.map { PlaylistMark(count: $0, version: nil) }
    }

    /// - Throws: ``EditError`` when the service does not have the playlist any more; otherwise as
    ///   ``shownEntries(of:from:upTo:_:)``.
    private func entries(
        of edit: LibraryEdit, from start: Int, upTo end: Int?, _ upstream: EditUpstream
    ) async throws -> ShownEntries {
        guard let shown = try await shownEntries(of: edit, from: start, upTo: end, upstream) else {
            throw EditError(.playlistGone(edit.source))
        }
        return shown
    }

    /// Reads entries of the edit's playlist, with its present mark.
    ///
    /// - Parameter end: the position to read up to; `nil` reads to the end of the list.
    /// - Returns: `nil` when the service does not show the playlist.
    private func shownEntries(
        of edit: LibraryEdit, from start: Int, upTo end: Int?, _ upstream: EditUpstream
    ) async throws -> ShownEntries? {
        let playlist = try await playlist(of: edit).sourceID
        guard let mark = try await upstream.mark(playlist) else { return nil }
        var entries: [SourcePlaylistEntry] = []
        var offset: Int? = start
        while let position = offset, position < min(end ?? mark.count, mark.count) {
            guard case .page(let page) = try await upstream.library.entries(playlist, position) else { break }
            entries += page.items
            offset = page.nextOffset
        }
        return ShownEntries(mark: mark, start: start, entries: entries)
    }
}
