import Identity
import Model
import Storage
import TestSupport
import Testing
import Timeline
import Visibility

@testable import Curation

@Suite("Recommended songs in the feed")
struct RecommendedSongTests {
    private static let noon = Timestamp(microseconds: 1_800_000_000_000_000)

    private static func track(_ number: Int, title: String? = nil) -> CuratedTrack {
        CuratedTrack(
            reference: "spotify:\(number)", title: title ?? "Song \(number)", artist: "Ada", album: "",
            durationMs: 200_000, origin: .spotify, reason: "Because of \(number).", evidence: [])
    }

    /// Completes recommendations of a person, and returns their id.
    private static func recommend(
        _ tracks: [CuratedTrack], kind: CurationRequest.Kind = .recommendations, to userID: String,
        in transaction: WriteTransaction
    ) throws -> String {
        let request = CurationRequest(kind: kind, size: 20, source: .mixed)
        let list = try transaction.curation.begin(request, title: "For you", userID: userID, cost: nil, now: noon)
        try transaction.curation.finish(
            ListContent(
                id: list.id, userID: userID, tracks: tracks, dropped: [], at: noon, cacheKey: nil, fallback: nil))
        return list.id
    }

    /// The songs that the person's feed shows, the first on top.
    private static func shown(to userID: String, in reader: ReadTransaction) throws -> [RecommendedSong] {
        let viewer = try #require(try reader.visibility.viewer(userID: userID))
        var merge = try reader.timeline.feed(of: viewer, below: nil)
        let numbers = try merge.next(100).filter { $0.kind == .recommendation }.map(\.subject)
        let songs = try reader.curation.recommendedSongs(numbers, userID: userID)
        return numbers.compactMap { number in songs.first { $0.number == number } }
    }

    private static func dismiss(_ dismissal: Dismissal, by userID: String, in transaction: WriteTransaction) throws {
        let songs = try transaction.curation.recommendations(of: dismissal, userID: userID)
        try transaction.curation.dismiss(dismissal, hiding: songs, userID: userID, now: noon)
    }

    private static func gone(of userID: String, in reader: some SQLReader) throws -> [String] {
        try reader.goneItems(userID: userID, after: 0, limit: 100).filter { $0.kind == .feedItem }.map(\.id)
    }

    @Test("Each song of complete recommendations is an item of its person alone, in the list's order")
    func items() async throws {
        try await withDatabase { database, _ in
            let (ada, bob) = (try await database.addPerson("ada"), try await database.addPerson("bob"))
            let list = try await database.write { transaction in
                _ = try Self.recommend([Self.track(9)], kind: .playlist, to: ada, in: transaction)
                return try Self.recommend((1...3).map { Self.track($0) }, to: ada, in: transaction)
            }
            try await database.read { reader in
                let songs = try Self.shown(to: ada, in: reader)
                #expect(songs.map(\.track) == (1...3).map { Self.track($0) })
                #expect(songs.map(\.id) == (0...2).map { "\(list)-\($0)" })
                #expect(songs.allSatisfy { $0.listTitle == "For you" && $0.listID == list })
                #expect(try Self.shown(to: bob, in: reader) == [])
                // Nobody reads the songs of another person by their numbers.
                #expect(try reader.curation.recommendedSongs(songs.map(\.number), userID: bob) == [])
            }
        }
    }

