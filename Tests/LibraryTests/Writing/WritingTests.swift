import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryWriting

@Suite("Writing pages of tracks")
struct WritingTests {
    @Test("A page that is applied twice changes nothing the second time")
    func pageWrittenTwice() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let page: [SourceTrack] = [
                .made("a", isrc: "GBAYE9700001", added: 10), .made("b", "Let Down", added: 20), .made("a"),
            ]
            let first = try await library.save(page, .spotify, isWhole: true)
            #expect(first == PageEffect(found: 3, added: 2, changed: 0))
            let rows = try await library.rows()
            let second = try await library.save(page, .spotify, isWhole: true, at: 9)
            #expect(second == PageEffect(found: 3, added: 0, changed: 0))
            let after = try await library.rows()
            #expect(after == rows)
            try await library.expectSound()
        }
    }

    @Test("A Spotify track matches Apple Music's by folded title, artist and album, whatever its ISRC")
    func matchByNames() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            var song = SourceTrack.made(
                "i.1", "Hoppípolla", by: "Sigur Rós", on: "Takk...", isrc: "GBAYE0500001", added: 20)
            song.genres = ["Alternative"]
            song.composer = "Jónsi"
            song.artworkURL = "https://apple.example/{w}x{h}.jpg"
            try await library.save([song], .appleMusic)
            var saved = SourceTrack.made(
                "s1", "HOPPIPOLLA", by: "sigur ros", on: "Takk...", isrc: "GBAYE0599999", added: 10)
            saved.artworkURL = "https://spotify.example/1.jpg"
            saved.durationMs = 268_000
            let effect = try await library.save([saved], .spotify)
            #expect(effect.added == 1)

            let tracks = try await library.tracks()
            let track = try #require(tracks.first)
            #expect(tracks.count == 1 && track.parts.map(\.source) == [.appleMusic, .spotify])
            // Apple Music's values take precedence; missing ones are Spotify's; the earlier date counts.
            #expect(track.values.title == "Hoppípolla" && track.values.isrc == "GBAYE0500001")
            #expect(track.values.genres == ["Alternative"] && track.values.composer == "Jónsi")
            #expect(track.values.artworkURL == song.artworkURL && track.values.durationMs == 268_000)
            #expect(track.values.addedAt == TestLibrary.moment(10) && track.values.sources == 3)
            try await library.expectSound()
        }
    }

    @Test("Names that differ beyond the end of their keys, or in one of three, are different tracks")
    func similarNames() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let long = String(repeating: "Intro ", count: 30)
            let names = [long + "A", long + "B", "Intro"].flatMap { title in
                ["Pixies", "Wire"].flatMap { artist in ["One", "Two"].map { (title, artist, $0) } }
            }
            func page(_ prefix: String, _ names: [(String, String, String)]) -> [SourceTrack] {
                names.enumerated().map { .made("\(prefix)\($0)", $1.0, by: $1.1, on: $1.2) }
            }
            try await library.save(page("i.", names), .appleMusic)
            // Each artist and each album of a page goes with each title in the statement that finds tracks.
            try await library.save(page("s", names.filter { $0.1 == "Wire" || $0.2 == "One" }), .spotify)
            let tracks = try await library.tracks()
            #expect(tracks.count == 12)
            #expect(tracks.count { $0.values.sources == 3 } == 9)
            for track in tracks {
                #expect(Set(track.parts.map { [$0.track.title, $0.track.artist, $0.track.album] }).count == 1)
            }
            try await library.expectSound()
        }
    }

    @Test("Within one source, different ISRCs are different tracks; a missing one is not different")
    func differentISRCs() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save(
                [.made("1", isrc: "GBAYE9700001"), .made("2", isrc: "GBAYE9700002"), .made("3")], .spotify)
            let parts = try await library.tracks().map { $0.parts.map(\.track.sourceID) }
            #expect(parts == [["1", "3"], ["2"]])
        }
    }

    @Test("Tracks without a title are not merged because of their names")
    func tracksWithoutATitle() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save(
                [.made("s1", ""), .made("s2", ""), .made("s3", "", by: "", on: "", isrc: "GBAYE9700001")], .spotify)
            try await library.save([.made("i.1", ""), .made("i.2", "", isrc: "GBAYE9700001")], .appleMusic)
            let parts = try await library.tracks().map { $0.parts.map(\.track.sourceID) }
            #expect(parts == [["s1"], ["s2"], ["s3", "i.2"], ["i.1"]])
            try await library.expectSound()
        }
    }

    @Test("ISRCs lose hyphens and become upper case; invalid ones are left out")
    func normalizedISRCs() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save(
                [.made("1", isrc: "gb-aye-97-00001"), .made("2", "Let Down", isrc: "unknown")], .spotify)
            let isrcs = try await library.tracks().map(\.values.isrc)
            #expect(isrcs == ["GBAYE9700001", nil])
        }
    }

    @Test("A track follows a new title of its first source, but not one of the other")
    func renamedTrack() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save([.made("i.1")], .appleMusic)
            try await library.save([.made("s1")], .spotify)
            let other = try await library.save([.made("s1", "Airbag - Remastered")], .spotify, at: 1)
            #expect(other.changed == 1)
            var titles = try await library.tracks().map(\.values.title)
            #expect(titles == ["Airbag"])
            // The title is the same by the identity rules; a different one would separate the two.
            try await library.save([.made("i.1", "AIRBAG")], .appleMusic, at: 2)
            titles = try await library.tracks().map(\.values.title)
            #expect(titles == ["AIRBAG"])
            let changes = try await library.changes()
            #expect(changes.suffix(2) == ["changed track Airbag - Remastered", "changed track AIRBAG"])
            try await library.expectSound()
        }
    }

    @Test("Fields that an answer leaves out are kept")
    func omittedFields() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            var full = SourceTrack.made("i.1", isrc: "GBAYE9700001", added: 3)
            full.genres = ["Rock"]
            full.composer = "Thom Yorke"
            full.albumArtist = "Radiohead"
            full.releaseDate = ReleaseDate("1997-05-21")
            full.popularity = 40
            try await library.save([full], .appleMusic)
            let effect = try await library.save([.made("i.1")], .appleMusic, at: 1)
            #expect(effect.changed == 0)
            let track = try #require(try await library.tracks().first)
            #expect(track.parts.map(\.track) == [full])
            #expect(track.values.genres == ["Rock"] && track.values.releaseDate?.text == "1997-05-21")
        }
    }

    @Test("A change of popularity is written, but not added to the change log")
    func changedPopularity() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save([.made("s1")], .spotify)
            var popular = SourceTrack.made("s1")
            popular.popularity = 77
            let effect = try await library.save([popular], .spotify, at: 1)
            #expect(effect.changed == 1)
            let changes = try await library.changes()
            #expect(changes == ["added track Airbag"])
        }
    }

    @Test("A track of a playlist that is saved later counts as added")
    func savedLater() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let entry = SourcePlaylistEntry(position: 0, content: .track(.made("s1")), addedAt: nil)
            try await library.read(SourcePlaylist(sourceID: "p", name: "Mix"), [entry], .spotify)
            var isSaved = try await library.tracks().map(\.values.isSaved)
            #expect(isSaved == [false])
            let effect = try await library.save([.made("s1", added: 50)], .spotify, at: 2)
            #expect(effect == PageEffect(found: 1, added: 1, changed: 0))
            isSaved = try await library.tracks().map(\.values.isSaved)
            #expect(isSaved == [true])
            let added = try await library.tracks().map(\.values.addedAt)
            #expect(added == [TestLibrary.moment(50)])
            let changes = try await library.changes()
            #expect(changes == ["added playlist Mix", "added track Airbag"])
            try await library.expectSound()
        }
    }

    @Test("A reading of a source that was disconnected in the meantime writes nothing")
    func disconnectedSource() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let scan = try await library.scan(.spotify)
            try await library.remove(.spotify)
            await #expect(throws: LibraryError.scanEnded) {
                try await database.write {
                    try $0.tracks.storeSavedTracks(
                        [SourceTrack.made("s1")], by: scan, isWhole: false, now: TestLibrary.moment(7))
                }
            }
            let tracks = try await library.tracks()
            #expect(tracks.isEmpty)
        }
    }

    @Test("Keys increase with each call across all libraries, even if the clock is set back")
    func increasingKeys() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save([.made("a")], .spotify, at: 100)
            let other = try await TestLibrary.new(in: database, name: "bob")
            try await other.save([.made("a")], .spotify, at: -100)
            let (mine, theirs) = (try await library.tracks(), try await other.tracks())
            #expect(mine.count == 1 && theirs.count == 1)
            #expect(mine[0].id < theirs[0].id)
        }
    }
}
