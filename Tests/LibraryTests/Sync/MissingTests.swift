import Model
import TestSupport
import Testing

@testable import Library
@testable import LibrarySync
@testable import LibraryWriting

@Suite("What has left a source's library")
struct MissingTests {
    @Test("What a whole reading has not seen is marked, and can return without a trace")
    func missingTracksReturn() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let all: [SourceTrack] = (Int64(0)..<8).map { .made("s\($0)", "Title \($0)", added: $0) }
            try await library.readWhole(all, .spotify, at: 1)
            let before = try await library.tracks()
            try await library.readWhole(Array(all.dropFirst(5)), .spotify, at: 2)
            var since = try await library.tracks().map(\.values.missingSince)
            #expect(since == Array(repeating: TestLibrary.moment(2), count: 5) + [nil, nil, nil])
            try await library.expectSound()
            // The moment is still that of the first scan that missed it.
            try await library.readWhole(Array(all.dropFirst(5)), .spotify, at: 3)
            since = try await library.tracks().map(\.values.missingSince)
            #expect(since.first == TestLibrary.moment(2))

            let effect = try await library.save(all, .spotify, at: 4)
            #expect(effect == PageEffect(found: 8, added: 0, changed: 5))
            let after = try await library.tracks()
            #expect(after.map(\.values) == before.map(\.values) && after.map(\.id) == before.map(\.id))
            let changes = try await library.changes()
            #expect(changes.count == 8 + 5 + 5)
            #expect(changes.suffix(5).allSatisfy { $0.hasPrefix("returned track") }, "\(changes)")
            try await library.expectSound()
        }
    }

    @Test("A track is only missing if no source has it saved any more")
    func otherSource() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.readWhole([.made("i.1")], .appleMusic, at: 1)
            try await library.readWhole([.made("s1")], .spotify, at: 1)
            try await library.readWhole([.made("s2", "Let Down")], .spotify, at: 2)
            var since = try await library.tracks().map(\.values.missingSince)
            #expect(since == [nil, nil])
            try await library.readWhole([.made("i.2", "Lucky")], .appleMusic, at: 3)
            since = try await library.tracks().map(\.values.missingSince)
            #expect(since == [TestLibrary.moment(3), nil, nil])
            try await library.expectSound()
        }
    }

    @Test("A reading of another account never marks anything, and tracks that are only in playlists are never marked")
    func scansOfOtherAccounts() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.readWhole([.made("a")], .spotify, account: "first", at: 1)
            let entry = SourcePlaylistEntry(position: 0, content: .track(.made("b", "Let Down")), addedAt: nil)
            try await library.read(SourcePlaylist(sourceID: "p", name: "Mix"), [entry], .spotify, account: "second")
            try await library.readWhole([.made("c", "Lucky")], .spotify, account: "second", at: 2)
            let since = try await library.tracks().map(\.values.missingSince)
            #expect(since == [nil, nil, nil])
        }
    }

    @Test("Pages of a reading that does not see the whole list mark nothing by themselves")
    func partialScans() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save([.made("a"), .made("b", "Let Down")], .spotify)
            try await library.save([.made("a")], .spotify, at: 1)
            let since = try await library.tracks().map(\.values.missingSince)
            #expect(since == [nil, nil])
            let sightings = try await library.rows()["library_sightings"]
            #expect(sightings == [])
        }
    }

    @Test("Playlists and albums are marked and return, too")
    func missingPlaylistsAndAlbums() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let scan = try await library.scan(.appleMusic)
            let albums = [
                SourceAlbum(sourceID: "a", name: "OK Computer", artist: "Radiohead"),
                SourceAlbum(sourceID: "b", name: "Kid A", artist: "Radiohead"),
            ]
            let playlists = [SourcePlaylist(sourceID: "p", name: "Mix"), SourcePlaylist(sourceID: "q", name: "Rest")]
            for (count, second) in [(2, Int64(1)), (1, 2), (2, 3)] {
                let now = TestLibrary.moment(second)
                try await database.write { transaction in
                    let readings = transaction.scans
                    _ = try readings.clearSeen(.albums, by: scan, limit: 100)
                    _ = try readings.clearSeen(.playlists, by: scan, limit: 100)
                    _ = try transaction.albums.storeAlbums(
                        Array(albums.prefix(count)), by: scan, isWhole: true, now: now)
                    _ = try transaction.playlists.storePlaylists(
                        Array(playlists.prefix(count)), by: scan, isWhole: true, now: now)
                    for list in [SourceList.playlists, .albums] {
                        while try readings.markMissing(list, by: scan, limit: 1, now: now) > 0 {}
                    }
                }
            }
            let changes = try await library.changes().suffix(4)
            #expect(
                Array(changes) == [
                    "missing playlist Rest", "missing album Kid A", "returned album Kid A", "returned playlist Rest",
                ])
            try await library.expectSound()
        }
    }
}
