import Model
import Storage

extension LibrarySync {
    /// The maximum number of items per transaction that are compared with the sightings.
    private static var markLimit: Int { 1_000 }
    /// The maximum number of sightings that a transaction deletes.
    private static var clearLimit: Int { 2_000 }

    /// Writes the rows of a step.
    ///
    /// - Parameters:
    ///   - page: the fetched page.
    ///   - state: the state that is written with the rows.
    func apply(
        _ write: SyncWrite, _ page: FetchedPage?, _ state: SyncState, _ reading: SourceReading?,
        _ error: SourceError?, in transaction: WriteTransaction, now: Timestamp
    ) throws -> Applied {
        switch write {
        case .complete(let source, let lacksLibrary):
            try transaction.library.noteCompleted(source, library: state.libraryID, now: now)
            try transaction.syncs.set(
                "complete", lacksLibrary ? .noCloudLibrary(of: source) : nil, sync: job.id, source: source,
                userID: job.userID, finishedAt: now)
            return Applied()
        case .fail(let source):
            try transaction.sourceReadings.dropFetchedPages(of: source, library: state.libraryID)
            try transaction.syncs.set(
                "failed", error, sync: job.id, source: source, userID: job.userID, finishedAt: now)
            return Applied()
        case .unchanged, .page, .clear, .mark, .settle, .close, .entries, .forbidden, .merge:
            guard let reading else { return Applied() }
            return try apply(write, page, reading, state.progress?.listReading, in: transaction, now: now)
        }
    }

    /// - Parameter listReading: the progress of the list's reading.
    private func apply(
        _ write: SyncWrite, _ page: FetchedPage?, _ reading: SourceReading, _ listReading: ListReading?,
        in transaction: WriteTransaction, now: Timestamp
    ) throws -> Applied {
        let added = listReading?.added ?? ListReading.Progress()
        switch write {
        case .unchanged(let list, let total):
            try transaction.sourceReadings.noteUnchanged(list, by: reading, now: now)
            try note(PageEffect(), seen: total, expected: total, list, reading, in: transaction)
        case .page(let list, let isWhole, let isFirst, _):
            if isFirst {
                try transaction.sourceReadings.setLastReading(
                    nil, unread: nil, of: list, by: reading, isWhole: false, now: now)
            }
            let notesSeen = isWhole && listReading?.hadItems == true
            guard let page, let effect = try add(page, notesSeen, by: reading, in: transaction, now: now) else { break }
            try note(effect, seen: added.found, expected: added.total, list, reading, in: transaction)
        case .clear(let list):
            return Applied(
                count: try transaction.sourceReadings.clearSightings(list, by: reading, limit: Self.clearLimit))
        case .mark(let list):
            return Applied(
                count: try transaction.sourceReadings.markMissing(list, by: reading, limit: Self.markLimit, now: now))
        case .settle(let account, let isSame):
            try transaction.library.settleAccount(account, isSame: isSame, by: reading)
        case .close(let list, let seen, let unread, let isWhole):
            // If an edit has added items that this reading did not see, the next reading looks for them.
            let isOpen = try isWhole && transaction.editHolds.hasUnseenHolds(list, by: reading, at: now)
            try transaction.sourceReadings.setLastReading(
                isOpen ? nil : seen, unread: unread, of: list, by: reading, isWhole: isWhole, now: now)
            if list == .tracks {
                try transaction.sourceReadings.dropFetchedPages(of: reading.source, library: reading.libraryID)
            }
            if seen != nil {
                try transaction.syncs.noteListRead(sync: job.id, source: reading.source, userID: job.userID)
            }
            guard isWhole else { break }
            return Applied(
                count: try transaction.sourceReadings.clearSightings(list, by: reading, limit: Self.clearLimit))
        case .entries(let playlist, let isFirst, let total, let end):
            try take(
                page, of: playlist, isFirst: isFirst, total: total, end: end, by: reading, in: transaction, now: now)
        case .forbidden(let playlist):
            try transaction.playlists.setEntriesForbidden(of: playlist, by: reading, now: now)
        case .complete, .fail, .merge: break
        }
        return Applied()
    }

