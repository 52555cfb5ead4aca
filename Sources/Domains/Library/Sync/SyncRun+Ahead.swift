import Foundation
import LibraryWriting
import Model
import Storage

/// Requesting the next pages of tracks while one is being written.
extension SyncRun {
    /// The pages that the previous run stored and may not have written.
    func storedPages(_ state: SyncState) async throws -> [UnwrittenPage] {
        guard let scan = scan(state) else { return [] }
        let since = Timestamp.now().advanced(by: .zero - SourceScan.pageLifetime)
        let pages = try await database.read { try $0.scans.fetchedPages(by: scan, since: since) }
        return pages.compactMap { stored in
            guard let tracks = try? JSONDecoder().decode(FetchedTracks.self, from: Data(stored.page.utf8)) else {
                return nil
            }
            return UnwrittenPage(
                fetch: .list(.tracks, offset: stored.at.offset, of: scan.source),
                page: .tracks(tracks.page.map { IncomingTrack($0, of: scan.source) }), isComplete: tracks.isComplete,
                place: stored.at.place, isStored: true)
        }
    }

    /// Requests the pages of tracks after the one that is about to be written. Each page is stored before the next one
    /// is requested; otherwise a crash would cause two pages to be fetched again.
    ///
    /// - Parameter state: the state after the write.
    func requestFollowingPages(_ state: SyncState, _ memory: inout SyncMemory) async throws {
        guard let next = state.upcoming, let scan = scan(state), let unwritten = memory.page,
            // If the run is interrupted, the next one begins with this page.
            memory.lastCheckpoint?.request == unwritten.fetch
        else { return }
        if !unwritten.isStored { memory.page = try await storeAhead(unwritten, by: scan) }
        guard memory.page?.isStored == true else { return }
        let stored = memory.stored
        if memory.ahead.isEmpty {
            memory.ahead.append(
                PageAhead { [self] in try await fetchAhead(next, after: unwritten, among: stored, by: scan) })
        }
        guard let last = memory.ahead.last, memory.ahead.count < PageAhead.limit else { return }
        memory.ahead.append(
            PageAhead { [self] in
                guard let before = try await last.page(), before.isStored,
                    let next = try await followingRequest(after: before, state)
                else { return nil }
                return try await fetchAhead(next, after: before, among: stored, by: scan)
            })
    }

    /// The request for the page after one that is not written yet; `nil` if there is none, or if it depends on the
    /// library.
    ///
    /// - Parameter state: the state in which that page is awaited.
    private func followingRequest(after page: UnwrittenPage, _ state: SyncState) async throws -> SyncFetch? {
        var state = state
        guard state.handle(.written(count: 0)) == .fetch(page.fetch), !state.comparesItems else { return nil }
        _ = state.handle(try await facts(of: page.page, page.fetch, state))
        return state.upcoming
    }

    /// Fetches and stores a page, or uses the one that the previous run stored.
    private func fetchAhead(
        _ fetch: SyncFetch, after page: UnwrittenPage, among stored: [UnwrittenPage], by scan: SourceScan
    ) async throws -> UnwrittenPage {
        if let stored = stored.first(where: { $0.fetch == fetch }) { return stored }
        // The run may have ended while the previous page was awaited.
        try Task.checkCancellation()
        let next = UnwrittenPage(
            fetch: fetch, page: try await fetchPage(fetch), place: (page.place + 1) % FetchedPageSlot.count)
        return try await storeAhead(try await completePage(next, of: scan.source), by: scan)
    }

    /// Stores the page if it is a page of tracks and the database is writable.
    private func storeAhead(_ page: UnwrittenPage, by scan: SourceScan) async throws -> UnwrittenPage {
        guard case .list(.tracks, let offset, _) = page.fetch, case .tracks(let tracks) = page.page else { return page }
        let json = try JSONEncoder().encode(FetchedTracks(page: tracks.map(\.track), isComplete: page.isComplete))
        let place = FetchedPageSlot(offset: offset, place: page.place)
        do {
            try await database.write {
                try $0.scans.storeFetchedPage(
                    String(decoding: json, as: UTF8.self), at: place, by: scan, now: .now())
            }
        } catch is StorageError {
            // Writing the page's rows will wait until the database is writable.
            return page
        }
        var stored = page
        stored.isStored = true
        return stored
    }
}
