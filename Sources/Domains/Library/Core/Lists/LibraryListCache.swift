import Model
import Synchronization

/// Data that pages of the same list share while the library does not change.
///
/// People scroll, page and search as they type, so a library is often read several times in the same state, which its
/// change number identifies. Everything here can be read again from the database.
package final class LibraryListCache: Sendable {
    /// The maximum number of libraries whose track sources are cached, at 8 bytes per track.
    private static let libraries = 8
    /// The maximum number of lists whose known positions are cached.
    private static let lists = 64
    /// The maximum number of change lists whose totals are cached.
    private static let changeLists = 256

    private struct Sources {
        var change: Int64
        /// `nil` after only one request for this state.
        var sources: TrackSources?
    }

    private let sources = Mutex(RecentValues<Int64, Sources>(capacity: libraries))
    private let places = Mutex(RecentValues<TrackPositions.List, TrackPositions>(capacity: lists))
    private let totals = Mutex(RecentValues<ChangeList, Int>(capacity: changeLists))

    package init() {}

    // MARK: Sources

    /// The sources of a library's tracks; `nil` on the first request after a change, when the caller scans an index
    /// instead. So a library that a sync keeps changing is never loaded for nothing.
    ///
    /// - Parameters:
    ///   - change: the library's change number, read in the same transaction.
    ///   - load: reads the sources from the database.
    func sources(of library: Int64, change: Int64, load: () throws -> TrackSources) rethrows -> TrackSources? {
        let known = sources.withLock { sources -> Sources? in
            if let known = sources[library], known.change == change { return known }
            sources[library] = Sources(change: change)
            return nil
        }
        guard let known else { return nil }
        if let sources = known.sources { return sources }
        let loaded = try load()
        sources.withLock { sources in
            if sources[library]?.change == change { sources[library] = Sources(change: change, sources: loaded) }
        }
        return loaded
    }

    // MARK: Places

    /// The last known place before a position in a list.
    func place(before position: Int, in list: TrackPositions.List) -> TrackPositions.Entry? {
        places.withLock { $0[list]?.last(before: position) }
    }

    /// Records the places of tracks that a page of the list has shown.
    func record(_ shown: [TrackPositions.Entry], in list: TrackPositions.List) {
        places.withLock { places in
            var known = places[list] ?? TrackPositions()
            for place in shown { known.record(place) }
            places[list] = known
        }
    }

    // MARK: Changes

    /// A filtered list of a library's changes, in one state of the library.
    struct ChangeList: Hashable, Sendable {
        var library: Int64
        var change: Int64
        var since: Timestamp?
        var kind: LibraryChangeKind?
        var track: LibraryID?
    }

    /// The number of changes in a list.
    func total(of list: ChangeList, count: () throws -> Int) rethrows -> Int {
        if let known = totals.withLock({ $0[list] }) { return known }
        let counted = try count()
        totals.withLock { $0[list] = counted }
        return counted
    }
}
