import Library
import Listening
import Model
import Storage

/// Finds the songs of listens in people's libraries, in steps: new songs within seconds, and all of them again within
/// minutes after a library has been read or a file imported. Then it counts there how often they were heard.
struct ListenResolving {
    private static let people = 20
    private static let songs = 100

    let database: Database

    func run() async throws {
        for userID in try await database.read({ try $0.listening.unresolved(limit: Self.people) }) {
            while try await database.write({ transaction in
                try transaction.listening.resolveStep(userID: userID, limit: Self.songs) { songs in
                    try transaction.library.tracks(like: songs.map(LibraryQuestion.init), userID: userID)
                }
            }) { try Task.checkCancellation() }
        }
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

    /// Has all songs looked for again by people whose libraries have changed.
    func renew() async throws {
        let due = try await database.read { reader in
            try reader.library.versions(limit: 1_000).filter {
                try reader.listening.isOutdated(by: $0.version, userID: $0.userID)
            }
        }
        for library in due {
            try await database.write { try $0.listening.resolveAgain(for: library.version, userID: library.userID) }
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
