import Model
import Synchronization

/// The libraries of one service's people.
final class LibraryRegistry: Sendable {
    private struct State {
        var libraries: [String: PersonalLibrary] = [:]
        /// Changes that wait for a request.
        var waiting: [(person: String, at: LibraryChange.At, change: LibraryChange)] = []
        /// `nil` while nothing is recorded.
        var record: LibraryRecord?

        mutating func note(
            _ library: PersonalLibrary, since former: PersonalLibrary?, by author: LibraryRecord.Event.Author
        ) {
            guard record != nil, let former else { return }
            for event in library.events(since: former, by: author, at: MonotonicInstant.now().microseconds) {
                record?.append(event)
            }
        }
    }

    private let service: MusicService
    private let recordings: Recordings
    private let state = Mutex(State())

    init(_ service: MusicService, recordings: Recordings) {
        self.service = service
        self.recordings = recordings
    }

    /// A person's library as it is now; an empty one for a person without a library.
    func library(of person: String) -> PersonalLibrary {
        if let known = state.withLock({ $0.libraries[person] }) { return known }
        return PersonalLibrary(LibraryPlan(), of: person, on: service, catalog: recordings.catalog)
    }

    /// The other people's libraries, for what is public.
    func others(than person: String) -> [PersonalLibrary] {
        state.withLock { state in state.libraries.filter { $0.key != person }.map(\.value) }
    }

    /// Replaces a person's library.
    ///
    /// - Throws: ``InvalidSetting``.
    @discardableResult
    func fill(_ person: String, _ plan: LibraryPlan) throws -> LibrarySummary {
        let catalog = recordings.catalog
        try plan.check(against: catalog)
        // The library is made without the lock: 100,000 tracks take a moment.
        let library = PersonalLibrary(plan, of: person, on: service, catalog: catalog)
        state.withLock { $0.libraries[person] = library }
        return library.summary
    }

    /// Changes a library now, after a page, or at a request.
    ///
    /// - Throws: ``InvalidSetting``.
    func change(_ person: String, _ change: LibraryChange) throws -> LibrarySummary {
        try state.withLock { state in
            guard var library = state.libraries[person] else {
                throw InvalidSetting(description: "'\(person)' has no library; set one first.")
            }
            var result: (added: [String], removed: [String]) = ([], [])
            if let after = change.after {
                guard after.page > 0 else { throw InvalidSetting(description: "after.page counts from 1.") }
                guard change.at == nil else { throw InvalidSetting(description: "after and at exclude each other.") }
                library.waiting.append((after, change))
            } else if let at = change.at {
                guard at.request ?? 1 > 0 else { throw InvalidSetting(description: "at.request counts from 1.") }
                state.waiting.append((person, at, change))
            } else {
                result = try library.apply(change)
                state.note(library, since: state.libraries[person], by: .person)
            }
            state.libraries[person] = library
            var summary = library.summary
            summary.waiting += state.waiting.count { $0.person == person }
            summary.added = result.added
            summary.removed = result.removed
            return summary
        }
    }

    /// Changes a library as its person would; a person without a library begins with an empty one.
    func edit<Value: Sendable>(_ person: String, _ change: (inout PersonalLibrary) -> Value) -> Value {
        let catalog = recordings.catalog
        return state.withLock { state in
            var library =
                state.libraries[person] ?? PersonalLibrary(LibraryPlan(), of: person, on: service, catalog: catalog)
            let value = change(&library)
            state.note(library, since: state.libraries[person], by: .app)
            state.libraries[person] = library
            return value
        }
    }

    /// A playlist as its owner has it, with the owner's library; `nil` if the owner does not have it.
    func original(of playlist: SavedPlaylist) -> (playlist: SavedPlaylist, library: PersonalLibrary)? {
        guard let library = state.withLock({ $0.libraries[playlist.owner] }),
            let found = library.playlists.first(where: { $0.id == playlist.id })
        else { return nil }
        return (found, library)
    }

    /// Counts a call to a library, after which more may be shown.
    func called(_ person: String) {
        state.withLock { $0.libraries[person]?.countCall() }
    }

    func served(_ list: LibraryList, of person: String) {
        state.withLock { state in
            let former = state.libraries[person]
            state.libraries[person]?.served(list)
            if let library = state.libraries[person] { state.note(library, since: former, by: .person) }
        }
    }

    // MARK: Requests

    /// The changes right before and right after one request.
    struct AdjacentChanges: Sendable {
        fileprivate var changes: [(person: String, at: LibraryChange.At, change: LibraryChange)] = []
    }

    /// Counts a request, and records it.
    ///
    /// - Parameter playlist: the playlist's id that it names.
    func arrive(
        _ target: RequestTarget, endpoint: String, playlist: String?, fault: FaultRule.Kind?
    ) -> AdjacentChanges {
        state.withLock { state in
            if playlist != nil || endpoint.hasPrefix("POST") && endpoint.contains("/me/") {
                state.record?.append(
                    LibraryRecord.Event(
                        at: MonotonicInstant.now().microseconds, kind: .request, playlist: playlist,
                        endpoint: endpoint, fault: fault))
            }
            var surroundings = AdjacentChanges()
            for index in state.waiting.indices.reversed() {
                guard state.waiting[index].at.match?.agrees(with: target, endpoint: endpoint) ?? true else { continue }
                let left = (state.waiting[index].at.request ?? 1) - 1
                state.waiting[index].at.request = left
                if left == 0 { surroundings.changes.insert(state.waiting.remove(at: index), at: 0) }
            }
            return surroundings
        }
    }

    /// Carries out the changes that are due. One that can no longer be applied to the library is dropped.
    func carryOut(_ surroundings: AdjacentChanges, _ moment: LibraryChange.At.Moment) {
        for (person, at, change) in surroundings.changes where at.moment == moment {
            state.withLock { state in
                let former = state.libraries[person]
                _ = try? state.libraries[person]?.apply(change)
                if let library = state.libraries[person] { state.note(library, since: former, by: .person) }
            }
        }
    }

    /// Discards the changes that wait for a request.
    func forgetWaiting() {
        state.withLock { $0.waiting = [] }
    }

    /// Starts a new recording and discards the previous one.
    func beginRecord() {
        state.withLock { $0.record = LibraryRecord() }
    }

    /// `nil` while nothing is recorded.
    var record: LibraryRecord? { state.withLock { $0.record } }

    /// Removes all libraries, because the catalog was replaced.
    func clear() {
        state.withLock { $0.libraries = [:] }
    }
}

extension PersonalLibrary {
    var summary: LibrarySummary {
        LibrarySummary(
            person: person, tracks: readableCount, total: saved.count, albums: albums.count,
            playlists: playlists.enumerated().map { index, playlist in
                LibrarySummary.Playlist(
                    id: playlist.id, name: playlist.name, total: playlist.items.count, isOwn: playlist.owner == person,
                    snapshotId: service == .spotify ? snapshot(of: playlist) : nil,
                    withheld: plan.tastes > 0 && service == .spotify ? withheld(ofPlaylist: index) : nil)
            },
            waiting: waiting.count)
    }

    /// The recordings of the readable tracks in a part of the list.
    func truth(offset: Int, limit: Int) -> [LibraryTruth] {
        saved.dropFirst(offset).prefix(limit).filter(\.isReadable).map { track in
            LibraryTruth(
                id: id(of: track), recording: track.entry.recording, song: track.entry.song,
                version: track.entry.version, track: track.entry.track)
        }
    }
}
