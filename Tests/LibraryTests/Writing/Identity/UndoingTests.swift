import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryWriting
@testable import Storage

@Suite("Undoing what people decided about songs", .timeLimit(.minutes(5)))
struct UndoingTests {
    /// Creates songs with one to four source tracks each. The order of our own ids, that of the services' ids and that
    /// of the services disagree, as they do in real libraries.
    private static func filled(_ database: Database, _ random: inout SeededRandom) async throws -> TestLibrary {
        let library = try await TestLibrary.new(in: database)
        var tracks: [(source: MusicSource, track: SourceTrack)] = []
        var names = (10..<60).shuffled(using: &random)
        for number in 0..<6 {
            for source in MusicSource.services {
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    tracks.append((source, track("\(source.number)-\(names.removeLast())", number)))
                }
            }
        }
        for (source, track) in tracks.shuffled(using: &random) { try await library.save([track], source) }
        return library
    }

    /// A source track of a song.
    private static func track(_ id: String, _ number: Int) -> SourceTrack {
        .made(id, "Title \(number)", by: "Artist \(number)", ms: 100_000 + 20_000 * number)
    }

    /// The source tracks of each track.
    private static func songs(_ library: TestLibrary) async throws -> [LibraryID: Set<String>] {
        Dictionary(
            uniqueKeysWithValues: try await library.tracks().map { track in
                (LibraryID(key: track.id), Set(track.parts.map(\.track.sourceID)))
            })
    }

    private enum Attempt: CaseIterable { case merge, split, separate }

    /// Makes a decision about some of the existing tracks; returns `nil` if none is possible.
    private static func decide(
        _ attempt: Attempt, in library: TestLibrary, _ random: inout SeededRandom
    ) async throws -> LibraryID? {
        let tracks = try await library.tracks().shuffled(using: &random)
        let chosen = tracks.prefix(Int.random(in: 2...3, using: &random)).map { LibraryID(key: $0.id) }
        let divided = tracks.first { $0.parts.count > 1 }
        let parts = (divided?.parts ?? []).shuffled(using: &random).map { LibraryID(key: $0.id) }
        let leaving = Array(parts.prefix(parts.count > 1 ? Int.random(in: 1..<parts.count, using: &random) : 0))
        return try await library.database.write { transaction in
            let (store, now) = (transaction.trackIdentity, TestLibrary.moment(50))
            switch attempt {
            case .merge:
                return chosen.count < 2 ? nil : try store.merge(chosen, userID: library.userID, now: now).decision
            case .separate:
                do {
                    return try chosen.count < 2 ? nil : store.separate(chosen, userID: library.userID, now: now)
                } catch TrackDecisionError.alreadyApart {
                    return nil
                }
            case .split:
                guard let divided else { return nil }
                return try store.split(LibraryID(key: divided.id), leaving, userID: library.userID, now: now).decision
            }
        }
    }

    private static func undo(_ decision: LibraryID, in library: TestLibrary) async throws {
        _ = try await library.database.write {
            try $0.trackIdentity.undo(decision, userID: library.userID, now: TestLibrary.moment(60))
        }
    }

    private enum Order: CaseIterable { case lastFirst, firstFirst, any }

    private static func ordered(
        _ decisions: [LibraryID], _ order: Order, _ random: inout SeededRandom
    ) -> [LibraryID] {
        switch order {
        case .lastFirst: decisions.reversed()
        case .firstFirst: decisions
        case .any: decisions.shuffled(using: &random)
        }
    }

    /// Makes several decisions, undoes them all, and expects each id to refer to its song again.
    private static func expectUndone(
        _ attempts: [Attempt], seed: Int, _ order: Order, _ random: inout SeededRandom, in library: TestLibrary
    ) async throws {
        let comment: Comment = "seed \(seed), \(order)"
        let (songs, rows) = (try await Self.songs(library), try await library.rows())
        var decisions: [LibraryID] = []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let attempt = attempts.randomElement(using: &random) ?? .merge
            if let decision = try await decide(attempt, in: library, &random) { decisions.append(decision) }
            try await library.expectSound(comment)
        }
        for decision in ordered(decisions, order, &random) {
            try await undo(decision, in: library)
            try await library.expectSound(comment)
        }
        let (left, after) = (try await Self.songs(library), try await library.rows())
        #expect(left == songs, comment)
        for table in ["library_tracks", "library_source_tracks", "library_duplicates"] {
            #expect(after[table] == rows[table], comment)
        }
        // Only what splits created is left.
        if attempts == [.merge] { #expect(after["library_former_tracks"] == [], comment) }
    }

    @Test("Merges give each song its id back, no matter in which order they are undone", arguments: 0..<15)
    func undoneMerges(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(seed))
        try await withDatabase { database, _ in
            let library = try await Self.filled(database, &random)
            for order in Order.allCases {
                try await Self.expectUndone([.merge], seed: seed, order, &random, in: library)
            }
        }
    }

    @Test("Splits between merges give each song its id back, too", arguments: 0..<15)
    func splitsBetweenMerges(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(1_000 + seed))
        try await withDatabase { database, _ in
            let library = try await Self.filled(database, &random)
            for order in Order.allCases {
                try await Self.expectUndone(Attempt.allCases, seed: seed, order, &random, in: library)
            }
        }
    }

    @Test("What syncs bring in the meantime joins its song, and takes no id from another one", arguments: 0..<10)
    func arrivalsMeanwhile(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(2_000 + seed))
        try await withDatabase { database, _ in
            let library = try await Self.filled(database, &random)
            let before = try await Self.songs(library)
            var decisions: [LibraryID] = []
            for _ in 0..<3 {
                if let decision = try await Self.decide(.merge, in: library, &random) { decisions.append(decision) }
            }
            // Some come before all others of their song, and some after.
            for number in 0..<6 where Bool.random(using: &random) {
                let source = MusicSource.services.randomElement(using: &random) ?? .spotify
                let name = "\(source.number)-\(Int.random(in: 0..<100, using: &random)) later"
                try await library.save([Self.track(name, number)], source)
            }
            for decision in Self.ordered(decisions, .any, &random) { try await Self.undo(decision, in: library) }
            try await library.expectSound("seed \(seed)")
            // An id may resolve to the new source track, if that is from Apple Music and the song's others are not.
            let after = try await Self.songs(library)
            for (id, song) in before {
                let survivor = try await database.read { try $0.trackIdentity.survivor(of: id, userID: library.userID) }
                let left = survivor.flatMap { after[$0] } ?? []
                #expect(left.filter { !$0.hasSuffix("later") } == song, "seed \(seed)")
            }
        }
    }

    @Test(
        "A merge whose survivor has no stored source track can also be undone",
        arguments: 0..<5)
    func survivorWithoutASourceTrack(seed: Int) async throws {
        var random = SeededRandom(seed: UInt64(3_000 + seed))
        try await withDatabase { database, _ in
            let library = try await Self.filled(database, &random)
            let before = try await Self.songs(library)
            let decision = try #require(try await Self.decide(.merge, in: library, &random))
            try await database.write { try $0.run("DELETE FROM library_former_tracks WHERE id = track_id") }
            try await Self.undo(decision, in: library)
            #expect(try await Self.songs(library) == before, "seed \(seed)")
            try await library.expectSound("seed \(seed)")
        }
    }
}
