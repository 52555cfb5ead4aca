import Model
import Storage
import TestSupport

@testable import Listening

/// A person's history, written by a test.
struct TestHistory {
    let database: Database
    let userID: String

    /// The content of a listen, without our ids.
    struct ListenContent: Hashable, CustomStringConvertible {
        let seconds: Double
        let title: String
        let artist: String
        let played: Int?
        let sources: [ListenSource]

        var description: String { "\(seconds) s \(title) by \(artist) (\(played ?? -1)) \(sources.map(\.rawValue))" }
    }

    static let first = Timestamp(microseconds: 1_700_000_040_000_000)

    static func moment(_ seconds: Double) -> Timestamp {
        Timestamp(microseconds: first.microseconds + Int64(seconds * 1_000_000))
    }

    static func new(in database: Database, name: String = "ada") async throws -> TestHistory {
        TestHistory(database: database, userID: try await database.addPerson(name))
    }

    @discardableResult
    func record(_ observations: [NewObservation], import id: LibraryID? = nil) async throws -> RecordCounts {
        try await database.write {
            try $0.listening.record(observations, import: id, userID: userID, now: Self.first)
        }
    }

    /// Records any number of observations, in parts of the size of the largest request.
    func recordInParts(
        _ observations: [NewObservation], import id: LibraryID? = nil
    ) async throws -> (counts: RecordCounts, work: DerivationWork) {
        var (counts, work) = (RecordCounts(), DerivationWork())
        for part in stride(from: 0, to: observations.count, by: mostRecordedListens) {
            let some = Array(observations[part..<min(part + mostRecordedListens, observations.count)])
            let recorded = try await database.write {
                try $0.listening.recordPart(
                    of: some, import: id, userID: userID, mostWork: .max, now: Self.first)
            }
            counts += recorded.counts
            work += recorded.work
        }
        return (counts, work)
    }

    /// Records any number of observations in transactions that end early, as requests and imports do.
    ///
    /// - Returns: the work of each transaction.
    func recordInTransactions(
        _ observations: [NewObservation], import id: LibraryID? = nil
    ) async throws -> [DerivationWork] {
        var (remaining, works) = (observations[...], [DerivationWork]())
        while !remaining.isEmpty {
            let some = Array(remaining.prefix(mostRecordedListens))
            let recorded = try await database.write {
                try $0.listening.recordPart(of: some, import: id, userID: userID, now: Self.first)
            }
            remaining = remaining.dropFirst(recorded.taken)
            works.append(recorded.work)
        }
        return works
    }

    /// What to remove.
    enum Removal {
        case importing(LibraryID)
        case source(ListenSource)
    }

    func remove(_ what: Removal) async throws {
        switch what {
        case .importing(let id):
            while try await !database.write({
                try $0.listening.removeStep(ofImport: id, userID: userID, now: Self.first)
            }) {}
        case .source(let source):
            let removal = ListenSourceRemoval(userID: userID, historyID: 0, source: source, last: .max)
            var last: ObservationToRemove?
            repeat {
                let place = last
                let (found, next) = try await database.read {
                    try $0.listening.observations(of: removal, after: place, limit: 100)
                }
                try await database.write { try $0.listening.remove(found[...], by: removal, now: Self.first) }
                last = next
            } while last != nil
        }
    }

    func listens() async throws -> [Listen] {
        try await database.read { try $0.listening.listens(userID: userID, limit: 10_000).items }
    }

    /// The listens, the earliest first.
    func shown() async throws -> [ListenContent] {
        try await listens().reversed().map {
            ListenContent(
                seconds: Double($0.startedAt.microseconds - Self.first.microseconds) / 1_000_000,
                title: $0.song.title, artist: $0.song.artist, played: $0.playedMilliseconds, sources: $0.sources)
        }
    }
}

extension NewObservation {
    /// An observation of a three-minute song.
    static func play(
        _ title: String = "One", by artist: String = "Ada", at seconds: Double, _ source: ListenSource = .listenBrainz,
        stamp: Stamp = .start, precision: Precision = .second, played: Int? = nil, duration: Int? = 180_000,
        album: String? = nil, spotifyID: String? = nil, client: String? = nil, details: String? = nil
    ) -> NewObservation {
        NewObservation(
            source: source,
            song: SongDescription(
                title: title, artist: artist, album: album, durationMilliseconds: duration, spotifyID: spotifyID),
            time: TestHistory.moment(seconds), stamp: stamp, precision: precision, playedMilliseconds: played,
            client: client, details: details)
    }

    /// Distinct songs within one second.
    static func crowd(_ numbers: Range<Int>, client: String = "one") -> [NewObservation] {
        numbers.map { .play("Song \($0)", by: "Artist \($0)", at: 7, client: client) }
    }
}
