import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryWriting

@Suite("Which source tracks are one track")
struct GroupingTests {
    private let isrc = "GBAYE9700001"
    private let length = 284_000

    @Test("A track combines the values of its source tracks, with Apple Music's taking precedence")
    func valuesOfATrack() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            var saved = SourceTrack.made("s1", "Airbag - Remastered", isrc: isrc, ms: length, added: 10)
            saved.genres = ["art rock", "Rock"]
            saved.albumArtist = "Radiohead"
            saved.releaseDate = ReleaseDate("1997")
            saved.artworkURL = "https://spotify.example/1.jpg"
            var song = SourceTrack.made("i.1", isrc: isrc, ms: length, added: 20)
            song.genres = ["Rock", "Alternative"]
            song.composer = "Thom Yorke"
            song.artworkURL = "https://apple.example/1.jpg"
            try await library.save([saved], .spotify)
            let effect = try await library.save([song], .appleMusic)
            #expect(effect.joined == 1)
            let tracks = try await library.tracks()
            let values = try #require(tracks.first).values
            #expect(tracks.count == 1 && values.title == "Airbag" && values.artworkURL == song.artworkURL)
            #expect(values.genres == ["Rock", "Alternative", "art rock"])
            #expect(values.albumArtist == "Radiohead" && values.composer == "Thom Yorke")
            #expect(values.releaseDate?.text == "1997" && values.addedAt == TestLibrary.moment(10))
            try await library.expectSound()
        }
    }

    @Test("A live take and a remix are different songs, even with an equal ISRC")
    func liveTakesAndRemixes() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save([.made("i.1", isrc: isrc, ms: length)], .appleMusic)
            try await library.save(
                [
                    .made("s1", "Airbag (Live)", isrc: isrc, ms: length), .made("s2", isrc: isrc, ms: length + 900),
                    .made("s3", "Airbag (Someone Remix)", ms: length),
                ], .spotify)
            #expect(try await library.songs() == [["i.1", "s2"], ["s1"], ["s3"]])
            try await library.expectSound()
        }
    }

    @Test("A song without an ISRC is joined by names and duration, whatever its album", arguments: [900, 60_000])
    func durationsWithoutAnISRC(difference: Int) async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save([.made("i.1", ms: length)], .appleMusic)
            try await library.save([.made("s1", on: "The Best Of", ms: length + difference)], .spotify)
            #expect(try await library.songs().count == (difference < 2_500 ? 1 : 2))
            try await library.expectSound()
        }
    }

    @Test("Within one source, equal names with different ISRCs are two tracks; across sources one is joined")
    func oneSource() async throws {
        for order in [["s1", "s2"], ["s2", "s1"]] {
            try await withDatabase { database, _ in
                let library = try await TestLibrary.new(in: database)
                try await library.save([.made("i.1", isrc: isrc)], .appleMusic)
                for id in order {
                    try await library.save([.made(id, isrc: id == "s1" ? isrc : "GBAYE9700002")], .spotify)
                }
                #expect(try await library.songs() == [["i.1", "s1"], ["s2"]], "\(order)")
                try await library.expectSound("\(order)")
            }
        }
    }

    @Test("Tracks whose different ISRCs arrive later are separated", arguments: [["1"], ["1", "2"], ["2", "1"]])
    func lateISRCs(pages: [String]) async throws {
        let other = "GBAYE9700002"
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save([.made("i.1"), .made("i.2")], .appleMusic)
            try await library.save([.made("s1", isrc: isrc)], .spotify)
            let one = try await library.songs()
            #expect(one == [["i.1", "i.2", "s1"]])
            let songs = ["1": SourceTrack.made("i.1", isrc: isrc), "2": .made("i.2", isrc: other)]
            for page in pages.count == 1 ? [["1", "2"]] : pages.map({ [$0] }) {
                let tracks = page.compactMap { songs[$0] }
                try await library.save(tracks, .appleMusic)
                let again = try await library.save(tracks, .appleMusic)
                #expect(again == PageEffect(found: tracks.count))
            }
            #expect(try await library.songs() == [["i.1", "s1"], ["i.2"]])
            try await library.expectSound()
        }
    }

    @Test("A new title separates and joins, and the id stays with Apple Music's source track")
    func renamedTrack() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save([.made("i.1", ms: length)], .appleMusic)
            try await library.save([.made("s1", ms: length)], .spotify)
            let id = try await library.track(of: "i.1")
            try await library.save([.made("s1", "Airbag (Live)", ms: length)], .spotify)
            #expect(try await library.songs() == [["i.1"], ["s1"]])
            let left = try await library.track(of: "s1")
            #expect(try await library.track(of: "i.1") == id)
            try await library.save([.made("s1", ms: length)], .spotify)
            #expect(try await library.songs() == [["i.1", "s1"]])
            // The id of the merged track resolves to its survivor.
            #expect(try await library.track(of: "s1") == id)
            let survivor = try await database.read { try $0.trackIdentity.survivor(of: left, userID: library.userID) }
            #expect(survivor == id)
            try await library.save([.made("s1", "Airbag (Live)", ms: length)], .spotify)
            // It gets its own id back.
            #expect(try await library.track(of: "s1") == left)
            try await library.expectSound()
        }
    }

    @Test("Playlists keep their entries when tracks are joined and separated")
    func playlistsOfJoinedTracks() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let entries = (0..<5).map { position in
                SourcePlaylistEntry(
                    position: position, content: .track(.made("s\(position)", on: "Album \(position)")), addedAt: nil)
            }
            try await library.read(SourcePlaylist(sourceID: "p", name: "Takes"), entries, .spotify)
            let apart = try await library.songs()
            #expect(apart.count == 5)
            let before = try await library.rows()["library_playlist_entries"]
            try await library.save((0..<5).map { .made("s\($0)", on: "Album \($0)", isrc: isrc) }, .spotify)
            #expect(try await library.songs() == [["s0", "s1", "s2", "s3", "s4"]])
            let after = try await library.rows()["library_playlist_entries"]
            #expect(after == before)
            try await library.expectSound()
        }
    }

    @Test("When a source track that linked others is removed with its source, they are separated")
    func removedLink() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            // Two have equal ISRCs at one source, and one of the other source matches both by name and album.
            try await library.save([.made("i.1", ms: length)], .appleMusic)
            try await library.save([.made("s1", ms: length), .made("s2", on: "The Best Of", ms: length)], .spotify)
            try await library.remove(.appleMusic)
            try await library.expectSound()
        }
    }

    @Test("Songs without an ISRC in common, and songs of other users, are not joined")
    func unrelatedSongs() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let other = try await TestLibrary.new(in: database, name: "bob")
            try await library.save([.made("1", "One"), .made("2", "Two"), .made("3", "Three", isrc: isrc)], .spotify)
            try await other.save([.made("3", "Three", isrc: isrc)], .spotify)
            #expect(try await library.songs().count == 3)
            let theirs = try await other.songs()
            #expect(theirs == [["3"]])
        }
    }
}
