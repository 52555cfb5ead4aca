import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryWriting

@Suite("Dates of tracks that are only in playlists")
struct PlaylistDateTests {
    private typealias Entry = (track: SourceTrack, added: Int64?)

    private func entries(_ entries: [Entry]) -> [SourcePlaylistEntry] {
        entries.enumerated().map { position, entry in
            SourcePlaylistEntry(
                position: position, content: .track(entry.track), addedAt: entry.added.map(TestLibrary.moment))
        }
    }

    private func playlist(_ id: String, added: Int64? = nil) -> SourcePlaylist {
        var playlist = SourcePlaylist(sourceID: id, name: "Mix \(id)")
        playlist.addedAt = added.map(TestLibrary.moment)
        return playlist
    }

    private func released(_ date: String, _ id: String) -> SourceTrack {
        var track = SourceTrack.made(id, "Title \(id)")
        track.releaseDate = ReleaseDate(date)
        return track
    }

    private func midnight(_ date: String) throws -> Timestamp {
        try #require(Timestamp(rfc3339: date + "T00:00:00Z"))
    }

    /// When each track was added, by its title.
    private func addedDates(in library: TestLibrary) async throws -> [String: Timestamp] {
        try await library.tracks().reduce(into: [:]) { $0[$1.values.title] = $1.values.addedAt }
    }

    @Test("The earliest entry counts, no matter in which order playlists are read", arguments: [false, true])
    func earliestEntryCounts(isReversed: Bool) async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let (lucky, airbag) = (SourceTrack.made("s1", "Lucky"), SourceTrack.made("s2", "Airbag"))
            let first = (playlist("p"), entries([(lucky, -50), (airbag, -10), (lucky, -70)]))
            let second = (playlist("q"), entries([(airbag, -30), (lucky, -60), (airbag, nil)]))
            for (playlist, entries) in isReversed ? [second, first] : [first, second] {
                try await library.read(playlist, entries, .spotify, at: 5)
            }
            let dates = try await addedDates(in: library)
            #expect(dates == ["Lucky": TestLibrary.moment(-70), "Airbag": TestLibrary.moment(-30)])
            try await library.expectSound()
        }
    }

    @Test("A date from another playlist is not a change of the track")
    func anotherPlaylistsDate() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let track = SourceTrack.made("s1")
            try await library.read(playlist("p"), entries([(track, -10)]), .spotify)
            let scan = try await library.scan(.spotify)
            let (listed, page) = (playlist("q"), entries([(track, -20)]))
            let effect = try await database.write { transaction in
                let now = TestLibrary.moment(1)
                let due = try transaction.playlists.storePlaylists([listed], by: scan, isWhole: false, now: now)
                    .toRead
                return try transaction.playlists.stageEntries(page, of: due[0].id, by: scan, now: now)
            }
            #expect(effect == PageEffect(found: 1, added: 0, changed: 0))
            let dates = try await addedDates(in: library)
            #expect(dates == ["Airbag": TestLibrary.moment(-20)])
        }
    }

    @Test("Entries without dates have the date of the playlist, of the release, or of the sync")
    func entriesWithoutDates() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.read(
                playlist("p", added: -100), entries([(released("1997-05-21", "a"), nil)]), .appleMusic, at: 5)
            try await library.read(
                playlist("q"),
                entries([
                    (released("1997-05-21", "b"), nil), (released("2007-10", "c"), nil), (released("2016", "d"), nil),
                    (released("2099", "e"), nil), (.made("f", "Title f"), nil),
                ]), .appleMusic, at: 6)
            let dates = try await addedDates(in: library)
            let expected = try [
                "Title a": TestLibrary.moment(-100), "Title b": midnight("1997-05-21"),
                "Title c": midnight("2007-10-01"), "Title d": midnight("2016-01-01"),
                "Title e": TestLibrary.moment(6), "Title f": TestLibrary.moment(6),
            ]
            #expect(dates == expected)
        }
    }

    @Test("A track that is added to a playlist later has the sync's date, and earlier ones keep theirs")
    func trackAddedLater() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let former = released("1997-05-21", "a")
            try await library.read(playlist("p", added: -100), entries([(former, nil)]), .appleMusic, at: 5)
            try await library.read(
                playlist("p", added: -100), entries([(released("2007-10-10", "b"), nil), (former, nil)]),
                .appleMusic, at: 90)
            var dates = try await addedDates(in: library)
            let expected = ["Title a": TestLibrary.moment(-100), "Title b": TestLibrary.moment(90)]
            #expect(dates == expected)
            // A later date from another playlist does not count.
            try await library.read(
                playlist("q", added: 95), entries([(released("2007-10-10", "b"), nil)]), .appleMusic, at: 100)
            dates = try await addedDates(in: library)
            #expect(dates == expected)
            try await library.expectSound()
        }
    }

    @Test("A saved track only has the library's date", arguments: [false, true])
    func savedTrack(isReadFirst: Bool) async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let (dated, undated) = (SourceTrack.made("s1", "Lucky"), SourceTrack.made("s2", "Airbag"))
            func read() async throws {
                try await library.read(playlist("p"), entries([(dated, -90), (undated, -80)]), .spotify, at: 0)
            }
            if isReadFirst { try await read() }
            try await library.save([.made("s1", "Lucky", added: -10), undated], .spotify, at: 0)
            if !isReadFirst { try await read() }
            let dates = try await addedDates(in: library)
            #expect(dates == ["Lucky": TestLibrary.moment(-10), "Airbag": TestLibrary.moment(0)])
            try await library.expectSound()
        }
    }

    @Test("After a first sync, saved songs come before those of playlists")
    func orderAfterAFirstSync() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save([.made("i.1", "Saved", added: -10)], .appleMusic, at: 100)
            try await library.read(
                playlist("p", added: -20), entries([(.made("i.2", "Listed"), nil)]), .appleMusic, at: 101)
            let titles = try await database.read { reader in
                try reader.tracks.page(
                    userID: library.userID, TrackListQuery(sort: .recentlyAdded, limit: 10)
                ).items.map(\.title)
            }
            #expect(titles == ["Saved", "Listed"])
        }
    }
}
