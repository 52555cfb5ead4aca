import Model
import Synchronization

/// What pages of the same lists share, for libraries that do not change meanwhile.
///
/// People scroll, page and search while they type, so that a library is asked several times in the same state, which
/// its change number names. Everything here can be read anew.
package final class LibraryListCache: Sendable {
    /// The most libraries whose tracks' sources are kept: 8 bytes for each track.
    private static let libraries = 8
    /// The most lists whose places are kept.
    private static let lists = 64
    /// The most lists of changes whose totals are kept.
    private static let changeLists = 256

    private struct Sources {
        var change: Int64
        /// `nil` while the library was asked for once.
        var sources: TrackSources?
    }

    private let sources = Mutex(RecentValues<Int64, Sources>(capacity: libraries))
    private let places = Mutex(RecentValues<TrackPlaces.List, TrackPlaces>(capacity: lists))
    private let totals = Mutex(RecentValues<ChangeList, Int>(capacity: changeLists))

    package init() {}

    // MARK: Sources

    /// The sources of a library's tracks; `nil` when it is asked for them the first time since it changed: an index is
    /// walked then, so that a library that a sync changes all the time is never read for nothing.
    ///
    /// - Parameters:
    ///   - change: the library's change number in the same transaction.
    ///   - load: reads them.
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

    /// The last known place before a position of a list.
    func place(before position: Int, in list: TrackPlaces.List) -> TrackPlaces.Known? {
        places.withLock { $0[list]?.last(before: position) }
    }

    /// Notes the places of a list that a page has shown.
    func note(_ shown: [TrackPlaces.Known], in list: TrackPlaces.List) {
        places.withLock { places in
            var known = places[list] ?? TrackPlaces()
            for place in shown { known.note(place) }
            places[list] = known
        }
    }

    // MARK: Changes

    /// The changes of a library in one of its states, as far as a list shows them.
    struct ChangeList: Hashable, Sendable {
        var library: Int64
        var change: Int64
        var since: Timestamp?
        var kind: LibraryChangeKind?
        var track: LibraryID?
    }

    /// The number of changes of a list.
    func total(of list: ChangeList, count: () throws -> Int) rethrows -> Int {
        if let known = totals.withLock({ $0[list] }) { return known }
        let counted = try count()
        totals.withLock { $0[list] = counted }
        return counted
    }
}
