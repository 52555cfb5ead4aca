import Contracts
import LibraryWriting
import Model
import Storage

/// Writing what ``SyncState`` has decided on. `SyncRun+Rows.swift` has what each transaction writes.
extension SyncRun {
    /// Performs a write: requests the pages after the one that is written, writes all but the last items of a long
    /// page, and then the rest together with the state.
    func performWrite(_ write: SyncWrite, _ state: SyncState, _ memory: inout SyncMemory) async throws -> SyncEvent {
        if write == .merge { return try await regroupLibrary(state, &memory) }
        if write.isPage { try await requestFollowingPages(state, &memory) }
        let (error, scan) = (memory.error, self.scan(state))
        let page = try await storeFirstParts(of: memory.page?.page, write, state, &memory)
        let begins = write.isFirstOfTracks && memory.page?.isStored != true
        let result = try await checkpoint(state, &memory) { [self] transaction in
            if begins, let scan {
                try transaction.scans.dropFetchedPages(of: scan.source, library: scan.libraryID)
            }
            return try storeStep(write, page, state, scan, error, in: transaction, now: .now())
        }
        if write.isPage { memory.page = nil }
        memory.error = nil
        reportProgress(of: write, state)
        return .written(count: result.count)
    }

    /// The maximum number of items that one transaction writes if a page can be divided. Other processes wait for the
    /// lock meanwhile.
    private static let itemLimit = 50

    /// Writes all but the last items of a long page, together with the state before the page. After a crash, the next
    /// run writes these items again, which changes nothing.
    ///
    /// - Returns: the page with the remaining items.
    private func storeFirstParts(
        of page: FetchedPage?, _ write: SyncWrite, _ state: SyncState, _ memory: inout SyncMemory
    ) async throws -> FetchedPage? {
        guard let page, let before = memory.lastCheckpoint, let scan = scan(state), isDivisible(write, state)
        else {
            return page
        }
        let (parts, rest) = page.divided(into: Self.itemLimit)
        for part in parts {
            try await checkpoint(before, &memory) { [self] transaction in
                try storePart(part, write, scan, state.progress?.listScan, in: transaction, now: .now())
            }
        }
        return rest
    }

    /// Whether it makes no difference if some of the page's items are already in the library. First pages, pages with
    /// new items and pages of an undetermined account are compared with the library.
    private func isDivisible(_ write: SyncWrite, _ state: SyncState) -> Bool {
        switch write {
        case .page(.tracks, let isWhole, let isFirst, _):
            isWhole && !isFirst && state.progress?.doubt == AccountUncertainty.none
        case .entries(_, let isFirst, _, let end): !isFirst && end != .drop
        default: false
        }
    }

    /// Writes rows and the state in one transaction.
    ///
    /// - Returns: the value that the last execution of `rows` returned.
    func checkpoint<Value: Sendable>(
        _ state: SyncState, _ memory: inout SyncMemory,
        _ rows: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        let result = LastResult<Value>()
        try await job.checkpoint(state) { result.set(try rows($0)) }
        if let last = memory.lastCheckpoint, state.workDone > last.workDone { memory.hasProgressed = true }
        memory.lastCheckpoint = state
        guard let value = result.last else { throw CancellationError() }
        return value
    }

    private func reportProgress(of write: SyncWrite, _ state: SyncState) {
        switch write {
        case .page(let list, _, _, let total):
            guard case .scanning(let progress) = state.stage, case .pages(let scan) = progress.step else { return }
            job.report(JobProgress(phase: list.rawValue, done: scan.entryCount, total: total ?? 0))
        default: break
        }
    }
}

extension SyncWrite {
    /// Whether it is the first write of a scan of tracks.
    fileprivate var isFirstOfTracks: Bool {
        if case .page(.tracks, _, let isFirst, _) = self { isFirst } else { false }
    }

    /// Whether it writes the fetched page.
    var isPage: Bool {
        switch self {
        case .page, .unchanged, .entries, .forbidden: true
        case .clear, .mark, .confirmAccount, .close, .complete, .fail, .merge: false
        }
    }
}
