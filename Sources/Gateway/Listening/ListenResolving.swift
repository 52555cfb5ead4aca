import Library
import Listening
import Model
import Storage
import Synchronization

/// Finds the songs of listens in people's libraries: new songs within seconds, and all of them again within a minute
/// after the songs of a library have changed. Then it counts there how often they were heard.
///
/// Songs are looked up outside of the write lock, and only what differs is written.
final class ListenResolving: Sendable {
    private static let people = 20
    private static let songs = 100
    private static let libraries = 1_000

    private let database: Database
    /// The change up to which libraries have been looked at. The first run after a start looks at all.
    private let seen = Mutex<Int64>(0)

    init(database: Database) {
        self.database = database
    }

    func run() async throws {
        for userID in try await database.read({ try $0.listening.unresolved(limit: Self.people) }) {
            try await resolve(userID)
        }
    }

    private func resolve(_ userID: String) async throws {
        guard let resolving = try await database.read({ try $0.listening.resolving(ofUser: userID) }) else { return }
        var last: SongToResolve?
        while true {
            let place = last
            let (songs, tracks) = try await database.read { reader in
                let songs = try reader.listening.songsToResolve(resolving, after: place, limit: Self.songs)
                return (songs, try reader.library.tracks(like: songs.map { LibraryQuestion($0.song) }, userID: userID))
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
        for userID in try await database.read({ try $0.listening.uncounted(limit: Self.people) }) {
            while try await database.write({ transaction in
                try transaction.listening.countStep(userID: userID, limit: Self.songs) { counts in
                    try transaction.library.setListens(counts, userID: userID)
                }
            }) { try Task.checkCancellation() }
        }
    }

    /// Has all songs looked for again by people whose libraries have other songs than before.
    func renew() async throws {
        var place = seen.withLock { $0 }
        while true {
            let after = place
            let changed = try await database.read {
                try $0.library.songsChanged(after: after, limit: Self.libraries)
            }
            for library in changed {
                guard
                    try await database.read({
                        try $0.listening.isOutdated(by: library.change, userID: library.userID)
                    })
                else { continue }
                try await database.write {
                    try $0.listening.resolveAgain(for: library.change, userID: library.userID)
                }
            }
            if let last = changed.last {
                place = last.change
                seen.withLock { [place] in $0 = place }
            }
            if changed.count < Self.libraries { return }
        }
    }
}

extension LibraryQuestion {
    fileprivate init(_ song: SaidSong) {
        self.init(
            title: song.title, artist: song.artist, album: song.album ?? "", durationMs: song.durationMilliseconds,
            isrc: song.isrc, ids: [.spotify: song.spotifyID, .appleMusic: song.appleMusicID].compactMapValues { $0 })
    }
}
