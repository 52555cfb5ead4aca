import Model
import Storage
import TestSupport
import Testing

@testable import Library
@testable import LibrarySync

@Suite("Whole scans", .timeLimit(.minutes(5)))
struct WholeScanTests {
    @Test("Replacing a song beyond the first page is noticed once a week, and after a change of storefront")
    func replacementBeyondTheFirstPage() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync(.appleMusic)
            fixture.appleMusic.change { content in
                content.tracks.removeAll { $0.sourceID == "i.20" }
                content.tracks.append(.sample(30, .appleMusic))
                content.storefront = "fr"
            }
            _ = fixture.appleMusic.takeRequests()
            try await fixture.sync(.appleMusic)
            #expect(fixture.appleMusic.takeRequests().first == "tracks 0")
            #expect(try await fixture.missing().isEmpty)

            let week = Timestamp.now().advanced(by: .seconds(-7 * 86_400))
            try await fixture.database.write {
                try $0.run("UPDATE library_readings SET whole_at = \(week) WHERE list = 'tracks'")
            }
            try await fixture.sync(.appleMusic)
            // The first page contained ids of the former storefront's catalog.
            #expect(fixture.appleMusic.takeRequests().prefix(3) == ["tracks 0", "storefront", "tracks 0"])
            #expect(try await fixture.missing() == ["i.20"])
            let user = fixture.userID
            let storefront = try await fixture.database.read {
                try $0.library.storefront(of: .appleMusic, userID: user)
            }
            #expect(storefront == "fr")
            try await fixture.sync(.appleMusic)
            #expect(fixture.appleMusic.takeRequests() == ["tracks 0", "playlists 0", "albums 0"])
        }
    }

    @Test("At Spotify, replacing a song by an older one beyond the first page is noticed once a week")
    func weeklyAtSpotify() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync(.spotify)
            fixture.spotify.change { content in
                content.tracks.removeAll { $0.sourceID == "s3" }
                content.tracks.append(.sample(50, .spotify, savedAt: 0))
            }
            _ = fixture.spotify.takeRequests()
            try await fixture.sync(.spotify)
            #expect(fixture.spotify.takeRequests() == ["tracks 0", "playlists 0", "albums 0"])
            #expect(try await fixture.missing().isEmpty)

            let week = Timestamp.now().advanced(by: .seconds(-7 * 86_400))
            try await fixture.database.write {
                try $0.run("UPDATE library_readings SET whole_at = \(week) WHERE list = 'tracks'")
            }
            try await fixture.sync(.spotify)
            #expect(try await fixture.missing() == ["s3"])
            #expect(try await fixture.rows().contains { $0.hasPrefix("track 2 s50 ") })
            _ = fixture.spotify.takeRequests()
            try await fixture.sync(.spotify)
            #expect(fixture.spotify.takeRequests() == ["tracks 0", "playlists 0", "albums 0"])
        }
    }

    @Test("A song with only an unreadable entry on a page is missing once two whole readings in a row lack it")
    func unreadableEntries() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync(.spotify)
            // Another song was removed, which a scan without the entry would show.
            fixture.spotify.change { content in
                content.nulls = ["s4"]
                content.tracks.removeAll { $0.sourceID == "s6" }
            }
            try await fixture.sync(.spotify)
            #expect(try await fixture.missing().isEmpty)
            // The entry is readable again, so the scan lacks nothing.
            fixture.spotify.change { $0.nulls = [] }
            try await fixture.sync(.spotify)
            #expect(try await fixture.missing() == ["s6"])
            // An entry that stays unreadable is content that Spotify has removed.
            fixture.spotify.change { content in
                content.nulls = ["s8"]
                content.tracks.removeAll { $0.sourceID == "s7" }
            }
            for missing in [["s6"], ["s6", "s7", "s8"]] {
                try await fixture.sync(.spotify)
                #expect(try await fixture.missing() == missing)
            }
            _ = fixture.spotify.takeRequests()
            try await fixture.sync(.spotify)
            #expect(fixture.spotify.takeRequests() == ["tracks 0", "playlists 0", "albums 0"])
        }
    }

    @Test("An entry that was never readable does not keep anything else from being marked")
    func lastingNull() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            fixture.spotify.change { $0.nulls = ["s8"] }
            try await fixture.sync(.spotify)
            fixture.spotify.change { $0.tracks.removeAll { $0.sourceID == "s7" } }
            try await fixture.sync(.spotify)
            #expect(try await fixture.missing() == ["s7"])
        }
    }

    @Test("A list without totals is read whole every time, and marks nothing")
    func withoutTotals() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            fixture.appleMusic.change { $0.hasTotals = false }
            try await fixture.sync(.appleMusic)
            fixture.appleMusic.change { $0.tracks.removeAll { $0.sourceID == "i.20" } }
            for _ in 0..<2 {
                _ = fixture.appleMusic.takeRequests()
                let view = try await fixture.sync(.appleMusic)
                #expect(view.state == "complete")
                #expect(fixture.appleMusic.takeRequests().count { $0.hasPrefix("tracks") } >= 3)
                #expect(try await fixture.missing().isEmpty)
            }
        }
    }
}
