import Library
import LibraryWriting
import Model
import Platform
import Storage

/// Reading a service before it is written to again.
extension EditRun {
    /// Determines what a step without an answer did.
    func inspect(
        _ step: EditStep, of edit: LibraryEdit, _ upstream: EditUpstream,
        _ created: inout EditUpstream.CreatedPlaylist?
    ) async throws -> EditFinding {
        switch step.action {
        case .save(let tracks), .unsave(let tracks):
            // If the service cannot tell, the write is repeated, which has no effect if it was made.
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
                // The playlist may have been created by an edit and not be shown yet.
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

    /// Compares the list at the service with the one that the user's positions refer to.
    ///
    /// - Throws: ``EditError`` if the lists differ.
    func verify(_ edit: LibraryEdit, _ upstream: EditUpstream) async throws -> PlaylistMark {
        let playlist = try await playlist(of: edit)
        guard let mark = try await upstream.mark(playlist.sourceID) else { throw EditError(.playlistGone(edit.source)) }
        guard let key = edit.playlistKey, let former = edit.undo.formerVersion else {
            throw EditError(.playlistChanged)
        }
        let known = try await database.read { try $0.playlists.entryIDs(ofPlaylist: key, version: former) }
        // If the list is due to be read again, the library may have its version but other entries.
        if let version = playlist.upstreamVersion, version == mark.version, known.count == mark.count, !playlist.isDue {
            return mark
        }
        let shown = try await entries(of: edit, upstream)
        guard known == shown.entries.map(\.trackID), shown.mark.version == mark.version else {
            throw EditError(.playlistChanged)
        }
        return mark
    }

    /// The user's playlists of a name that are not in the library. While the answer to a creation is missing, syncs do
    /// not add playlists of its name.
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
        let known = try await database.read { try $0.playlists.knownPlaylists(ids, of: edit) }
        return found.filter { !known.contains($0.sourceID) }
    }

    /// Collects what distinguishes the playlist that a creation made from others.
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

    /// The list as a service that shows changes late has confirmed it; `nil` if the playlist was not created by an
    /// edit.
    func confirmedMark(of edit: LibraryEdit) async throws -> PlaylistMark? {
        guard edit.source.showsLate, let key = edit.playlistKey else { return nil }
        let count = try await database.read { [userID] in
            try $0.edits.confirmedEntries(ofPlaylist: key, userID: userID)
        }
        return count.map { PlaylistMark(count: $0, version: nil) }
    }

    /// Reads all entries of the edit's playlist, with its current mark.
    ///
    /// - Throws: ``EditError`` if the service no longer has the playlist.
    func entries(of edit: LibraryEdit, _ upstream: EditUpstream) async throws -> PlaylistExcerpt {
        guard let shown = try await shownEntries(of: edit, from: 0, upstream) else {
            throw EditError(.playlistGone(edit.source))
        }
        return shown
    }

    /// Reads the entries of the edit's playlist from a position to the end, with its current mark.
    ///
    /// - Returns: `nil` if the service does not show the playlist.
    private func shownEntries(
        of edit: LibraryEdit, from start: Int, _ upstream: EditUpstream
    ) async throws -> PlaylistExcerpt? {
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
            let shown = PlaylistExcerpt(mark: mark, start: start, entries: entries)
            guard let version = mark.version else { return shown }
            // The list may have changed between two pages.
            if try await upstream.mark(playlist)?.version == version { return shown }
        }
        throw Postponement(
            until: now().advanced(by: Duration.seconds(10).dividedInTests),
            message: "The playlist “\(edit.title)” keeps changing while it is being read.")
    }

    /// How many times a list that changes while it is being read is immediately read again.
    private static let mostReadings = 3
}

extension String? {
    fileprivate var orEmpty: String { self ?? "" }
}
