import Model
import Storage
import TestSupport
import Testing
import Timeline

@testable import Releases

@Suite("Albums, releases and news", .timeLimit(.minutes(2)))
struct ReleaseRecordingTests {
    @Test("The first reading makes news only of what is new; what appears later is news")
    func firstAndLaterReadings() async throws {
        try await ReleaseFixture.run { releases in
            let old = [CatalogAlbum.album("1", "Harbor", "2019-05-17"), .album("2", "Signals", "2026-11-20")]
            #expect(try await releases.record(old) == 2)
            #expect(try await releases.titles() == ["Signals"])
            #expect(try await releases.record(old, now: ReleaseFixture.after(days: 1)) == 0)
            #expect(try await releases.titles() == ["Signals"])

            let more = old + [.album("3", "Lanterns", "2026-12-02"), .album("4", "First Demos", "1998")]
            #expect(try await releases.record(more, now: ReleaseFixture.after(days: 2)) == 2)
            #expect(try await releases.titles() == ["Signals", "Lanterns"])
            let news = try await releases.news()
            #expect(news[1].date?.text == "2026-12-02" && news[1].type == .album && news[1].artists == ["Nora Vale"])
            #expect(news[1].firstSeenAt == ReleaseFixture.after(days: 2))
        }
    }

    @Test("Another artist of the name, and the list of another country, begin with a first reading")
    func otherLists() async throws {
        try await ReleaseFixture.run { releases in
            try await releases.record([.album("1", "Harbor", "2019-05-17")])
            // 40 days after the first reading, and 20 before the present.
            let album = CatalogAlbum.album("2", "Signals", "2026-11-10")
            let later = ReleaseFixture.after(days: 1)
            try await releases.record([album, .album("3", "Lanterns", "2026-09-10")], artistID: "other", now: later)
            #expect(try await releases.titles() == ["Signals"])
        }
    }

    @Test("Editions are one release, and a new edition is no news")
    func editions() async throws {
        try await ReleaseFixture.run { releases in
            let first = [
                CatalogAlbum.album("1", "Harbor (Deluxe Edition)", "2026-11-27"), .album("2", "Harbor", "2026-11-27"),
            ]
            #expect(try await releases.record(first) == 1)
            let apple = [
                CatalogAlbum.album("3", "HARBOR", "2026-11-27"), .album("4", "Harbor", "2026-11-27"),
            ]
            #expect(try await releases.record(apple, at: .appleMusic, artistID: "a") == 0)
            let later = first + [.album("5", "Harbor (2027 Remaster)", "2027-11-26")]
            #expect(try await releases.record(later, now: ReleaseFixture.after(days: 361)) == 0)

            let news = try await releases.news()
            #expect(news.count == 1)
            let harbor = try #require(news.first)
            #expect(harbor.title == "Harbor" && harbor.date?.text == "2026-11-27")
            #expect(harbor.editions.map(\.albumID) == ["2", "1", "5", "3", "4"])
            #expect(harbor.editions.map(\.source) == [.spotify, .spotify, .spotify, .appleMusic, .appleMusic])
        }
    }

    @Test("Other takes, other parts, and the single before the album are releases of their own")
    func otherReleases() async throws {
        try await ReleaseFixture.run { releases in
            let albums = [
                CatalogAlbum.album("1", "Harbor", "2026-11-27"), .album("2", "Harbor (Live)", "2026-11-27"),
                .album("3", "Harbor (Acoustic)", "2026-11-27"), .album("4", "Harbor (Remixes)", "2026-11-27"),
                .album("5", "Harbor", "2026-11-06", kind: .single, tracks: 1),
            ]
            #expect(try await releases.record(albums) == 5)
            let types = try await releases.news().map(\.type)
            #expect(types.filter { $0 == .single }.count == 1 && types.filter { $0 == .album }.count == 4)
        }
    }

    @Test("Services draw the line between singles, EPs and albums differently")
    func types() async throws {
        try await ReleaseFixture.run { releases in
            let spotify = [
                CatalogAlbum.album("1", "Lanterns", "2026-11-27", kind: .single, tracks: 1),
                .album("2", "Tides", "2026-11-20", kind: .single, tracks: 5),
                .album("3", "Low Water", "2026-11-13", kind: .album, tracks: 7),
            ]
            try await releases.record(spotify)
            let apple = [
                CatalogAlbum.album("a", "Lanterns - Single", "2026-11-27", kind: .single, tracks: 1),
                .album("b", "Tides - EP", "2026-11-20", kind: .album, tracks: 5),
                .album("c", "Low Water - EP", "2026-11-13", kind: .album, tracks: 7),
            ]
            #expect(try await releases.record(apple, at: .appleMusic, artistID: "a") == 0)
            let news = try await releases.news()
            #expect(news.map(\.title) == ["Lanterns", "Tides", "Low Water"])
            #expect(news.map(\.type) == [.single, .ep, .album])
            #expect(news.allSatisfy { $0.editions.count == 2 })
        }
    }

