import Gateway
import Library
import Listening
import Model
import Storage
import Synchronization

/// Finds the songs of listens in people's libraries: new songs within seconds, and all of them again within a minute
/// after the songs of a library have changed. Then it counts how often the library's songs were played.
///
/// Songs are looked up outside of the write lock, and only differences are written.
final class ListenResolving: Sendable {
    /// The most people of one read.
    private static let people = 20
    private static let songs = 100
    private static let libraries = 1_000

    private let database: Database
    /// The change up to which libraries have been examined. The first run after a start examines all of them.
    private let seen = Mutex<Int64>(0)
    /// The changes of libraries whose turn ended in an error, by person.
    private let failed = Mutex<[String: Int64]>([:])

    init(database: Database) {
        self.database = database
    }

    func run() async throws {
        try await forEachOwner({ try $0.listening.unresolved(after: $1, limit: Self.people) }, do: resolve)
    }

    /// Works for one person after the other.
    private func forEachOwner(
        _ find: @escaping @Sendable (ReadTransaction, _ after: Int64) throws -> [HistoryOwner],
        do work: (_ userID: String) async throws -> Void
    ) async throws {
        var (isolatedWork, last) = (IsolatedWork(), Int64(0))
        while true {
            let place = last
            let owners = try await database.read { try find($0, place) }
            for owner in owners { try await isolatedWork.attempt { try await work(owner.userID) } }
            guard let end = owners.last else { return try isolatedWork.finish() }
            last = end.historyID
        }
    }

    private func resolve(_ userID: String) async throws {
        guard let resolving = try await database.read({ try $0.listening.resolving(ofUser: userID) }) else { return }
        var last: SongToResolve?
        while true {
            let place = last
            let (songs, tracks) = try await database.read { reader in
                let songs = try reader.listening.songsToResolve(resolving, after: place, limit: Self.songs)
                return (
                    songs, try reader.trackIdentity.tracks(like: songs.map { LibraryQuestion($0.song) }, userID: userID)
                )
            }
            let resolved = zip(songs, tracks).filter { $0.track != $1 }.map { ResolvedSong($0, track: $1) }
            if !resolved.isEmpty { try await database.write { try $0.listening.write(resolved, userID: userID) } }
            last = songs.last ?? last
            if songs.count < Self.songs { break }
            try Task.checkCancellation()
        }
        let end = last
        try await database.write { try $0.listening.endResolving(resolving, at: end, userID: userID) }
    }

    /// Counts the listens of tracks, for the play counts of libraries.
    func count() async throws {
        try await forEachOwner({ try $0.listening.uncounted(after: $1, limit: Self.people) }, do: countTracks)
    }

    private func countTracks(of userID: String) async throws {
        while try await database.write({ transaction in
            try transaction.listening.countStep(userID: userID, limit: Self.songs) { counts in
                try transaction.tracks.setListens(counts, userID: userID)
            }
        }) { try Task.checkCancellation() }
    }

    /// Marks all songs of people whose libraries have changed, so that they are looked up again.
    func renew() async throws {
        var isolatedWork = IsolatedWork()
        for (userID, change) in failed.withLock({ $0 }) { try await renew(userID, for: change, in: &isolatedWork) }
        var place = seen.withLock { $0 }
        while true {
            let after = place
            let changed = try await database.read {
                try $0.library.songsChanged(after: after, limit: Self.libraries)
            }
            for library in changed { try await renew(library.userID, for: library.change, in: &isolatedWork) }
            if let last = changed.last {
                place = last.change
                seen.withLock { [place] in $0 = place }
            }
            if changed.count < Self.libraries { return try isolatedWork.finish() }
        }
    }

    private func renew(_ userID: String, for change: Int64, in isolatedWork: inout IsolatedWork) async throws {
        let isDone = try await isolatedWork.attempt {
            guard try await database.read({ try $0.listening.isOutdated(by: change, userID: userID) }) else { return }
            try await database.write { try $0.listening.resolveAgain(for: change, userID: userID) }
        }
        failed.withLock { $0[userID] = isDone ? nil : change }
    }
}

extension LibraryQuestion {
    fileprivate init(_ song: SongDescription) {
        self.init(
            title: song.title, artist: song.artist, album: song.album ?? "", durationMs: song.durationMilliseconds,
            isrc: song.isrc, ids: [.spotify: song.spotifyID, .appleMusic: song.appleMusicID].compactMapValues { $0 })
    }
}