    @Test("A dismissed song leaves the feed under all of its names, and comes back when the dismissal is withdrawn")
    func dismissals() async throws {
        try await withDatabase { database, _ in
            let ada = try await database.addPerson("ada")
            let list = try await database.write { transaction in
                try Self.recommend(
                    [Self.track(1), Self.track(2, title: "Song 7"), Self.track(3)], to: ada, in: transaction)
            }
            let dismissal = Dismissal(
                reference: "appleMusic:7", song: IdentityRecord(title: "Song 7", artist: "Ada", durationMs: 200_000))
            try await database.write { transaction in
                try Self.dismiss(dismissal, by: ada, in: transaction)
                try Self.dismiss(Dismissal(reference: "spotify:3"), by: ada, in: transaction)
            }
            try await database.read { reader throws in
                #expect(try Self.shown(to: ada, in: reader).map(\.track.reference) == ["spotify:1"])
                #expect(
                    try Self.gone(of: ada, in: reader) == ["recommendation:\(list)-1", "recommendation:\(list)-2"])
            }
            try await database.write { try $0.curation.deleteDismissal(of: "appleMusic:7", userID: ada) }
            try await database.read { reader in
                let songs = try Self.shown(to: ada, in: reader)
                #expect(songs.map(\.track.reference) == ["spotify:1", "spotify:2"])
            }
        }
    }

    @Test("A song that was dismissed while the list was being made is not shown")
    func dismissedBefore() async throws {
        try await withDatabase { database, _ in
            let ada = try await database.addPerson("ada")
            try await database.write { transaction in
                try Self.dismiss(Dismissal(reference: "spotify:1"), by: ada, in: transaction)
                _ = try Self.recommend([Self.track(1), Self.track(2)], to: ada, in: transaction)
            }
            let shown = try await database.read { try Self.shown(to: ada, in: $0) }
            #expect(shown.map(\.track.reference) == ["spotify:2"])
        }
    }

    @Test("Recommendations that are made between the search for a song and its dismissal are hidden as well")
    func madeMeanwhile() async throws {
        try await withDatabase { database, _ in
            let ada = try await database.addPerson("ada")
            let dismissal = Dismissal(
                reference: "spotify:1", song: IdentityRecord(title: "Song 1", artist: "Ada", durationMs: 200_000))
            try await database.write { transaction in
                _ = try Self.recommend([Self.track(1), Self.track(2)], to: ada, in: transaction)
                let songs = try transaction.curation.recommendations(of: dismissal, userID: ada)
                _ = try Self.recommend([Self.track(7, title: "Song 1"), Self.track(3)], to: ada, in: transaction)
                try transaction.curation.dismiss(dismissal, hiding: songs, userID: ada, now: Self.noon)
            }
            try await database.read { reader throws in
                #expect(
                    try Self.shown(to: ada, in: reader).map(\.track.reference) == ["spotify:3", "spotify:2"])
                #expect(try Self.gone(of: ada, in: reader).count == 2)
            }
        }
    }

    @Test("Dismissing a song again writes nothing")
    func dismissedAgain() async throws {
        try await withDatabase { database, _ in
            let ada = try await database.addPerson("ada")
            let dismissal = Dismissal(reference: "spotify:1")
            try await database.write { transaction in
                _ = try Self.recommend([Self.track(1)], to: ada, in: transaction)
                try Self.dismiss(dismissal, by: ada, in: transaction)
            }
            let before = try await database.read { try $0.goneItems(userID: ada, after: 0, limit: 10) }
            try await database.write { transaction in
                let later = Dismissal(reference: "spotify:1", song: IdentityRecord(title: "Song 1", artist: "Ada"))
                try Self.dismiss(later, by: ada, in: transaction)
            }
            let (gone, dismissals) = try await database.read { reader in
                (try reader.goneItems(userID: ada, after: 0, limit: 10), try reader.curation.dismissals(userID: ada))
            }
            #expect(gone == before)
            #expect(dismissals == [dismissal])
        }
    }

    @Test("Beyond the most dismissals the oldest are deleted, and their songs are shown again")
    func mostDismissals() async throws {
        try await withDatabase { database, _ in
            let ada = try await database.addPerson("ada")
            let most = CurationStore<WriteTransaction>.mostDismissals
            try await database.write { transaction in
                _ = try Self.recommend([Self.track(1), Self.track(2)], to: ada, in: transaction)
                try Self.dismiss(Dismissal(reference: "spotify:1"), by: ada, in: transaction)
                for number in 1..<most {
                    try transaction.run(
                        """
                        INSERT INTO curation_dismissals (user_id, reference, dismissed_at)
                        VALUES (\(ada), \("appleMusic:\(number)"), \(Self.noon.advanced(by: .seconds(number))))
                        """)
                }
                let last = Dismissal(reference: "spotify:2")
                let songs = try transaction.curation.recommendations(of: last, userID: ada)
                try transaction.curation.dismiss(
                    last, hiding: songs, userID: ada, now: Self.noon.advanced(by: .seconds(most)))
            }
            try await database.read { reader in
                #expect(try reader.curation.dismissals(userID: ada).count == most)
                #expect(try Self.shown(to: ada, in: reader).map(\.track.reference) == ["spotify:1"])
                let plan = try reader.plan(
                    of: "SELECT number FROM recommended_songs WHERE user_id = \(ada) AND dismissed_as = \("x")")
                #expect(plan.contains { $0.contains("recommended_songs_dismissed (user_id=? AND dismissed_as=?)") })
            }
        }
    }

    @Test("A song that is removed from its list leaves the feed, and all leave it with the list")
    func removals() async throws {
        try await withDatabase { database, _ in
            let ada = try await database.addPerson("ada")
            let id = try await database.write { transaction in
                try Self.recommend((1...3).map { Self.track($0) }, to: ada, in: transaction)
            }
            try await database.write { transaction in
                let list = try #require(try transaction.curation.list(id, userID: ada))
                #expect(try transaction.curation.remove("spotify:2", from: list))
            }
            let shown = try await database.read { try Self.shown(to: ada, in: $0) }
            #expect(shown.map(\.track.reference) == ["spotify:1", "spotify:3"])
            try await database.write { _ = try $0.curation.delete(id, userID: ada) }
            try await database.read { reader throws in
                #expect(try Self.shown(to: ada, in: reader) == [])
                #expect(Set(try Self.gone(of: ada, in: reader)) == Set((0...2).map { "recommendation:\(id)-\($0)" }))
                #expect(try reader.rows("SELECT 1 FROM timeline_own_items").isEmpty)
                #expect(try reader.rows("SELECT 1 FROM recommended_songs").isEmpty)
            }
        }
    }
}
