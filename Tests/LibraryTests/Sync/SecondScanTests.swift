import Model
import Storage
import TestSupport
import Testing

@testable import LibrarySync

@Suite("Lists that change between their pages", .timeLimit(.minutes(5)))
struct SecondScanTests {
    /// The requests of a sync that finds nothing changed in three pages of playlists.
    private static let unchanged = ["tracks 0", "playlists 0", "playlists 5", "playlists 10", "albums 0"]
    /// The same requests with a second scan of the playlists.
    private static let twice = [
        "tracks 0", "playlists 0", "playlists 5", "playlists 10", "playlists 0", "playlists 5", "playlists 10",
        "albums 0",
    ]

    private static func playlist(_ number: Int) -> SourcePlaylist {
        var playlist = SourcePlaylist(sourceID: "p\(number)", name: "Playlist \(number)")
        playlist.version = "v1"
        return playlist
    }

    /// Reads a library with three pages of playlists.
    private func begin(_ fixture: SyncFixture, _ source: MusicSource) async throws -> ScriptedLibrary {
        let library = source == .spotify ? fixture.spotify : fixture.appleMusic
        library.change { content in
            content.tracks = [.sample(1, source)]
            content.playlists = (1...13).map(Self.playlist)
        }
        try await fixture.sync(source)
        _ = library.takeRequests()
        return library
    }

    private func missingPlaylists(_ fixture: SyncFixture) async throws -> [String] {
        try await fixture.rows().filter { $0.hasPrefix("playlist ") && $0.hasSuffix("missing") }
    }

    @Test("A playlist that moves between two pages is not missing", arguments: MusicSource.services)
    func movedPlaylist(_ source: MusicSource) async throws {
        try await SyncFixture.run { fixture in
            let library = try await begin(fixture, source)
            // This happens after the first page of playlists: the last playlist is on no page of the first scan.
            library.change(afterRequests: 2) { content in
                content.playlists.insert(content.playlists.removeLast(), at: 0)
            }
            try await fixture.sync(source)
            #expect(library.takeRequests() == Self.twice)
            #expect(try await missingPlaylists(fixture).isEmpty)
            try await fixture.sync(source)
            #expect(library.takeRequests() == Self.unchanged)
        }
    }

    @Test("Replacing one playlist by another hides no third one, and what neither reading sees is marked")
    func replacedPlaylist() async throws {
        try await SyncFixture.run { fixture in
            let library = try await begin(fixture, .spotify)
            library.change { $0.playlists.removeAll { $0.sourceID == "p9" } }
            library.change(afterRequests: 2) { content in
                content.playlists.removeFirst()
                content.playlists.append(Self.playlist(20))
            }
            let view = try await fixture.sync(.spotify)
            #expect(library.takeRequests().filter { $0.hasPrefix("playlists") }.count == 6)
            // The first page contained p1, and p6 was hidden.
            #expect(try await missingPlaylists(fixture) == ["playlist p9 0 missing"])
            #expect(view.sources[0].found == view.sources[0].total && view.sources[0].total == 13)
            try await fixture.sync(.spotify)
            #expect(try await missingPlaylists(fixture) == ["playlist p1 0 missing", "playlist p9 0 missing"])
            // Once it is marked, it no longer causes a second scan.
            _ = library.takeRequests()
            try await fixture.sync(.spotify)
            #expect(library.takeRequests() == Self.unchanged)
        }
    }

    @Test("A second reading during which the list changes marks nothing")
    func changedAgain() async throws {
        try await SyncFixture.run { fixture in
            let library = try await begin(fixture, .spotify)
            library.change { $0.playlists.removeAll { $0.sourceID == "p9" } }
            library.change(afterRequests: 5) { $0.playlists.append(Self.playlist(20)) }
            try await fixture.sync(.spotify)
            #expect(try await missingPlaylists(fixture).isEmpty)
            try await fixture.sync(.spotify)
            #expect(try await missingPlaylists(fixture) == ["playlist p9 0 missing"])
        }
    }

    @Test("A second reading that is killed at any checkpoint ends with the same rows")
    func killedSecondScan() async throws {
        // The checkpoints are from the first page of playlists to the deletion of the sightings.
        for checkpoint in 4...13 {
            try await SyncFixture.run { fixture in
                let library = try await begin(fixture, .spotify)
                library.change { $0.playlists.removeAll { $0.sourceID == "p9" } }
                try await fixture.sync(.spotify, deaths: [checkpoint: .afterCommit])
                #expect(try await missingPlaylists(fixture) == ["playlist p9 0 missing"])
                #expect(try await !fixture.rows().contains("sighting"))
            }
        }
    }

    @Test("A song that is saved again while Spotify's list is paged is not missing")
    func savedAgain() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync(.spotify)
            fixture.spotify.change { $0.tracks.removeAll { $0.sourceID == "s5" } }
            fixture.spotify.change(afterRequests: 1) { content in
                content.tracks.removeAll { $0.sourceID == "s2" }
                content.tracks.insert(.sample(2, .spotify, savedAt: 900), at: 0)
            }
            try await fixture.sync(.spotify)
            #expect(try await fixture.missing().isEmpty)
            try await fixture.sync(.spotify)
            #expect(try await fixture.missing() == ["s5"])
        }
    }

    @Test("What is removed between the two readings is marked by the next sync, which reads the list whole")
    func leftBetween() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            fixture.appleMusic.change { $0.unread = ["i.17"] }
            try await fixture.sync(.appleMusic)
            fixture.appleMusic.change { $0.tracks.removeAll { $0.sourceID == "i.20" } }
            _ = fixture.appleMusic.takeRequests()
            // The first scan has three pages, after which i.12 is removed and another song is added at the end.
            fixture.appleMusic.change(afterRequests: 4) { content in
                content.tracks.removeAll { $0.sourceID == "i.12" }
                content.tracks.append(.sample(30, .appleMusic))
            }
            try await fixture.sync(.appleMusic)
            #expect(fixture.appleMusic.takeRequests().count { $0 == "tracks 0" } == 2)
            #expect(try await fixture.missing() == ["i.20"])
            try await fixture.sync(.appleMusic)
            #expect(try await fixture.missing() == ["i.12", "i.20"])
            #expect(try await !fixture.rows().contains("sighting"))
        }
    }

    @Test("A song after a page with an unreadable entry is not missing")
    func unreadableEntry() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync(.appleMusic)
            fixture.appleMusic.change { content in
                content.unread = ["i.17"]
                content.tracks.removeAll { $0.sourceID == "i.20" }
            }
            _ = fixture.appleMusic.takeRequests()
            // One track is removed and one added after the page with the unreadable entry, the third request (tracks 0,
            // storefront, tracks 4): the next page does not overlap it, and i.19 is hidden between the two.
            fixture.appleMusic.change(afterRequests: 3) { content in
                content.tracks.removeFirst()
                content.tracks.append(.sample(30, .appleMusic))
            }
            try await fixture.sync(.appleMusic)
            #expect(fixture.appleMusic.takeRequests().count { $0 == "tracks 0" } == 2)
            #expect(try await fixture.missing() == ["i.20"])
        }
    }
}