    @Test("What is announced enters the timeline when it is out, and follows its date until then")
    func announced() async throws {
        try await ReleaseFixture.run { releases in
            try await releases.record([.album("1", "Harbor", "2026-12-04")], at: .appleMusic)
            #expect(try await releases.titles().isEmpty)
            let database = releases.database
            func publish(_ moment: String) async throws -> Int {
                let known = Timestamp(rfc3339: moment)
                let now = try #require(known)
                guard try await database.read({ try $0.releases.isAnyOut(at: now) }) else { return 0 }
                return try await database.write { try $0.releases.publishDue(now: now, limit: 10) }
            }
            #expect(try await publish("2026-12-03T23:59:59Z") == 0)
            try await releases.record(
                [.album("1", "Harbor", "2026-12-11")], at: .appleMusic, now: ReleaseFixture.after(days: 1))
            #expect(try await publish("2026-12-04T00:00:00Z") == 0)
            #expect(try await publish("2026-12-11T00:00:00Z") == 1)
            #expect(try await publish("2026-12-11T00:00:01Z") == 0)
            #expect(try await releases.titles() == ["Harbor"])
            // Its date does not make it an item again.
            try await releases.record(
                [.album("1", "Harbor", "2026-12-18")], at: .appleMusic, now: ReleaseFixture.after(days: 12))
            #expect(try await releases.news().map { $0.date?.text } == ["2026-12-18"])
        }
    }

    @Test("An announced album that moves to the past is out at once")
    func movedForward() async throws {
        try await ReleaseFixture.run { releases in
            try await releases.record([.album("1", "Harbor", "2027-01-15")], at: .appleMusic)
            try await releases.record(
                [.album("1", "Harbor", "2026-12-01")], at: .appleMusic, now: ReleaseFixture.after(days: 2))
            #expect(try await releases.titles() == ["Harbor"])
        }
    }

    @Test("A release of two artists is one item of both")
    func sharedRelease() async throws {
        try await ReleaseFixture.run { releases in
            let both = CatalogAlbum.album("1", "Harbor", "2026-11-27", artists: ["Nora Vale", "Otto Reif"])
            #expect(try await releases.record([both]) == 1)
            let later = ReleaseFixture.after(days: 3)
            #expect(try await releases.record([both], of: .otto, artistID: "o", now: later) == 0)
            let (nora, otto) = (try await releases.news(), try await releases.news(of: .otto))
            #expect(nora == otto && nora.count == 1)
            let places = try await releases.database.read { reader in
                try reader.map("SELECT score, number FROM timeline_items") {
                    "\(try $0["score"] as Int64) \(try $0["number"] as Int64)"
                }
            }
            #expect(places.count == 2 && Set(places).count == 1)
        }
    }

    @Test("An album is gone when two complete lists lack it, two days apart; a partial list says nothing")
    func missingAlbums() async throws {
        try await ReleaseFixture.run { releases in
            let harbor = CatalogAlbum.album("1", "Harbor", "2019-05-17")
            let wrong = CatalogAlbum.album("2", "Somebody Else", "2026-11-27")
            try await releases.record([harbor, wrong])
            try await releases.record([harbor], isComplete: false, now: ReleaseFixture.after(days: 1))
            try await releases.record([harbor], now: ReleaseFixture.after(days: 2))
            try await releases.record([harbor], now: ReleaseFixture.after(days: 3))
            #expect(try await releases.titles() == ["Somebody Else"])
            // It comes back, and its time begins again.
            try await releases.record([harbor, wrong], now: ReleaseFixture.after(days: 4))
            try await releases.record([harbor], now: ReleaseFixture.after(days: 5))
            #expect(try await releases.titles() == ["Somebody Else"])
            try await releases.record([], now: ReleaseFixture.after(days: 8))
            #expect(try await releases.titles() == ["Somebody Else"], "an empty list proves nothing")
            try await releases.record([harbor], now: ReleaseFixture.after(days: 9))
            #expect(try await releases.titles().isEmpty)
            #expect(try await releases.count("releases") == 1)
            #expect(try await releases.count("timeline_gone_items") == 1)
        }
    }

    @Test("A long list is recorded in short parts, and twice as many albums in twice as many")
    func parts() {
        let title = String(repeating: "Harbor and the Lights of ", count: 18)
        for (count, parts) in [(0, 1), (1, 1), (50, 1), (51, 2), (500, 10), (1_000, 20)] {
            var answer = ReleaseAnswer(source: .spotify, country: "", artistID: "n")
            answer.albums = (0..<count).compactMap { ListedAlbum(.album("\($0)", title + "\($0)", "2026-11-20")) }
            let found = answer.parts
            #expect(found.count == parts && found.allSatisfy { $0.entries.count <= 50 })
            #expect(found.flatMap(\.entries).map(\.album.id) == answer.albums.map(\.id))
            #expect(found.flatMap(\.entries).map(\.titleKey) == answer.albums.map(\.titleKey))
            #expect(found.filter(\.isLast).count == 1 && found.last?.isLast == true)
        }
    }

