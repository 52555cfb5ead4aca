import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryWriting
@testable import Storage

@Suite("What people decide about songs")
struct DecisionTests {
    private let isrc = "GBAYE9700001"
    private let length = 284_000

    private func filled(_ database: Database) async throws -> TestLibrary {
        let library = try await TestLibrary.new(in: database)
        try await library.save([.made("i.1", isrc: isrc, ms: length)], .appleMusic)
        try await library.save(
            [.made("s1", isrc: isrc, ms: length), .made("s2", "Paranoid Android", ms: 383_000)], .spotify)
        return library
    }

    private func split(_ library: TestLibrary, _ track: LibraryID, _ ids: [String]) async throws
        -> (tracks: [LibraryID], decision: LibraryID)
    {
        var leaving: [LibraryID] = []
        for id in ids { leaving.append(try await library.sourceTrack(id)) }
        let parts = leaving
        return try await library.database.write {
            try $0.trackIdentity.split(track, parts, userID: library.userID, now: TestLibrary.moment(50))
        }
    }

    private func merge(_ library: TestLibrary, _ ids: [LibraryID]) async throws
        -> (track: LibraryID, decision: LibraryID)
    {
        try await library.database.write {
            try $0.trackIdentity.merge(ids, userID: library.userID, now: TestLibrary.moment(50))
        }
    }

    private func undo(_ library: TestLibrary, _ decision: LibraryID) async throws -> [LibraryID] {
        try await library.database.write {
            try $0.trackIdentity.undo(decision, userID: library.userID, now: TestLibrary.moment(60))
        }
    }

    @Test("A split lasts no matter what syncs bring, and the remaining part keeps the id")
    func lastingSplit() async throws {
        try await withDatabase { database, _ in
            let library = try await filled(database)
            let track = try await library.track(of: "i.1")
            let (tracks, _) = try await split(library, track, ["i.1"])
            #expect(try await library.songs() == [["i.1"], ["s1"], ["s2"]])
            #expect(tracks.first == track && tracks.count == 2)
            #expect(try await library.track(of: "s1") == track)
            try await library.expectSound()
            // Changes at the service, a removal followed by a new connection, and a track that returns.
            try await library.save([.made("s1", "AIRBAG", isrc: isrc, ms: length)], .spotify, at: 2)
            try await library.regroup()
            try await library.remove(.spotify)
            #expect(try await library.songs() == [["i.1"]])
            try await library.save([.made("s1", isrc: isrc, ms: length)], .spotify, at: 9)
            #expect(try await library.songs() == [["i.1"], ["s1"]])
            try await library.readWhole([.made("s9", "Other", ms: 100_000)], .spotify, at: 10)
            try await library.readWhole([.made("s1", isrc: isrc, ms: length)], .spotify, at: 11)
            #expect(try await library.songs() == [["i.1"], ["s1"], ["s9"]])
            try await library.expectSound()
        }
    }

    @Test("A merge lasts no matter what syncs bring, and the merged id resolves to the survivor")
    func lastingMerge() async throws {
        try await withDatabase { database, _ in
            let library = try await filled(database)
            let (apple, other) = (try await library.track(of: "i.1"), try await library.track(of: "s2"))
            let (track, decision) = try await merge(library, [other, apple])
            #expect(track == apple)
            #expect(try await library.songs() == [["i.1", "s1", "s2"]])
            try await library.expectSound()
            let survivor = try await database.read { try $0.trackIdentity.survivor(of: other, userID: library.userID) }
            #expect(survivor == apple)
            try await library.remove(.spotify)
            try await library.save(
                [.made("s2", "Paranoid Android", ms: 383_000), .made("s1", isrc: isrc, ms: length)], .spotify, at: 9)
            #expect(try await library.songs() == [["i.1", "s1", "s2"]])
            try await library.expectSound()
            let left = try await undo(library, decision)
            #expect(try await library.songs() == [["i.1", "s1"], ["s2"]])
            #expect(left.count == 2)
            try await library.expectSound()
        }
    }