    /// Writes the items of a page that precede its last ones (``writeBeginning(of:_:_:_:)``).
    func applyBeginning(
        _ part: FetchedPage, _ write: SyncWrite, _ reading: SourceReading, _ listReading: ListReading?,
        in transaction: WriteTransaction,
        now: Timestamp
    ) throws {
        switch (write, part) {
        case (.page(let list, let isWhole, _, _), _):
            let notesSeen = isWhole && listReading?.hadItems == true
            guard let effect = try add(part, notesSeen, by: reading, in: transaction, now: now) else { break }
            try note(effect, seen: 0, expected: nil, list, reading, in: transaction)
        case (.entries(let playlist, _, _, _), .entries(.page(let page))):
            let effect = try transaction.playlists.stage(
                page.items, of: playlist.id, edits: playlist.edits, by: reading, now: now)
            try note(effect, seen: 0, expected: nil, .playlists, reading, in: transaction)
        default: break
        }
    }

    /// - Parameter notesSeen: whether to record the items as seen, since others may be marked at the end of the
    ///   reading.
    private func add(
        _ page: FetchedPage, _ notesSeen: Bool, by reading: SourceReading, in transaction: WriteTransaction,
        now: Timestamp
    ) throws -> PageEffect? {
        switch page {
        case .tracks(let page):
            if notesSeen { try transaction.sourceReadings.sight(.tracks, sourceIDs: page.unreadIDs, by: reading) }
            return try transaction.tracks.apply(page.items, by: reading, isWhole: notesSeen, now: now)
        case .playlists(let page):
            if notesSeen { try transaction.sourceReadings.sight(.playlists, sourceIDs: page.unreadIDs, by: reading) }
            return try transaction.playlists.apply(page.items, by: reading, isWhole: notesSeen, now: now).effect
        case .albums(let page):
            if notesSeen { try transaction.sourceReadings.sight(.albums, sourceIDs: page.unreadIDs, by: reading) }
            return try transaction.albums.apply(page.items, by: reading, isWhole: notesSeen, now: now)
        case .entries: return nil
        }
    }

    private func note(
        _ effect: PageEffect, seen: Int? = nil, expected: Int?, _ list: SourceList, _ reading: SourceReading,
        in transaction: WriteTransaction
    ) throws {
        try transaction.syncs.note(
            effect, seen: seen, expected: expected ?? 0, phase: list, sync: job.id, source: reading.source,
            userID: job.userID)
        try transaction.syncs.addMerged(effect.joined, sync: job.id, userID: job.userID)
    }

    private func take(
        _ page: FetchedPage?, of playlist: PlaylistToRead, isFirst: Bool, total: Int?, end: EntriesEnd,
        by reading: SourceReading, in transaction: WriteTransaction, now: Timestamp
    ) throws {
        var entries: [SourcePlaylistEntry] = []
        if case .entries(.page(let page)) = page { entries = page.items }
        // An answer that reports a number of entries but contains none is not evidence of anything.
        let isEmpty = isFirst && entries.isEmpty && total ?? 0 > 0
        // An earlier reading may have ended in the middle of the playlist.
        if isFirst || end == .drop {
            try transaction.playlists.dropStagedEntries(of: playlist.id, library: reading.libraryID)
        }
        guard end != .drop, !isEmpty else { return }
        var effect = PageEffect()
        if !entries.isEmpty {
            effect = try transaction.playlists.stage(
                entries, of: playlist.id, edits: playlist.edits, by: reading, now: now)
        }
        if end == .show,
            try transaction.playlists.showStagedEntries(of: playlist, total: total, by: reading, now: now)
        {
            effect.changed += 1
        }
        try note(effect, seen: 0, expected: nil, .playlists, reading, in: transaction)
    }
}