    @Test("A list whose recording was interrupted is a first reading until its last part")
    func interruptedRecording() async throws {
        try await ReleaseFixture.run { releases in
            // Editions are in other parts than their releases, and old albums in all of them.
            let albums = (0..<130).map { number in
                CatalogAlbum.album("\(number)", "Album \(number % 65)", number % 65 < 3 ? "2026-11-20" : "2019-05-17")
            }
            var answer = ReleaseAnswer(source: .spotify, country: "", artistID: "artist")
            answer.albums = albums.compactMap { ListedAlbum($0) }
            answer.isComplete = true
            for part in answer.parts.dropLast() {
                _ = try await releases.database.write {
                    try $0.releases.record(part, of: .nora, now: ReleaseFixture.noon)
                }
            }
            #expect(try await releases.count("release_lists") == 0)
            let later = ReleaseFixture.after(days: 1)
            #expect(try await releases.record(albums, now: later) == 0)
            #expect(try await releases.count("releases") == 65)
            #expect(try await releases.count("release_editions") == 130)
            #expect(try await releases.count("release_lists") == 1)
            #expect(try await releases.titles() == ["Album 0", "Album 1", "Album 2"])
        }
    }

    @Test("A whole list that is gone goes in steps, reading by reading")
    func missingLists() async throws {
        try await ReleaseFixture.run { releases in
            let kept = CatalogAlbum.album("kept", "Harbor", "2019-05-17")
            let gone = (0..<150).map { CatalogAlbum.album("\($0)", "Album \($0)", "2019-05-17") }
            try await releases.record([kept] + gone)
            var left: [Int] = []
            for day in stride(from: 3, to: 15, by: 3) {
                try await releases.record([kept], now: ReleaseFixture.after(days: day))
                left.append(try await releases.count("releases"))
            }
            #expect(left == [151, 51, 51, 1])
        }
    }

    @Test("Artists whom nobody wants are deleted with their releases, but not with those of others")
    func pruning() async throws {
        try await ReleaseFixture.run { releases in
            let both = CatalogAlbum.album("1", "Harbor", "2026-11-27", artists: ["Nora Vale", "Otto Reif"])
            let own = (2..<8).map { CatalogAlbum.album("\($0)", "Album \($0)", "2026-11-27") }
            let database = releases.database
            for (artist, days) in [(WantedArtist.nora, 0), (.otto, 60)] {
                let free = try await database.write {
                    try $0.releases.claim(artist, job: "j", now: ReleaseFixture.after(days: days))
                }
                #expect(free)
            }
            try await releases.record([both] + own)
            try await releases.record([both], of: .otto, artistID: "o")
            let cutoff = PruningTime.unguarded(ReleaseFixture.after(days: 30))
            var steps = 0
            while try await database.write({
                try $0.releases.prune(wantedBefore: cutoff, limit: 3, now: ReleaseFixture.after(days: 100))
            }) > 0 { steps += 1 }
            #expect(steps > 2)
            #expect(try await releases.titles().isEmpty)
            #expect(try await releases.titles(of: .otto) == ["Harbor"])
            #expect(try await releases.count("releases") == 1)
            #expect(try await releases.count("release_editions") == 1)
            #expect(try await releases.count("release_artists") == 1)
            #expect(try await releases.count("release_lists") == 1)
        }
    }

    @Test("What services list is bounded, and what cannot be shown is left out")
    func hostileAlbums() async throws {
        try await ReleaseFixture.run { releases in
            var long = CatalogAlbum.album("1", String(repeating: "x", count: 100_000), "2026-11-27")
            long.artists = (0..<5_000).map { CatalogReference(sourceID: nil, name: "Artist \($0)\0") }
            long.trackCount = .max
            long.url = "javascript:alert(1)"
            long.pictures = [CatalogPicture(address: "https://i.scdn.co/\n1 https://evil.example/", width: nil)]
            let nameless = CatalogAlbum.album("2", " \u{0}\n ", "2026-11-27")
            let idless = CatalogAlbum.album("", "Harbor", "2026-11-27")
            #expect(try await releases.record([long, nameless, idless]) == 1)
            let release = try #require(try await releases.news().first)
            #expect(release.title.unicodeScalars.count == 500 && release.artists.count == 20)
            #expect(release.artists.first == "Artist 0" && release.picture == nil)
            #expect(release.editions.first?.url == nil && release.editions.first?.trackCount == nil)
        }
    }
}
