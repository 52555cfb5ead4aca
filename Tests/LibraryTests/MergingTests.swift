import Model
import TestSupport
import Testing

@testable import Library

@Suite("Merging tracks by ISRC")
struct MergingTests {
    private let isrc = "GBAYE9700001"

    @Test("The survivor has a source track of Apple Music, and what all of them say")
    func survivor() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            var saved = SourceTrack.made("s1", "Airbag - Remastered", isrc: isrc, added: 10)
            saved.genres = ["art rock", "Rock"]
            saved.albumArtist = "Radiohead"
            saved.releaseDate = ReleaseDate("1997")
            saved.artworkURL = "https://spotify.example/1.jpg"
            var song = SourceTrack.made("i.1", isrc: isrc, added: 20)
            song.genres = ["Rock", "Alternative"]
            song.composer = "Thom Yorke"
            song.artworkURL = "https://apple.example/1.jpg"
            // The oldest track is Spotify's.
            try await library.saveApart([saved], .spotify)
            try await library.saveApart([song], .appleMusic)
            let apple = try #require(try await library.tracks().last)

            let merged = try await library.merge()
            #expect(merged == 1)
            let tracks = try await library.tracks()
            let values = try #require(tracks.first).values
            #expect(tracks.map(\.id) == [apple.id])
            #expect(values.title == "Airbag" && values.artworkURL == song.artworkURL)
            #expect(values.genres == ["Rock", "Alternative", "art rock"])
            #expect(values.albumArtist == "Radiohead" && values.composer == "Thom Yorke")
            #expect(values.releaseDate?.text == "1997" && values.addedAt == WrittenLibrary.moment(10))
            try await library.expectSound()

