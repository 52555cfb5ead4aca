import Identity
import Library
import LibraryWriting
import Model
import Storage

/// A run of a copy job: it finds the songs, starts the edits that write them, and reads back the result
/// (docs/copies.md).
///
/// Every step is stored in a single transaction, which only the job's current run may make, and depends only on the
/// rows. So after a run dies, the next one continues from its last transaction. Edits, with their journal, do the
/// writing to the service.
package struct CopyRun: Sendable {
    /// The number of songs matched per read of the library, and the number written per edit.
    private static let (matchedPart, editPart) = (100, 500)

    let id: LibraryID
    let userID: String
    let database: Database
    let ownIDs: [String]
    let consistencyDelays: EditRun.ConsistencyDelays
    let library: @Sendable (MusicSource) async throws -> LibrarySource
    let mark: @Sendable (_ source: MusicSource, _ playlist: String) async throws -> PlaylistMark?
    private let catalog: @Sendable (MusicSource) async throws -> CopyCatalog
    private let checkpointProgress: @Sendable (_ entries: Int, @escaping EditRun.Rows) async throws -> Void
    private let report: @Sendable (_ done: Int, _ total: Int) -> Void
    let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - ownIDs: the user's ids at Spotify.
    ///   - mark: as in ``EditUpstream``.
    ///   - checkpoint: as in ``EditRun``, with the number of entries that the rows advance, for ``CopyProgress``.
    package init(
        _ id: LibraryID, userID: String, database: Database, ownIDs: [String],
        consistencyDelays: EditRun.ConsistencyDelays,
        library: @escaping @Sendable (MusicSource) async throws -> LibrarySource,
        mark: @escaping @Sendable (_ source: MusicSource, _ playlist: String) async throws -> PlaylistMark?,
        catalog: @escaping @Sendable (MusicSource) async throws -> CopyCatalog,
        checkpoint: @escaping @Sendable (_ entries: Int, @escaping EditRun.Rows) async throws -> Void,
        report: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in },
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        (self.id, self.userID, self.database, self.ownIDs) = (id, userID, database, ownIDs)
        (self.consistencyDelays, self.library, self.mark, self.catalog) = (consistencyDelays, library, mark, catalog)
        (checkpointProgress, self.report, self.now) = (checkpoint, report, now)
    }

    /// Continues until the copy has ended, the user has to answer a question, or edits are running.
    ///
    /// - Returns: the copy as it is then; `nil` if it no longer exists because the user was erased.
    /// - Throws: ``EditRun/Postponement``; `ProviderFailure` if another attempt may succeed; errors of the database and
    ///   of `checkpoint`.
    package func run() async throws -> LibraryCopy? {
        var target = MusicSource.spotify
        do {
            while true {
                try Task.checkCancellation()
                guard let copy = try await present() else { return nil }
                target = copy.target
                if copy.state.isFinished || copy.state == .unclear { return copy }
                if try await !performNextStep(copy) { return try await present() }
            }
        } catch let error as EditError {
            try await fail(error)
        } catch let refusal as EditRefusal {
            try await fail(EditError(refusal))
        } catch let failure as ProviderFailure where failure.endsEdit {
            try await fail(EditError(failure, at: target))
        }
        return try await present()
    }

    /// Writes rows in one transaction.
    ///
    /// - Parameter entries: how many entries the rows advance: entries collected, matched, or handed to an edit.
    func checkpoint(entries: Int = 0, _ rows: @escaping EditRun.Rows) async throws {
        try await checkpointProgress(entries, rows)
    }

    private func present() async throws -> LibraryCopy? {
        try await database.read { [id, userID] in try $0.copies.copy(id, userID: userID) }
    }

    private func fail(_ error: EditError) async throws {
        let moment = now()
        try await checkpoint { [id, userID] in try $0.copies.fail(id, userID: userID, error, now: moment) }
    }

    /// Performs the next step.
    ///
    /// - Returns: whether there is another step.
    private func performNextStep(_ copy: LibraryCopy) async throws -> Bool {
        let work = try await database.read { reader in
            let pending = try reader.copies.entries(of: copy, in: [.pending], limit: Self.matchedPart)
            return Work(
                collected: try reader.copies.collected(copy), pending: pending,
                found: try reader.copies.entries(of: copy, in: [.found], limit: Self.editPart),
                edit: try copy.lastEdit.flatMap { try reader.edits.edit($0, userID: copy.userID) },
                restores: try reader.restoreCount(),
                refused: pending.isEmpty ? try reader.copies.refused(copy) : nil)
        }
        report(work.pending.first?.position ?? work.collected, copy.total)
        if work.collected < copy.total {
            try await collect(copy, from: work.collected)
        } else if !work.pending.isEmpty {
            try await match(work.pending, of: copy)
        } else if let refused = work.refused {
            try await requeue(refused, of: copy)
        } else if !work.found.isEmpty {
            guard copy.restores == work.restores else { throw EditError(restoredAmid: copy) }
            try await beginEdit(writing: work.found.prefix(work.edit?.nextPart ?? Self.editPart), of: copy)
        } else if let edit = work.edit, !edit.state.isFinished {
            try await checkpoint { transaction in
                guard var copy = try transaction.copies.copy(copy.id, userID: copy.userID) else { return }
                (copy.state, copy.jobID) = (.writing, nil)
                try transaction.copies.updateCopy(copy)
            }
            return false
        } else {
            try await verify(copy, after: work.edit)
        }
        return true
    }

    private struct Work: Sendable {
        var collected: Int
        var pending: [CopyEntry]
        var found: [CopyEntry]
        var edit: LibraryEdit?
        var restores: Int
        var refused: WriteRefusal?
    }

    private func collect(_ copy: LibraryCopy, from start: Int) async throws {
        let part = min(CopyStore<WriteTransaction>.collectedPart, copy.total - start)
        try await checkpoint(entries: part) { transaction in
            try transaction.copies.collect(copy, from: start)
            guard try transaction.copies.collected(copy) > start else {
                throw EditError(
                    code: "playlistChanged",
                    message: "The playlist changed before all of it was read. Copy it again.")
            }
        }
    }

    // MARK: Finding

    /// Stores matches after every few calls, so that even runs that keep dying soon after they start make progress.
    private func match(_ entries: [CopyEntry], of copy: LibraryCopy) async throws {
        let known = try await database.read { try $0.copies.known(entries, of: copy) }
        var matched = known.entries.filter { $0.state != .pending }
        let open = known.entries.filter { $0.state == .pending }
        if !open.isEmpty {
            let catalog = try await catalog(copy.target)
            let matcher = CopyMatcher(
                rules: IdentityRules(remastersAreSame: known.remastersAreSame), catalog: catalog)
            for start in stride(from: 0, to: open.count, by: catalog.codesPerCall) {
                let part = open[start..<min(start + catalog.codesPerCall, open.count)]
                let songs = part.map { entry in
                    IdentityProfile(
                        entry.sourceTrack.flatMap { known.records[$0] }
                            ?? IdentityRecord(title: entry.title, artist: entry.artist))
                }
                let byCode = try await matcher.candidates(withCodesOf: songs)
                for (entry, song) in zip(part, songs) {
                    if !matched.isEmpty, !matcher.isCertain(song, byCode) {
                        try await storeMatches(matched, of: copy)
                        matched = []
                    }
                    let match = try await matcher.match(song, byCode)
                    matched.append(entry.matched(match, in: copy.target))
                    guard match.hasSearched else { continue }
                    try await storeMatches(matched, of: copy)
                    matched = []
                }
                if !matched.isEmpty { try await storeMatches(matched, of: copy) }
                matched = []
                report(entries[0].position + start + part.count, copy.total)
            }
        }
        if !matched.isEmpty { try await storeMatches(matched, of: copy) }
    }

    private func storeMatches(_ entries: [CopyEntry], of copy: LibraryCopy) async throws {
        try await checkpoint(entries: entries.count) { transaction in
            try transaction.copies.updateEntries(entries, of: copy)
            guard var copy = try transaction.copies.copy(copy.id, userID: copy.userID) else { return }
            copy.state = .running
            try transaction.copies.updateCopy(copy)
        }
    }

    // MARK: Writing

    private func beginEdit(writing entries: ArraySlice<CopyEntry>, of copy: LibraryCopy) async throws {
        do {
            try await storeEdit(writing: Array(entries), of: copy)
        } catch let refusal as EditRefusal {
            try await listRefused(Array(entries), of: copy, refusal)
        }
    }

    private func storeEdit(writing entries: [CopyEntry], of copy: LibraryCopy) async throws {
        let moment = now()
        try await checkpoint(entries: entries.count) { [ownIDs] transaction in
            guard var copy = try transaction.copies.copy(copy.id, userID: copy.userID) else { return }
            let references = entries.compactMap { $0.reference.flatMap { SongReference($0) } }
            let change: EditChange =
                if let made = copy.made { .addTracks(references, playlist: made) } else {
                    .createPlaylist(
                        name: copy.name, description: copy.description, isPublic: false, tracks: references,
                        copy.target)
                }
            let edit = try transaction.edits.begin(change, userID: copy.userID, ownIDs: ownIDs, now: moment)
            let written = try transaction.edits.steps(of: edit).flatMap(\.action.tracks)
            var sent = entries
            for (index, track) in written.enumerated() where index < sent.count {
                (sent[index].state, sent[index].editID) = (.sent, edit.id.key)
                (sent[index].writtenID, sent[index].otherID) = (track.id, track.otherID)
            }
            try transaction.copies.updateEntries(sent, of: copy)
            copy.made = copy.made ?? edit.playlistID
            (copy.lastEdit, copy.state) = (edit.id, .running)
            try transaction.copies.updateCopy(copy)
        }
    }
}

extension CopyEntry {
    fileprivate func matched(_ match: CopyMatcher.Match, in target: MusicSource) -> CopyEntry {
        var entry = self
        entry.tried = match.tried
        entry.state = match.found == nil ? .missing : .found
        entry.reference = match.found.map { SongReference.catalog(target, $0.id).text }
        entry.nearest = match.nearest.map {
            CopySuggestion(
                title: $0.record.title, artist: $0.record.artist,
                uri: SongReference.catalog(target, $0.id).text)
        }
        return entry
    }
}

extension EditError {
    /// The database was restored from a backup while a copy was being made, so what was written since then is unknown.
    fileprivate init(restoredAmid copy: LibraryCopy) {
        let name = copy.target.displayName
        self.init(
            code: "restored",
            message: "Backline was restored from a backup while this copy was being made, so it is not known how much "
                + "of it \(name) has. Look for “\(copy.name)” in \(name)'s app; if it is not there, copy the playlist "
                + "again.")
    }
}
