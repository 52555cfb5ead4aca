import Model
import Storage
import TestSupport
import Testing

@testable import Library

@Suite("Whole readings", .timeLimit(.minutes(5)))
struct WholeReadingTests {
    @Test("One song in and one out behind the first page is found once a week, and after a storefront's change")
    func weekly() async throws {
        try await SyncBench.run { bench in
            bench.fill()
            try await bench.sync(.appleMusic)
            bench.appleMusic.change { content in
                content.tracks.removeAll { $0.sourceID == "i.20" }
                content.tracks.append(.sample(30, .appleMusic))
                content.storefront = "fr"
            }
            _ = bench.appleMusic.takeRequests()
            try await bench.sync(.appleMusic)
            #expect(bench.appleMusic.takeRequests().first == "tracks 0")
            #expect(try await bench.missing().isEmpty)

            let week = Timestamp.now().advanced(by: .seconds(-7 * 86_400))
            try await bench.database.write {
                _ = try $0.execute("UPDATE library_readings SET whole_at = \(week) WHERE list = 'tracks'")
            }
            try await bench.sync(.appleMusic)
            // The first page came with ids of the former storefront's catalog.
            #expect(bench.appleMusic.takeRequests().prefix(3) == ["tracks 0", "storefront", "tracks 0"])
            #expect(try await bench.missing() == ["i.20"])
            let user = bench.userID
            let storefront = try await bench.database.read {
                try $0.library.storefront(of: .appleMusic, userID: user)
            }
            #expect(storefront == "fr")
            try await bench.sync(.appleMusic)
            #expect(bench.appleMusic.takeRequests() == ["tracks 0", "playlists 0", "albums 0"])
        }
    }

    @Test("At Spotify, one song out and an older one in behind the first page are found once a week")
    func weeklyAtSpotify() async throws {
        try await SyncBench.run { bench in
            bench.fill()
            try await bench.sync(.spotify)
            bench.spotify.change { content in
                content.tracks.removeAll { $0.sourceID == "s3" }
                content.tracks.append(.sample(50, .spotify, savedAt: 0))
            }
            _ = bench.spotify.takeRequests()
            try await bench.sync(.spotify)
            #expect(bench.spotify.takeRequests() == ["tracks 0", "playlists 0", "albums 0"])
            #expect(try await bench.missing().isEmpty)

            let week = Timestamp.now().advanced(by: .seconds(-7 * 86_400))
            try await bench.database.write {
                _ = try $0.execute("UPDATE library_readings SET whole_at = \(week) WHERE list = 'tracks'")
            }
            try await bench.sync(.spotify)
            #expect(try await bench.missing() == ["s3"])
            #expect(try await bench.rows().contains { $0.hasPrefix("track 2 s50 ") })
            _ = bench.spotify.takeRequests()
            try await bench.sync(.spotify)
            #expect(bench.spotify.takeRequests() == ["tracks 0", "playlists 0", "albums 0"])
        }
    }

    @Test("A list without totals is read whole every time, and marks nothing")
    func withoutTotals() async throws {
        try await SyncBench.run { bench in
            bench.fill()
            bench.appleMusic.change { $0.hasTotals = false }
            try await bench.sync(.appleMusic)
            bench.appleMusic.change { $0.tracks.removeAll { $0.sourceID == "i.20" } }
            for _ in 0..<2 {
                _ = bench.appleMusic.takeRequests()
                let view = try await bench.sync(.appleMusic)
                #expect(view.state == "complete")
                #expect(bench.appleMusic.takeRequests().count { $0.hasPrefix("tracks") } >= 3)
                #expect(try await bench.missing().isEmpty)
            }
        }
    }
}
