import Library
import LibraryWriting
import Model
import Storage

/// What the last answer about a playlist reported.
struct RecentMark: Sendable, Hashable {
    /// When the answer arrived.
    var at: Timestamp
    var mark: PlaylistMark?
    var version: String?

    init(at moment: Timestamp, mark: PlaylistMark) {
        (at, self.mark, version) = (moment, mark, mark.version)
    }

    init(at moment: Timestamp, version: String?) {
        (at, self.version) = (moment, version)
    }
}

/// Determining what a list contains before it is written to.
extension EditRun {
    /// The length up to which a list is read before songs are added, to count its songs. If the answer is lost for a
    /// longer list, only its end is compared.
    private static let longestCounted = 500

    /// The list before the next write.
    ///
    /// A playlist that an edit created may not be shown yet; in that case, it contains what the service has confirmed.
    /// If it no longer exists, the write will fail.
    ///
    /// - Throws: ``EditError`` if the service no longer has the playlist; ``Postponement`` while the service may not
    ///   show yet what it has confirmed.
    func mark(before step: EditStep, _ known: PlaylistMark?, _ work: Work) async throws -> PlaylistMark {
        let edit = work.edit
        if var known {
            if let version = known.version { known.songs = try await knownSongs(before: step, at: version, work) }
            return known
        }
        guard let mark = try await work.upstream.mark(try await playlist(of: edit).sourceID) else {
            guard let mark = try await confirmedMark(of: edit) else { throw EditError(.playlistGone(edit.source)) }
            return mark
        }
        guard let version = mark.version else { return mark }
        if let recent = work.recent, let answered = recent.version, answered != version {
            // Either the service does not show yet what it has confirmed, or others have changed the list.
            let until = recent.at.advanced(by: consistencyDelays[edit.source])
            if now() < until {
                throw Postponement(
                    until: until,
                    message: "\(edit.source.displayName) does not show its last confirmed change yet, or somebody else "
                        + "is changing the playlist.")
            }
        }
        if let songs = try await knownSongs(before: step, at: version, work) {
            return PlaylistMark(count: mark.count, version: version, songs: songs)
        }
        if case .append = step.action, mark.count > Self.longestCounted { return mark }
        return try await entries(of: edit, work.upstream).counted(step.action.songIDs)
    }

    /// How many entries the step's songs have in the given version of the list, if the library knows that version.
    private func knownSongs(before step: EditStep, at version: String, _ work: Work) async throws -> [String: Int]? {
        let (edit, steps) = (work.edit, work.machine.steps)
        guard case .append = step.action else {
            guard edit.kind == .removeEntries, steps.hasRemoved, steps.provenVersion(from: nil) == version else {
                return nil
            }
            // All entries of these songs were removed, and these ones have been put back.
            return steps.written(of: step.action.songIDs)
        }
        return try await database.read { reader in
            guard try steps.provenVersion(from: reader.edits.base(of: edit)) == version else { return nil }
            return try reader.edits.knownSongs(step.action.songIDs, in: edit, steps)
        }
    }

    /// The list as the library knows it before a step that may have been made, after the database was restored.
    ///
    /// - Returns: `nil` if the library does not know the list.
    func recalledMark(before step: EditStep, _ work: Work) async throws -> PlaylistMark? {
        let (edit, steps) = (work.edit, work.machine.steps)
        switch step.action {
        case .append:
            return try await database.read { reader in
                guard let songs = try reader.edits.knownSongs(step.action.songIDs, in: edit, steps),
                    let start = edit.undo.start
                else { return nil }
                let version = try steps.provenVersion(from: reader.edits.base(of: edit))
                let isLate = edit.source.showsLate
                return PlaylistMark(
                    count: start + work.machine.done, version: version, songs: isLate ? nil : songs)
            }
        case .insert:
            guard edit.kind == .removeEntries, let last = steps.last(where: { $0.state == .done })?.after else {
                return nil
            }
            return PlaylistMark(
                count: last.count, version: steps.provenVersion(from: nil),
                songs: steps.written(of: step.action.songIDs))
        case .save, .unsave, .create, .verify, .remove, .rename: return nil
        }
    }

    /// The list after the last write, if it may be possible to prove that nobody else has changed it.
    func finalMark(_ work: Work) async throws -> PlaylistMark? {
        let (edit, steps) = (work.edit, work.machine.steps)
        guard let key = edit.playlistKey, edit.kind != .renamePlaylist else { return nil }
        let proven = try await database.read { reader in
            try reader.playlists.playlistState(key, library: edit.libraryID) == nil
                ? nil : steps.provenVersion(from: reader.edits.base(of: edit))
        }
        guard proven != nil else { return nil }
        do {
            return try await work.upstream.mark(try await playlist(of: edit).sourceID)
        } catch is ProviderFailure {
            // The change is made. The next sync will read the list.
            return nil
        }
    }
}

extension [EditStep] {
    /// How many entries of the given songs the steps have already written.
    fileprivate func written(of ids: Set<String>) -> [String: Int] {
        reduce(into: [:]) { songs, step in
            guard case .insert(let tracks, _, let placed, _) = step.action else { return }
            let written = step.state == .done ? tracks[...] : tracks.prefix(placed)
            for track in written where ids.contains(track.id) {
                songs[track.id, default: 0] += 1
            }
        }
    }
}

extension EditStore {
    /// The version of the list that the library had before an edit.
    func base(of edit: LibraryEdit) throws -> String? {
        try edit.playlistKey.flatMap { try transaction.playlists.playlistState($0, library: edit.libraryID) }?
            .upstreamVersion
    }

    /// How many entries the given songs have in the list before the next step of an edit that adds songs, as the
    /// library knows it; `nil` if it has never read the list.
    func knownSongs(_ ids: Set<String>, in edit: LibraryEdit, _ steps: [EditStep]) throws -> [String: Int]? {
        guard let playlist = edit.playlistKey, let version = edit.undo.shownVersion, let start = edit.undo.start else {
            return nil
        }
        let rows: [String] = try transaction.map(
            """
            SELECT source_id FROM library_playlist_entries
            JOIN library_source_tracks ON library_source_tracks.id = library_playlist_entries.source_track_id
            WHERE playlist_id = \(playlist) AND version = \(version) AND position < \(start)
            """
        ) { try $0["source_id"] }
        var written: [String] = []
        for step in steps {
            guard case .append(let tracks, let placed) = step.action else { continue }
            written += (step.state == .done ? tracks[...] : tracks.prefix(placed)).map(\.id)
        }
        return (rows + written).reduce(into: [:]) { if ids.contains($1) { $0[$1, default: 0] += 1 } }
    }
}