            let rows = try await library.rows()
            let again = try await library.merge()
            #expect(again == 0)
            let after = try await library.rows()
            #expect(after == rows)
        }
    }

    @Test("Without Apple Music the oldest survives, and playlists keep their entries", arguments: [1, 2, 100])
    func playlists(limit: Int) async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            try await library.save([.made("s0", isrc: isrc)], .spotify)
            // The ISRCs come with the playlist's second version.
            for (version, isrc) in [("1", nil), ("2", isrc)] {
                let entries = (0..<5).map { position in
                    SourcePlaylistEntry(
                        position: position, content: .track(.made("s\(position)", "Take \(position)", isrc: isrc)),
                        addedAt: nil)
                }
                var playlist = SourcePlaylist(sourceID: "p", name: "Takes")
                playlist.version = version
                try await library.read(playlist, entries, .spotify)
            }
            let oldest = try #require(try await library.tracks().first)
            let before = try await library.rows()["library_playlist_entries"]
            let merged = try await library.merge(limit: limit)
            #expect(merged == 4)
            let tracks = try await library.tracks()
            #expect(tracks.map(\.id) == [oldest.id])
            #expect(tracks.first?.parts.map(\.track.sourceID) == ["s0", "s1", "s2", "s3", "s4"])
            let after = try await library.rows()["library_playlist_entries"]
            #expect(after == before)
            try await library.expectSound()
        }
    }

    @Test("New tracks join those that they would be merged into, on one page and on several", arguments: [1, 2, 4])
    func joined(pageSize: Int) async throws {
        let other = "GBAYE9700002"
        let songs: [SourceTrack] = [.made("i.1", isrc: isrc, added: 20), .made("i.2", "Let Down", isrc: other)]
        let saved: [SourceTrack] = [
            .made("s1", "Airbag - Remastered", isrc: isrc, added: 10), .made("s2", "Letdown", isrc: other),
            .made("s3", "Letdown - Live", isrc: other), .made("s4", "Lucky", isrc: "GBAYE9700003"),
        ]
        var found: [[Set<String>]] = []
        for joins in [true, false] {
            try await withDatabase { database, _ in
                let library = try await WrittenLibrary.new(in: database)
                var joined = 0
                for (tracks, source) in [(songs, MusicSource.appleMusic), (saved, .spotify)] {
                    for start in stride(from: 0, to: tracks.count, by: pageSize) {
                        let page = Array(tracks[start..<min(start + pageSize, tracks.count)])
                        if joins {
                            joined += try await library.save(page, source).joined
                            let again = try await library.save(page, source)
                            #expect(again == PageEffect(found: page.count))
                        } else {
                            try await library.saveApart(page, source)
                        }
                    }
                }
                #expect(joined == (joins ? 3 : 0))
                let merged = try await library.merge()
                #expect(merged == (joins ? 0 : 3))
                let tracks = try await library.tracks()
                found.append(tracks.map { Set($0.parts.map(\.track.sourceID)) })
                #expect(tracks.first?.values.addedAt == WrittenLibrary.moment(10))
                #expect(tracks.map(\.values.title) == ["Airbag", "Let Down", "Lucky"])
                try await library.expectSound()
            }
        }
        #expect(found == [[["i.1", "s1"], ["i.2", "s2", "s3"], ["s4"]], found[0]])
    }

    @Test("A new track does not join one from which merging would move another apart")
    func apart() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            try await library.save([.made("i.1", isrc: isrc)], .appleMusic)
            try await library.save([.made("s2", isrc: "GBAYE9700002")], .spotify)
            let effect = try await library.save([.made("s1", "Airbag - Remastered", isrc: isrc)], .spotify)
            #expect(effect.joined == 0)
            try await library.merge()
            let parts = try await library.tracks().map { Set($0.parts.map(\.track.sourceID)) }
            #expect(Set(parts) == [["i.1", "s1"], ["s2"]])
            try await library.expectSound()
        }
    }

    @Test("Tracks without an ISRC, and another person's, are not merged")
    func others() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            let other = try await WrittenLibrary.new(in: database, name: "bob")
            try await library.save([.made("1", "One"), .made("2", "Two"), .made("3", "Three", isrc: isrc)], .spotify)
            try await other.save([.made("3", "Drei", isrc: isrc)], .spotify)
            let merged = try await library.merge()
            #expect(merged == 0)
        }
    }

    @Test("A source track that was joined by its names gives way to one of its source with the same ISRC")
    func displaced() async throws {
        for order in [["s1", "s2"], ["s2", "s1"]] {
            try await withDatabase { database, _ in
                let library = try await WrittenLibrary.new(in: database)
                try await library.save([.made("i.1", isrc: isrc)], .appleMusic)
                for id in order {
                    try await library.save([.made(id, isrc: id == "s1" ? isrc : "GBAYE9700002")], .spotify)
                }
                try await library.merge()
                let parts = try await library.tracks().map { Set($0.parts.map(\.track.sourceID)) }
                #expect(Set(parts) == [["i.1", "s1"], ["s2"]], "\(order)")
                try await library.expectSound("\(order)")
                let again = try await library.merge()
                #expect(again == 0)
            }
        }
    }

    @Test(
        "Tracks of one source whose different ISRCs come later are moved apart",
        arguments: [["1"], ["1", "2"], ["2", "1"]])
    func lateISRCs(pages: [String]) async throws {
        let other = "GBAYE9700002"
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            try await library.save([.made("i.1"), .made("i.2")], .appleMusic)
            try await library.save([.made("s1", isrc: isrc)], .spotify)
            let one = try await library.tracks()
            #expect(one.map(\.parts.count) == [3])
            let songs = ["1": SourceTrack.made("i.1", isrc: isrc), "2": .made("i.2", isrc: other)]
            for page in pages.count == 1 ? [["1", "2"]] : pages.map({ [$0] }) {
                let tracks = page.compactMap { songs[$0] }
                try await library.save(tracks, .appleMusic)
                let again = try await library.save(tracks, .appleMusic)
                #expect(again == PageEffect(found: tracks.count))
            }
            let merged = try await library.merge()
            #expect(merged == 0)
            let parts = try await library.tracks().map { Set($0.parts.map(\.track.sourceID)) }
            #expect(Set(parts) == [["i.1", "s1"], ["i.2"]])
            try await library.expectSound()
        }
    }

    @Test("Tracks that have gone or changed since they were found are left out")
    func stale() async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            let tracks = (1...3).map { SourceTrack.made("s\($0)", "Take \($0)", isrc: isrc) }
            try await library.saveApart(tracks, .spotify)
            let groups = try await database.read {
                try $0.library.equalTracks(inLibrary: library.libraryID)
            }
            #expect(groups.map(\.ids.count) == [3])
            try await library.save([.made("s3", "Take 3", isrc: "GBAYE9700002")], .spotify)
            var effects: [MergeEffect] = []
            for _ in 0..<2 {
                effects.append(
                    try await database.write {
                        try $0.library.mergeTracks(
                            groups, ofLibrary: library.libraryID, userID: library.userID, sync: 1,
                            now: WrittenLibrary.moment(1))
                    })
            }
            #expect(effects == [MergeEffect(merged: 1, moved: 1), MergeEffect()])
            let parts = try await library.tracks().map { $0.parts.map(\.track.sourceID) }
            #expect(parts == [["s1", "s2"], ["s3"]])
            try await library.expectSound()
        }
    }

    @Test("A step merges no more than its limit, and parts of a large group")
    func plan() {
        var plan = MergePlan([
            EqualTracks(isrc: "A", ids: [1, 9]), EqualTracks(isrc: "B", ids: [2, 3, 4, 5, 6, 7]),
            EqualTracks(isrc: "C", ids: [8, 10]),
        ])
        var steps: [[[Int64]]] = []
        while !plan.isEmpty { steps.append(plan.next(limit: 2).map(\.ids)) }
        #expect(steps == [[[2, 3, 4]], [[5, 6, 7]], [[1, 9], [8, 10]]])
    }

    @Test("Many tracks are merged in steps, as in one", arguments: [1, 7, 1_000])
    func steps(limit: Int) async throws {
        try await withDatabase { database, _ in
            let library = try await WrittenLibrary.new(in: database)
            let tracks = (0..<90).map { number -> SourceTrack in
                let code = "GBAYE97\(10_000 + number / 3)"
                return .made("s\(number)", "Title \(number)", isrc: code)
            }
            try await library.saveApart(tracks, .spotify)
            let merged = try await library.merge(limit: limit)
            #expect(merged == 60)
            let counts = try await library.tracks().map(\.parts.count)
            #expect(counts == Array(repeating: 3, count: 30))
            try await library.expectSound()
        }
    }
}
