import Concerts
import DomainEvents
import Listening
import Model
import People
import Storage
import Synchronization
import Visibility

/// Keeps the artists of people up to date with their listens, a few people in each run.
///
/// A run continues where the last one ended and returns to the first person after the last. It looks at a bounded
/// number of people and reads the histories of fewer. A history is read again a day after the last time at the
/// earliest, and only if its listens have changed.
final class TopArtistReader: Sendable {
    private let database: Database
    /// The last person of the last run.
    private let position = Mutex(PersonKey(rawValue: 0))

    private static let mostLooks = 5_000
    private static let mostReads = 20
    private static let page = 500
    /// The songs of one read, so that no read lasts long.
    private static let songsOfRead = 2_000
    private static let freshness = Duration.seconds(86_400)

    init(database: Database) {
        self.database = database
    }

    /// - Returns: the number of histories that were read.
    @discardableResult
    func run(now: Timestamp = .now()) async throws -> Int {
        var (looks, reads) = (0, 0)
        while looks < Self.mostLooks, reads < Self.mostReads {
            let last = position.withLock { $0 }
            let (people, changes) = try await database.read { reader in
                let people = try reader.people.artistReadings(after: last, limit: Self.page)
                return (people, try reader.listening.changes(ofUsers: people.map(\.userID)))
            }
            guard !people.isEmpty else {
                position.withLock { $0 = PersonKey(rawValue: 0) }
                break
            }
            for person in people {
                let change = changes[person.userID] ?? 0
                if isDue(person, change: change, now: now) {
                    try await read(person.userID, change: change, now: now)
                    reads += 1
                }
                looks += 1
                position.withLock { $0 = person.person }
                if reads == Self.mostReads { break }
            }
        }
        return reads
    }

    private func isDue(_ reading: ArtistReading, change: Int64, now: Timestamp) -> Bool {
        guard reading.listensChange ?? 0 != change else { return false }
        guard let readAt = reading.readAt else { return true }
        // A time in the future is from a clock that was ahead.
        return readAt > now || readAt.advanced(by: Self.freshness) <= now
    }

    private func read(_ userID: String, change: Int64, now: Timestamp) async throws {
        var artists = TopArtists()
        var last: Int64 = 0
        while case let songs = try await database.read({ [last] in
            try $0.listening.songListens(userID: userID, after: last, limit: Self.songsOfRead)
        }), let end = songs.last {
            for song in songs { artists.add(song.artist, plays: song.listens) }
            last = end.song
        }
        let ranked = artists.ranked
        // The names by which concerts and releases know artists.
        let keys = ranked.map { FoldedName($0.name).key }
        try await database.write { transaction in
            try transaction.people.replaceArtists(ranked, of: userID, listensChange: change, now: now)
            try transaction.publish(TopArtistsChanged(userID: userID, artistKeys: keys))
        }
    }
}