    @Test("Undoing restores the former ids and rows")
    func undoneDecisions() async throws {
        try await withDatabase { database, _ in
            let library = try await filled(database)
            let (apple, other) = (try await library.track(of: "i.1"), try await library.track(of: "s2"))
            let before = try await library.rows()
            let merged = try await merge(library, [other, apple])
            let tracks = try await undo(library, merged.decision)
            #expect(tracks == [apple, other].sorted())
            try await expectSame(library, before)
            let parted = try await split(library, apple, ["s1"])
            let joined = try await undo(library, parted.decision)
            #expect(joined == [apple])
            // The id that the split created still resolves.
            let survivor = try await database.read {
                try $0.trackIdentity.survivor(of: parted.tracks[1], userID: library.userID)
            }
            #expect(survivor == apple)
            await #expect(throws: TrackDecisionError.noDecision) { try await undo(library, parted.decision) }
        }
    }

    private func expectSame(_ library: TestLibrary, _ before: [String: [[SQLValue]]]) async throws {
        let after = try await library.rows()
        for table in TestLibrary.tables where !["library_keys", "libraries"].contains(table) {
            #expect(after[table] == before[table], "\(table)")
        }
        try await library.expectSound()
    }

    @Test("The latest decision about a pair counts")
    func latestDecisionCounts() async throws {
        try await withDatabase { database, _ in
            let library = try await filled(database)
            let track = try await library.track(of: "i.1")
            let (tracks, first) = try await split(library, track, ["s1"])
            let (survivor, second) = try await merge(library, tracks)
            #expect(try await library.songs() == [["i.1", "s1"], ["s2"]])
            #expect(survivor == track)
            _ = try await undo(library, second)
            #expect(try await library.songs() == [["i.1"], ["s1"], ["s2"]])
            _ = try await undo(library, first)
            #expect(try await library.songs() == [["i.1", "s1"], ["s2"]])
            try await library.expectSound()
        }
    }

