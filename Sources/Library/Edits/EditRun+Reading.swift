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
        case .verify, .rename: return .notDone(nil)
        case .remove(let ids, let count):
            let shown = try await entries(of: edit, upstream)
            return .removing(ids, entries: count, in: step.before, now: shown.counted(step.action.songIDs))
        case .create(let name, let description, _):
            let playlists = try await newPlaylists(named: name, edit, upstream)
            let candidates = try await candidates(playlists, description, for: edit, upstream)
            let (finding, id) = EditFinding.creating(
                among: candidates, isFirstLook: step.answeredAt == nil, isMade: step.after != nil, of: edit.source)
            if let id, let playlist = playlists.first(where: { $0.sourceID == id }) {
                created = EditUpstream.CreatedPlaylist(
                    sourceID: id, version: playlist.version, ownerID: playlist.ownerID, ownerName: playlist.ownerName)
            }
            return finding
        case .append(let tracks, _):
            guard let before = step.before else { return .unclear(.listChanged) }
            let start = before.songs == nil ? max(0, before.count - tracks.count) : 0
            guard let shown = try await shownEntries(of: edit, from: start, upstream) else {
                // A playlist that an edit has made, and that is not shown yet.
                guard try await confirmedMark(of: edit) != nil else { throw EditError(.playlistGone(edit.source)) }
                return .notShown
            }
            return .appending(step.action.tracks, to: before, shown: shown, of: edit.source)
        case .insert(_, let position, let placed, _):
            guard let before = step.before else { return .unclear(.listChanged) }
            let shown = try await entries(of: edit, upstream)
            return .inserting(
                step.action.tracks, at: min(position + placed, before.count), in: before, shown: shown,
                of: edit.source)
        }
    }

    /// Compares the list at the service with the one whose positions the person named.
    ///
    /// - Throws: ``EditError`` when it is another one.
    func verify(_ edit: LibraryEdit, _ upstream: EditUpstream) async throws -> PlaylistMark {
        let playlist = try await playlist(of: edit)
        guard let mark = try await upstream.mark(playlist.sourceID) else { throw EditError(.playlistGone(edit.source)) }
        guard let key = edit.playlistKey, let former = edit.undo.formerVersion else {
            throw EditError(.playlistChanged)
        }
        let known = try await database.read { try $0.edits.entryIDs(ofPlaylist: key, version: former) }
        // Of a list that is to be read again, the library may have the version and other entries.
        if let version = playlist.upstreamVersion, version == mark.version, known.count == mark.count, !playlist.isDue {
            return mark
        }
        let shown = try await entries(of: edit, upstream)
        guard known == shown.entries.map(\.trackID), shown.mark.version == mark.version else {
            throw EditError(.playlistChanged)
        }
        return mark
    }

    /// Own playlists of a name that the library does not know. While the answer to a creation is missing, syncs add no
    /// playlist of its name.
    private func newPlaylists(
        named name: String, _ edit: LibraryEdit, _ upstream: EditUpstream
    ) async throws -> [SourcePlaylist] {
        var found: [SourcePlaylist] = []
        var offset: Int? = 0
        while let start = offset {
            let page = try await upstream.library.playlists(start)
            found += page.items.filter { $0.name == name }
            offset = page.nextOffset
        }
        let ids = found.map(\.sourceID)
        let known = try await database.read { try $0.edits.knownPlaylists(ids, of: edit) }
        return found.filter { !known.contains($0.sourceID) }
    }

    /// What tells which of some playlists a creation has made.
    private func candidates(
        _ playlists: [SourcePlaylist], _ description: String?, for edit: LibraryEdit, _ upstream: EditUpstream
    ) async throws -> [CreationCandidate] {
        guard !playlists.isEmpty else { return [] }
        let songs = try await database.read { try $0.edits.steps(of: edit).flatMap(\.action.tracks) }
        var candidates: [CreationCandidate] = []
        for playlist in playlists {
            var count = playlist.entryCount
            if count == nil { count = try await upstream.mark(playlist.sourceID)?.count }
            var candidate = CreationCandidate(
                id: playlist.sourceID, count: count,
                hasDescription: playlist.description.orEmpty == description.orEmpty)
            if count ?? 0 > 0, !songs.isEmpty,
                case .page(let page) = try await upstream.library.entries(playlist.sourceID, 0)
            {
                candidate.beginsWithSongs = zip(page.items, songs).allSatisfy {
                    EntryMatch($0, $1, of: edit.source) == .same
                }
            }
            candidates.append(candidate)
        }
        return candidates
    }

    /// The list as a service that shows late has confirmed it; `nil` for one that no edit has made.
    func confirmedMark(of edit: LibraryEdit) async throws -> PlaylistMark? {
        guard edit.source.showsLate, let key = edit.playlistKey else { return nil }
        let count = try await database.read { [userID] in
            try $0.edits.confirmedEntries(ofPlaylist: key, userID: userID)
        }
        return count.map { PlaylistMark(count: $0, version: nil) }
    }

    /// Reads all entries of the edit's playlist, with its present mark.
    ///
    /// - Throws: ``EditError`` when the service does not have the playlist any more.
    func entries(of edit: LibraryEdit, _ upstream: EditUpstream) async throws -> ShownEntries {
        guard let shown = try await shownEntries(of: edit, from: 0, upstream) else {
            throw EditError(.playlistGone(edit.source))
        }
        return shown
    }

    /// Reads entries of the edit's playlist up to its end, with its present mark.
    ///
    /// - Returns: `nil` when the service does not show the playlist.
    private func shownEntries(
        of edit: LibraryEdit, from start: Int, _ upstream: EditUpstream
    ) async throws -> ShownEntries? {
        let playlist = try await playlist(of: edit).sourceID
        for _ in 0..<Self.mostReadings {
            guard let mark = try await upstream.mark(playlist) else { return nil }
            var entries: [SourcePlaylistEntry] = []
            var offset: Int? = start
            while let position = offset, position < mark.count {
                guard case .page(let page) = try await upstream.library.entries(playlist, position) else { break }
                entries += page.items
                offset = page.nextOffset
            }
            let shown = ShownEntries(mark: mark, start: start, entries: entries)
            guard let version = mark.version else { return shown }
            // Others may have changed the list between two pages.
            if try await upstream.mark(playlist)?.version == version { return shown }
        }
        throw Postponed(
            until: now().advanced(by: Duration.seconds(10).dividedInTests),
            message: "The playlist “\(edit.title)” is being changed while it is read.")
    }

    /// How often a list that changes while it is read is read again at once.
    private static let mostReadings = 3
}

extension String? {
    fileprivate var orEmpty: String { self ?? "" }
}
