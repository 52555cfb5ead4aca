import Model
import Storage
import TestSupport
import Testing

@testable import LibrarySync

@Suite("A sync of libraries", .timeLimit(.minutes(5)))
struct LibrarySyncTests {
    @Test("The second sync of an unchanged library takes three requests per source")
    func unchangedLibrary() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            let first = try await fixture.sync()
            #expect(first.state == "complete" && first.sources.map(\.source) == [.appleMusic, .spotify])
            #expect(first.sources.map(\.new).allSatisfy { $0 >= 12 })
            let before = try await fixture.rows()
            #expect(
                fixture.spotify.takeRequests() == [
                    "tracks 0", "tracks 5", "tracks 10", "playlists 0", "entries p1 0", "entries p1 5", "albums 0",
                ])
            #expect(fixture.appleMusic.takeRequests().first == "storefront")
            let second = try await fixture.sync()
            #expect(second.state == "complete")
            #expect(fixture.spotify.takeRequests() == ["tracks 0", "playlists 0", "albums 0"])
            #expect(fixture.appleMusic.takeRequests() == ["tracks 0", "playlists 0", "albums 0"])
            #expect(try await fixture.rows() == before)
            for source in second.sources {
                #expect(source.state == "complete" && source.new == 0 && source.found == source.total)
            }
        }
    }

    @Test("Only new tracks at the top are read, and replacing one track by another is noticed")
    func newTracksAtTheTop() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync(.spotify)
            _ = fixture.spotify.takeRequests()
            fixture.spotify.change { content in
                content.tracks.insert(contentsOf: [102, 101].map { .sample($0, .spotify) }, at: 0)
            }
            try await fixture.sync(.spotify)
            #expect(fixture.spotify.takeRequests() == ["tracks 0", "playlists 0", "albums 0"])
            #expect(try await fixture.missing().isEmpty)

            fixture.spotify.change { content in
                content.tracks.removeAll { $0.sourceID == "s3" }
                content.tracks.insert(.sample(103, .spotify), at: 0)
            }
            try await fixture.sync(.spotify)
            // Pages of a whole scan overlap by one entry.
            #expect(
                fixture.spotify.takeRequests().filter { $0.hasPrefix("tracks") } == [
                    "tracks 0", "tracks 4", "tracks 8", "tracks 12",
                ])
            #expect(try await fixture.missing() == ["s3"])

            // There are more new tracks than fit on a page.
            fixture.spotify.change { content in
                content.tracks.insert(contentsOf: (200..<207).reversed().map { .sample($0, .spotify) }, at: 0)
            }
            try await fixture.sync(.spotify)
            #expect(fixture.spotify.takeRequests().filter { $0.hasPrefix("tracks") } == ["tracks 0", "tracks 5"])
            // A track that returns is no longer marked as missing.
            fixture.spotify.change { $0.tracks.insert(.sample(3, .spotify, savedAt: 900), at: 0) }
            try await fixture.sync(.spotify)
            #expect(try await fixture.missing().isEmpty)
        }
    }

    @Test("Items count once in the progress, even if a reading of new items becomes one of all")
    func countsOfProgress() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync(.spotify)
            fixture.spotify.change { content in
                content.tracks.removeAll { $0.sourceID == "s2" }
                content.tracks.insert(contentsOf: (101...107).reversed().map { .sample($0, .spotify) }, at: 0)
            }
            _ = fixture.spotify.takeRequests()
            let view = try await fixture.sync(.spotify)
            #expect(fixture.spotify.takeRequests().prefix(3) == ["tracks 0", "tracks 5", "tracks 0"])
            // 18 tracks, a playlist and three albums.
            #expect(view.sources[0].total == 22 && view.sources[0].found == 22 && view.sources[0].new == 7)
            #expect(try await fixture.missing() == ["s2"])
        }
    }

    @Test("Apple Music's library is read whole when its first page or total has changed")
    func byName() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync(.appleMusic)
            _ = fixture.appleMusic.takeRequests()
            fixture.appleMusic.change { $0.tracks.removeLast() }
            try await fixture.sync(.appleMusic)
            #expect(fixture.appleMusic.takeRequests().count { $0.hasPrefix("tracks") } > 1)
            #expect(try await fixture.missing() == ["i.22"])
        }
    }

    @Test("Empty and truncated answers mark nothing, and the next sync reads the list again", arguments: [0, 4, 8])
    func truncatedAnswers(at end: Int) async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync()
            fixture.spotify.change { content in
                content.breaksOffAt = end
                content.tracks.insert(.sample(300, .spotify), at: 0)
                content.tracks.removeAll { $0.sourceID == "s1" || $0.sourceID == "s2" }
            }
            let cut = try await fixture.sync(.spotify)
            #expect(cut.state == "complete")
            #expect(try await fixture.missing().isEmpty)
            fixture.spotify.change { $0.breaksOffAt = nil }
            try await fixture.sync(.spotify)
            #expect(try await fixture.missing() == ["s1", "s2"])
        }
    }

    @Test("An empty library marks nothing")
    func emptyLibrary() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync()
            let rows = try await fixture.rows()
            for library in [fixture.spotify, fixture.appleMusic] {
                library.change { content in
                    (content.tracks, content.playlists, content.albums) = ([], [], [])
                }
            }
            try await fixture.sync()
            #expect(try await fixture.rows() == rows)
        }
    }

    @Test("Entries that the total counts but no page contains are not a truncation if there are as many as before")
    func hiddenEntries() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            for library in [fixture.spotify, fixture.appleMusic] { library.change { $0.hidden = 2 } }
            try await fixture.sync()
            _ = fixture.appleMusic.takeRequests()
            try await fixture.sync()
            #expect(fixture.appleMusic.takeRequests() == ["tracks 0", "playlists 0", "albums 0"])
            fixture.appleMusic.change { $0.tracks.removeFirst() }
            fixture.spotify.change { $0.tracks.removeLast() }
            try await fixture.sync()
            #expect(try await fixture.missing() == ["i.10", "s1"])
        }
    }

    @Test("A song of which a page only contains the id is not missing")
    func songsWithoutDetails() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync(.appleMusic)
            fixture.appleMusic.change { content in
                content.unread = ["i.12"]
                content.tracks.removeAll { $0.sourceID == "i.20" }
            }
            try await fixture.sync(.appleMusic)
            #expect(try await fixture.missing() == ["i.20"])
        }
    }

    @Test("A library that changes while it is paged marks nothing", arguments: MusicSource.services)
    func changingLibrary(_ source: MusicSource) async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync()
            let library = source == .spotify ? fixture.spotify : fixture.appleMusic
            _ = library.takeRequests()
            // This makes the list due to be read whole.
            library.change { $0.tracks.removeAll { ["s5", "i.15"].contains($0.sourceID) } }
            // A track on the page that was read is removed, and one is added where nothing was read yet, so the total
            // is unchanged.
            library.change(afterRequests: source == .appleMusic ? 3 : 1) { content in
                content.tracks.removeFirst()
                let new = SourceTrack.sample(500, source)
                if source == .appleMusic { content.tracks.append(new) } else { content.tracks.insert(new, at: 0) }
            }
            try await fixture.sync(source)
            // Spotify's list begins with the newest, so nothing was hidden between its pages.
            #expect(try await fixture.missing() == (source == .spotify ? ["s5"] : []))
            try await fixture.sync(source)
            #expect(Set(try await fixture.missing()) == (source == .spotify ? ["s12", "s5"] : ["i.10", "i.15"]))
        }
    }

    @Test("A playlist with an unchanged version is not read again; a forbidden one keeps its entries")
    func unchangedPlaylists() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            try await fixture.sync(.spotify)
            _ = fixture.spotify.takeRequests()
            fixture.spotify.change { content in
                content.playlists[0].version = "v2"
                content.entries["p1"]?.removeLast()
            }
            try await fixture.sync(.spotify)
            #expect(fixture.spotify.takeRequests().count { $0.hasPrefix("entries") } == 2)
            let rows = try await fixture.rows()
            #expect(rows.count { $0.hasPrefix("entry p1") } == 6)
            fixture.spotify.change { content in
                content.playlists[0].version = "v3"
                content.forbidden = ["p1"]
            }
            try await fixture.sync(.spotify)
            #expect(try await fixture.rows().filter { $0.hasPrefix("entry") } == rows.filter { $0.hasPrefix("entry") })
        }
    }

    @Test("A playlist whose answer has fewer entries than it counts is read until two answers are equal")
    func shortEntries() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            fixture.spotify.change { $0.entries["p1"]?.removeLast(3) }
            try await fixture.sync(.spotify)
            let whole = try await fixture.rows().filter { $0.hasPrefix("entry") }
            #expect(whole.count == 4)
            func read(_ end: Int?, version: String) async throws -> (isRead: Bool, entries: [String]) {
                fixture.spotify.change { content in
                    content.playlists[0].version = version
                    content.entriesBreakOffAt = end
                }
                _ = fixture.spotify.takeRequests()
                try await fixture.sync(.spotify)
                let isRead = fixture.spotify.takeRequests().contains("entries p1 0")
                return (isRead, try await fixture.rows().filter { $0.hasPrefix("entry") })
            }
            // An empty answer changes nothing.
            var answer = try await read(0, version: "v2")
            #expect(answer.isRead && answer.entries == whole)
            answer = try await read(nil, version: "v2")
            #expect(answer.isRead && answer.entries == whole)
            // A truncated answer is corrected by the next sync.
            answer = try await read(3, version: "v3")
            #expect(answer.isRead && answer.entries.count == 3)
            answer = try await read(nil, version: "v3")
            #expect(answer.isRead && answer.entries == whole)
            // Entries that the service never shows cost one additional scan.
            for isRead in [true, true, false] {
                answer = try await read(3, version: "v4")
                #expect(answer.isRead == isRead && answer.entries.count == 3)
            }
        }
    }

    @Test("A fetched page is not requested again if the worker dies while it is written", arguments: 1...30)
    func keptPage(checkpoint: Int) async throws {
        try await SyncFixture.run { fixture in
            fixture.fill(tracks: 23)
            try await fixture.sync(deaths: [checkpoint: .beforeCommit])
            for library in [fixture.spotify, fixture.appleMusic] {
                let requests = library.takeRequests().filter { $0.hasPrefix("tracks") }
                let repeated = requests.count - Set(requests).count
                #expect(repeated <= 1, "\(requests)")
            }
            #expect(try await !fixture.rows().contains("fetched page"))
        }
    }

    @Test("A sync that is killed at any checkpoint ends with the same rows, and fetches few pages again")
    func killedSync() async throws {
        let seed = UInt64.random(in: 0...(.max - 1))
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        for _ in 0..<6 {
            var deaths: [Int: SyncFixture.Death] = [:]
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                deaths[Int.random(in: 1...60, using: &random)] =
                    Bool.random(using: &random) ? .beforeCommit : .afterCommit
            }
            let tracks = Int.random(in: 1...30, using: &random)
            let removed = Int.random(in: 0..<tracks, using: &random)
            var results: [[String]] = []
            var requests: [Int] = []
            for plan in [[:], deaths] {
                try await SyncFixture.run { fixture in
                    fixture.fill(tracks: tracks)
                    try await fixture.sync(deaths: plan)
                    fixture.spotify.change { $0.tracks.remove(at: removed) }
                    fixture.appleMusic.change { $0.tracks.append(.sample(900, .appleMusic)) }
                    try await fixture.sync(deaths: plan)
                    results.append(try await fixture.rows())
                    requests.append(
                        (fixture.spotify.takeRequests() + fixture.appleMusic.takeRequests()).count {
                            $0 != "storefront"
                        })
                }
            }
            #expect(results[0] == results[1], "deaths \(deaths), \(tracks) tracks, \(removed) removed")
            // There are two syncs, each killed the same number of times, with one wasted page per death.
            #expect(requests[1] <= requests[0] + deaths.count * 2)
        }
    }
}