    @Test("A split makes two tracks, even if the part that leaves linked the others")
    func twoTracks() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save([.made("i.1", isrc: isrc, ms: length)], .appleMusic)
            try await library.save(
                [.made("s1", "Lucky", ms: 259_000), .made("s2", "Paranoid Android", ms: 383_000)], .spotify)
            let ids = try await library.tracks().map { LibraryID(key: $0.id) }
            let (track, _) = try await merge(library, ids)
            let (tracks, _) = try await split(library, track, ["i.1"])
            #expect(tracks.count == 2)
            #expect(try await library.songs() == [["i.1"], ["s1", "s2"]])
            try await library.expectSound()
        }
    }

    @Test("Tracks that a user declares different stay apart when an equal ISRC arrives, and are not asked about again")
    func differentTracksStayApart() async throws {
        try await withDatabase { database, _ in
            let library = try await filled(database)
            let ids = [try await library.track(of: "i.1"), try await library.track(of: "s2")]
            let decision = try await database.write {
                try $0.trackIdentity.separate(ids, userID: library.userID, now: TestLibrary.moment(50))
            }
            try await library.save([.made("s2", isrc: isrc, ms: length)], .spotify)
            #expect(try await library.songs().count == 2)
            try await library.expectSound()
            _ = try await undo(library, decision)
            #expect(try await library.songs() == [["i.1", "s1", "s2"]])
        }
    }

    @Test("Declaring tracks different again is refused, unless one has a new source track")
    func apartAgain() async throws {
        try await withDatabase { database, _ in
            let library = try await filled(database)
            let track = try await library.track(of: "i.1")
            let (parts, _) = try await split(library, track, ["s1"])
            let separate: @Sendable (WriteTransaction) throws -> LibraryID = {
                try $0.trackIdentity.separate(parts, userID: library.userID, now: TestLibrary.moment(55))
            }
            await #expect(throws: TrackDecisionError.alreadyApart) { try await database.write(separate) }
            try await library.save([.made("i.2", isrc: isrc, ms: length)], .appleMusic)
            #expect(try await library.songs().count == 3)
            let decision = try await database.write(separate)
            await #expect(throws: TrackDecisionError.alreadyApart) { try await database.write(separate) }
            _ = try await undo(library, decision)
            _ = try await database.write(separate)
            try await library.expectSound()
        }
    }

    @Test("Undoing a split of the first source track keeps the track's id every time")
    func firstSourceTrack() async throws {
        try await withDatabase { database, _ in
            let library = try await filled(database)
            let track = try await library.track(of: "i.1")
            for _ in 0..<3 {
                let (tracks, decision) = try await split(library, track, ["i.1"])
                #expect(try await library.track(of: "s1") == track && tracks[0] == track)
                let joined = try await undo(library, decision)
                #expect(joined == [track])
                let survivor = try await database.read {
                    try $0.trackIdentity.survivor(of: tracks[1], userID: library.userID)
                }
                #expect(survivor == track)
                try await library.expectSound()
            }
        }
    }

    @Test("Invalid decisions are refused, and change nothing")
    func refusedDecisions() async throws {
        try await withDatabase { database, _ in
            let library = try await filled(database)
            let other = try await TestLibrary.new(in: database, name: "bob")
            let (track, second) = (try await library.track(of: "i.1"), try await library.track(of: "s2"))
            let foreign = try await library.sourceTrack("s2")
            let own = [try await library.sourceTrack("i.1"), try await library.sourceTrack("s1")]
            let before = try await library.rows()
            let unknown = LibraryID(key: 77)
            let attempts: [(TrackDecisionError, @Sendable (TrackIdentityStore<WriteTransaction>) throws -> Void)] = [
                (.noTrack, { _ = try $0.merge([track, unknown], userID: library.userID, now: .now()) }),
                (.oneTrack, { _ = try $0.merge([track, track], userID: library.userID, now: .now()) }),
                (.noTrack, { _ = try $0.merge([track, second], userID: other.userID, now: .now()) }),
                (.noTrack, { _ = try $0.separate([track, unknown], userID: library.userID, now: .now()) }),
                (.noTrack, { _ = try $0.split(unknown, own, userID: library.userID, now: .now()) }),
                (.noSourceTrack, { _ = try $0.split(track, [foreign], userID: library.userID, now: .now()) }),
                (.splitsNothing, { _ = try $0.split(track, own, userID: library.userID, now: .now()) }),
                (.splitsNothing, { _ = try $0.split(track, [], userID: library.userID, now: .now()) }),
                (.noDecision, { _ = try $0.undo(unknown, userID: library.userID, now: .now()) }),
            ]
            for (error, attempt) in attempts {
                await #expect(throws: error) { try await database.write { try attempt($0.trackIdentity) } }
            }
            let after = try await library.rows()
            #expect(after == before)
        }
    }

    @Test("The evidence names what joins, and what the user decided")
    func evidenceOfATrack() async throws {
        try await withDatabase { database, _ in
            let library = try await filled(database)
            let track = try await library.track(of: "i.1")
            var answer = try #require(
                try await database.read { try $0.trackIdentity.identity(ofTrack: track, userID: library.userID) })
            #expect(answer.sourceTracks.map(\.source) == [.appleMusic, .spotify])
            #expect(answer.sourceTracks.allSatisfy { $0.evidence.contains { $0.contains(isrc) } })
            #expect(answer.decisions.isEmpty)
            let other = try await library.track(of: "s2")
            _ = try await merge(library, [track, other])
            answer = try #require(
                try await database.read { try $0.trackIdentity.identity(ofTrack: other, userID: library.userID) })
            #expect(answer.trackID == track && answer.decisions.map(\.kind) == [.merge])
            #expect(
                answer.sourceTracks.allSatisfy {
                    $0.evidence.first?.hasPrefix("You decided on 2023-11-14") == true
                })
        }
    }
}
