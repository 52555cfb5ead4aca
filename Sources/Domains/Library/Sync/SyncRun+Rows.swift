import Library
import LibraryWriting
import Model
import Storage

/// The rows of each write, from the state machine's decision down to the stores.
extension SyncRun {
    /// The result of a write.
    struct StepResult: Sendable {
        /// The number of rows that the step changed.
        var count = 0
    }

    /// The maximum number of items per transaction that are compared with the sightings.
    private static var markLimit: Int { 1_000 }
    /// The maximum number of sightings that a transaction deletes.
    private static var clearLimit: Int { 2_000 }

    /// Writes the rows of a step.
    ///
    /// - Parameters:
    ///   - page: the fetched page.
    ///   - state: the state that is written with the rows.
    func storeStep(
        _ write: SyncWrite, _ page: FetchedPage?, _ state: SyncState, _ scan: SourceScan?,
        _ error: SourceError?, in transaction: WriteTransaction, now: Timestamp
    ) throws -> StepResult {
        switch write {
        case .complete(let source, let lacksLibrary):
            try transaction.library.recordCompletion(of: source, library: state.libraryID, now: now)
            try transaction.syncs.setSourceState(
                "complete", lacksLibrary ? .noCloudLibrary(of: source) : nil, sync: job.id, source: source,
                userID: job.userID, finishedAt: now)
            return StepResult()
        case .fail(let source):
            try transaction.scans.dropFetchedPages(of: source, library: state.libraryID)
            try transaction.syncs.setSourceState(
                "failed", error, sync: job.id, source: source, userID: job.userID, finishedAt: now)
            return StepResult()
        case .unchanged, .page, .clear, .mark, .confirmAccount, .close, .entries, .forbidden, .merge:
            guard let scan else { return StepResult() }
            return try storeScanStep(write, page, scan, state.progress?.listScan, in: transaction, now: now)
        }
    }

    /// Writes the rows of a step of a source's scan.
    ///
    /// - Parameter listScan: the progress of the list's scan.
    private func storeScanStep(
        _ write: SyncWrite, _ page: FetchedPage?, _ scan: SourceScan, _ listScan: ListScan?,
        in transaction: WriteTransaction, now: Timestamp
    ) throws -> StepResult {
        let added = listScan?.added ?? ListScan.Progress()
        switch write {
        case .unchanged(let list, let total):
            try transaction.scans.recordUnchanged(list, by: scan, now: now)
            try recordEffect(PageEffect(), seen: total, expected: total, list, scan, in: transaction)
        case .page(let list, let isWhole, let isFirst, _):
            if isFirst {
                try transaction.scans.setLastScan(
                    nil, unread: nil, of: list, by: scan, isWhole: false, now: now)
            }
            let marksSeen = isWhole && listScan?.hadItems == true
            guard let page, let effect = try storePage(page, marksSeen, by: scan, in: transaction, now: now) else {
                break
            }
            try recordEffect(effect, seen: added.found, expected: added.total, list, scan, in: transaction)
        case .clear(let list):
            return StepResult(
                count: try transaction.scans.clearSeen(list, by: scan, limit: Self.clearLimit))
        case .mark(let list):
            return StepResult(
                count: try transaction.scans.markMissing(list, by: scan, limit: Self.markLimit, now: now))
        case .confirmAccount(let account, let isSame):
            try transaction.library.confirmAccount(account, isSame: isSame, by: scan)
        case .close(let list, let seen, let unread, let isWhole):
            return try closeScan(
                of: list, seen: seen, unread: unread, isWhole: isWhole, by: scan, in: transaction, now: now)
        case .entries(let playlist, let isFirst, let total, let end):
            try storeEntries(
                page, of: playlist, isFirst: isFirst, total: total, end: end, by: scan, in: transaction, now: now)
        case .forbidden(let playlist):
            try transaction.playlists.setEntriesForbidden(of: playlist, by: scan, now: now)
        case .complete, .fail, .merge: break
        }
        return StepResult()
    }

