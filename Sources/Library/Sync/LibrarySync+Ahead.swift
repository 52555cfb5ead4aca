import Foundation
import Model
import Storage

/// Requests the next page of tracks while one is written.
extension LibrarySync {
    /// How long a page that a run before has kept shows how its list is.
    static let keepingTime = Duration.seconds(600)

    /// The pages that the run before has kept, and perhaps not written.
    func storedPages(_ state: SyncState) async throws -> [UnwrittenPage] {
        guard let reading = reading(state) else { return [] }
        let since = Timestamp.now().advanced(by: .zero - Self.keepingTime)
        let kept = try await database.read { try $0.library.fetchedPages(by: reading, since: since) }
        return kept.compactMap { kept in
            guard let tracks = try? JSONDecoder().decode(FetchedTracks.self, from: Data(kept.page.utf8)) else {
                return nil
            }
            return UnwrittenPage(
                fetch: .list(.tracks, offset: kept.at.offset, of: reading.source),
                page: .tracks(tracks.page.map { IncomingTrack($0) }), isComplete: tracks.isComplete,
                place: kept.at.place, isKept: true)
        }
    }

    /// Requests the page of tracks after the one that is going to be written. That one is kept before: otherwise a
    /// crash would leave two pages to be fetched again.
    ///
    /// - Parameter state: the state after the write.
    func requestNext(_ state: SyncState, _ memory: inout SyncMemory) async throws {
        guard let next = state.upcoming, let reading = reading(state), let unwritten = memory.page,
            // A run that goes on begins with this page.
            memory.kept?.request == unwritten.fetch
        else { return }
        if !unwritten.isKept { memory.page = try await kept(unwritten, by: reading) }
        guard memory.page?.isKept == true else { return }
        let stored = memory.stored.first { $0.fetch == next }
        memory.ahead = PageAhead(next) { [self] in
            if let stored { return stored }
            let page = UnwrittenPage(fetch: next, page: try await send(next), place: 1 - unwritten.place)
            return try await kept(try await completed(page, of: reading.source), by: reading)
        }
    }

    /// Keeps a page, if it is one of tracks and the database can be written.
    private func kept(_ page: UnwrittenPage, by reading: SourceReading) async throws -> UnwrittenPage {
        guard case .list(.tracks, let offset, _) = page.fetch, case .tracks(let tracks) = page.page else { return page }
        let json = try JSONEncoder().encode(FetchedTracks(page: tracks.map(\.track), isComplete: page.isComplete))
        let place = FetchedPlace(offset: offset, place: page.place)
        do {
            try await database.write {
                try $0.library.keepFetched(String(decoding: json, as: UTF8.self), at: place, by: reading, now: .now())
            }
        } catch is StorageError {
            // The write of its rows waits until the database can be written.
            return page
        }
        var kept = page
        kept.isKept = true
        return kept
    }
}
