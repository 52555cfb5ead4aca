import Synchronization

/// The libraries of one service's people.
final class LibraryShelf: Sendable {
    private let service: MusicService
    private let recordings: Recordings
    private let libraries = Mutex<[String: PersonalLibrary]>([:])

    init(_ service: MusicService, recordings: Recordings) {
        self.service = service
        self.recordings = recordings
    }

    /// A person's library as it is now; an empty one for somebody who was given none.
    func library(of person: String) -> PersonalLibrary {
        if let known = libraries.withLock({ $0[person] }) { return known }
        return PersonalLibrary(LibraryPlan(), of: person, on: service, catalogue: recordings.catalogue)
    }

    /// The other people's libraries, for what is public.
    func others(than person: String) -> [PersonalLibrary] {
        libraries.withLock { libraries in libraries.filter { $0.key != person }.map(\.value) }
    }

    /// Replaces a person's library.
    ///
    /// - Throws: ``InvalidSetting``.
    @discardableResult
    func fill(_ person: String, _ plan: LibraryPlan) throws -> LibrarySummary {
        let catalogue = recordings.catalogue
        try plan.check(against: catalogue)
        // Made without the lock: 100,000 tracks take a moment.
        let library = PersonalLibrary(plan, of: person, on: service, catalogue: catalogue)
        libraries.withLock { $0[person] = library }
        return library.summary
    }

    /// Changes a library now or after a page.
    ///
    /// - Throws: ``InvalidSetting``.
    func change(_ person: String, _ change: LibraryChange) throws -> LibrarySummary {
        try libraries.withLock { libraries in
            guard var library = libraries[person] else {
                throw InvalidSetting(description: "'\(person)' has no library; set one first.")
            }
            var result: (added: [String], removed: [String]) = ([], [])
            if let after = change.after {
                guard after.page > 0 else { throw InvalidSetting(description: "after.page counts from 1.") }
                library.waiting.append((after, change))
            } else {
                result = try library.apply(change)
            }
            libraries[person] = library
            var summary = library.summary
            summary.added = result.added
            summary.removed = result.removed
            return summary
        }
    }

    /// Changes a library as its person does; somebody who was given none begins with an empty one.
    func edit<Value: Sendable>(_ person: String, _ change: (inout PersonalLibrary) -> Value) -> Value {
        let catalogue = recordings.catalogue
        return libraries.withLock { libraries in
            var library =
                libraries[person] ?? PersonalLibrary(LibraryPlan(), of: person, on: service, catalogue: catalogue)
            let value = change(&library)
            libraries[person] = library
            return value
        }
    }

    /// A playlist as its owner has it, with that library; `nil` when the owner does not have it.
    func original(of playlist: SavedPlaylist) -> (playlist: SavedPlaylist, library: PersonalLibrary)? {
        guard let library = libraries.withLock({ $0[playlist.owner] }),
            let found = library.playlists.first(where: { $0.id == playlist.id })
        else { return nil }
        return (found, library)
    }

    /// Counts a call of a library, after which more may show.
    func called(_ person: String) {
        libraries.withLock { $0[person]?.countCall() }
    }

    func served(_ list: LibraryList, of person: String) {
        libraries.withLock { $0[person]?.served(list) }
    }

    /// Removes all libraries, because the catalogue was replaced.
    func clear() {
        libraries.withLock { $0 = [:] }
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

    /// The recordings behind the readable tracks of a part of the list.
    func truth(offset: Int, limit: Int) -> [LibraryTruth] {
        saved.dropFirst(offset).prefix(limit).filter(\.isReadable).map { track in
            LibraryTruth(
                id: id(of: track), recording: track.entry.recording, song: track.entry.song,
                version: track.entry.version, track: track.entry.track)
        }
    }
}