    /// Writes the items of a page of a list.
    ///
    /// - Parameter marksSeen: whether to record the items as seen, since others may be marked at the end of the
    ///   reading.
    private func storePage(
        _ page: FetchedPage, _ marksSeen: Bool, by scan: SourceScan, in transaction: WriteTransaction,
        now: Timestamp
    ) throws -> PageEffect? {
        switch page {
        case .tracks(let page):
            if marksSeen { try transaction.scans.markSeen(.tracks, sourceIDs: page.unreadIDs, by: scan) }
            return try transaction.tracks.storeSavedTracks(page.items, by: scan, isWhole: marksSeen, now: now)
        case .playlists(let page):
            if marksSeen { try transaction.scans.markSeen(.playlists, sourceIDs: page.unreadIDs, by: scan) }
            return try transaction.playlists.storePlaylists(page.items, by: scan, isWhole: marksSeen, now: now)
                .effect
        case .albums(let page):
            if marksSeen { try transaction.scans.markSeen(.albums, sourceIDs: page.unreadIDs, by: scan) }
            return try transaction.albums.storeAlbums(page.items, by: scan, isWhole: marksSeen, now: now)
        case .entries: return nil
        }
    }

    /// Writes a page of a playlist's entries, and shows or drops what was read of the playlist.
    private func storeEntries(
        _ page: FetchedPage?, of playlist: PlaylistToRead, isFirst: Bool, total: Int?, end: EntriesEnd,
        by scan: SourceScan, in transaction: WriteTransaction, now: Timestamp
    ) throws {
        var entries: [SourcePlaylistEntry] = []
        if case .entries(.page(let page)) = page { entries = page.items }
        // An answer that reports a number of entries but contains none is not evidence of anything.
        let isEmpty = isFirst && entries.isEmpty && total ?? 0 > 0
        // An earlier scan may have ended in the middle of the playlist.
        if isFirst || end == .drop {
            try transaction.playlists.dropStagedEntries(of: playlist.id, library: scan.libraryID)
        }
        guard end != .drop, !isEmpty else { return }
        var effect = PageEffect()
        if !entries.isEmpty {
            effect = try transaction.playlists.stageEntries(
                entries, of: playlist.id, edits: playlist.edits, by: scan, now: now)
        }
        if end == .show,
            try transaction.playlists.showStagedEntries(of: playlist, total: total, by: scan, now: now)
        {
            effect.changed += 1
        }
        try recordEffect(effect, seen: 0, expected: nil, .playlists, scan, in: transaction)
    }

    /// Ends the scan of a list: stores what the next sync may compare with, and deletes the sightings.
    private func closeScan(
        of list: SourceList, seen: LastScan?, unread: Int?, isWhole: Bool, by scan: SourceScan,
        in transaction: WriteTransaction, now: Timestamp
    ) throws -> StepResult {
        // If an edit has added items that this scan did not see, the next scan looks for them.
        let isOpen = try isWhole && transaction.editLocks.hasUnseenLocks(list, by: scan, at: now)
        try transaction.scans.setLastScan(
            isOpen ? nil : seen, unread: unread, of: list, by: scan, isWhole: isWhole, now: now)
        if list == .tracks {
            try transaction.scans.dropFetchedPages(of: scan.source, library: scan.libraryID)
        }
        if seen != nil {
            try transaction.syncs.recordListRead(sync: job.id, source: scan.source, userID: job.userID)
        }
        guard isWhole else { return StepResult() }
        return StepResult(count: try transaction.scans.clearSeen(list, by: scan, limit: Self.clearLimit))
    }

    /// Writes the items of a page that precede its last ones (``storeFirstParts(of:_:_:_:)``).
    func storePart(
        _ part: FetchedPage, _ write: SyncWrite, _ scan: SourceScan, _ listScan: ListScan?,
        in transaction: WriteTransaction, now: Timestamp
    ) throws {
        switch (write, part) {
        case (.page(let list, let isWhole, _, _), _):
            let marksSeen = isWhole && listScan?.hadItems == true
            guard let effect = try storePage(part, marksSeen, by: scan, in: transaction, now: now) else { break }
            try recordEffect(effect, seen: 0, expected: nil, list, scan, in: transaction)
        case (.entries(let playlist, _, _, _), .entries(.page(let page))):
            let effect = try transaction.playlists.stageEntries(
                page.items, of: playlist.id, edits: playlist.edits, by: scan, now: now)
            try recordEffect(effect, seen: 0, expected: nil, .playlists, scan, in: transaction)
        default: break
        }
    }

    /// Adds the effect of a page to the progress that people see.
    private func recordEffect(
        _ effect: PageEffect, seen: Int? = nil, expected: Int?, _ list: SourceList, _ scan: SourceScan,
        in transaction: WriteTransaction
    ) throws {
        try transaction.syncs.addPageEffect(
            effect, seen: seen, expected: expected ?? 0, phase: list, sync: job.id, source: scan.source,
            userID: job.userID)
        try transaction.syncs.addMerged(effect.joined, sync: job.id, userID: job.userID)
    }
}
