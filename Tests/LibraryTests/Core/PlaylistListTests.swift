import Model
import Storage
import TestSupport
import Testing

@testable import Library
@testable import LibrarySync
@testable import LibraryWriting

@Suite("Lists of playlists and albums", .timeLimit(.minutes(5)))
struct PlaylistListTests {
    private static let names = [
        "Road trip", "ROAD TRIP", "Été", "ete", "夏の歌", "Ёлка", "Chill", "Zzz", "", "100 %",
        String(repeating: "Long ", count: 40) + "needle",
    ]

    private func playlists(_ prefix: String) -> [SourcePlaylist] {
        Self.names.enumerated().map { number, name in
            var playlist = SourcePlaylist(sourceID: "\(prefix)\(number)", name: name)
            playlist.version = "1"
            playlist.entryCount = 0
            return playlist
        }
    }

    /// Saves the same playlists at both sources.
    private func save(_ library: SampleLibrary) async throws {
        for source in MusicSource.services {
            let scan = try await library.scan(source)
            let playlists = playlists(source.rawValue)
            try await library.database.write { transaction in
                _ = try transaction.playlists.storePlaylists(
                    playlists, by: scan, isWhole: false, now: SampleLibrary.began)
            }
        }
    }

    private func page(_ library: SampleLibrary, _ query: NameListQuery) async throws -> LibraryPage<LibraryPlaylist> {
        let userID = library.userID
        return try await library.database.read { try $0.playlists.page(userID: userID, query) }
    }

    @Test(
        "Pages are in the order of folded names, with every filter and search",
        arguments: [nil, MusicSource.appleMusic, .spotify], [nil, "e", "road  TRIP", "needle", "nobody", "ЕЛКА", "歌"])
    func pagesOfPlaylists(source: MusicSource?, text: String?) async throws {
        try await withDatabase { database, _ in
            let library = try await SampleLibrary(database)
            try await save(library)
            let all = try await page(library, NameListQuery(limit: 200)).items
            #expect(all.count == 2 * Self.names.count)
            let keys = all.map { (Array(LibrarySortKey.sortKey($0.name).utf8), $0.id.key) }
            for (one, other) in zip(keys, keys.dropFirst()) {
                #expect(one.0 == other.0 ? one.1 < other.1 : one.0.lexicographicallyPrecedes(other.0))
            }
            let wanted = all.filter { playlist in
                (source == nil || playlist.source == source)
                    && (text.map { SearchText.folded(playlist.name).contains(SearchText.folded($0)) } ?? true)
            }
            let search = text.flatMap { SearchQuery($0) }
            var query = NameListQuery(source: source, search: search, limit: 3)
            var seen: [LibraryPlaylist] = []
            for _ in 0..<100 {
                let answer = try await page(library, query)
                #expect(answer.total == wanted.count)
                seen += answer.items
                guard let cursor = answer.nextCursor else { break }
                let place = try #require(LibraryLists.playlists.cursor(cursor))
                query.start = .after(place)
            }
            #expect(seen == wanted)
            for position in [0, 1, 4, wanted.count, wanted.count + 5] {
                let answer = try await page(
                    library, NameListQuery(source: source, search: search, start: .position(position), limit: 3))
                #expect(answer.items == Array(wanted.dropFirst(position).prefix(3)))
                #expect((answer.nextCursor == nil) == (position + 3 >= wanted.count))
            }
        }
    }

    @Test("Entries keep their positions and kinds, and show the track that they belong to")
    func entriesOfAPlaylist() async throws {
        try await withDatabase { database, _ in
            let library = try await SampleLibrary(database)
            var saved = SourceTrack(sourceID: "t1", title: "Saved", artist: "A", album: "B")
            saved.isrc = "XX0000000001"
            try await library.save([saved], at: .spotify)
            try await save(library)
            let scan = try await library.scan(.spotify)
            let track = saved
            let unsaved = SourceTrack(sourceID: "t2", title: "Only here", artist: "A", album: "")
            let (userID, libraryID) = (library.userID, library.id)
            let entries: [SourcePlaylistEntry] = [
                .init(position: 0, content: .track(track), addedAt: SampleLibrary.began),
                .init(position: 1, content: .local(title: "My file"), addedAt: nil),
                .init(position: 2, content: .episode(title: "Talk"), addedAt: nil),
                .init(position: 3, content: .unavailable(title: nil), addedAt: nil),
                .init(position: 4, content: .track(unsaved), addedAt: nil),
                .init(position: 5, content: .track(track), addedAt: nil),
            ]
            let id: LibraryID = try await database.write { transaction in
                let toRead = try transaction.playlists.playlistsToRead(by: scan, after: 0, limit: 100)
                let playlist = try #require(toRead.first { $0.sourceID == "spotify0" })
                try transaction.playlists.dropStagedEntries(of: playlist.id, library: libraryID)
                _ = try transaction.playlists.stageEntries(
                    entries, of: playlist.id, by: scan, now: SampleLibrary.began)
                _ = try transaction.playlists.showStagedEntries(of: playlist, by: scan, now: SampleLibrary.began)
                return LibraryID(key: playlist.id)
            }
            let pages = try await database.read { reader in
                let playlist = try #require(try reader.playlists.playlist(id, userID: userID))
                let first = try reader.playlists.entries(of: playlist, userID: userID, start: .after(nil), limit: 4)
                let cursor = try #require(first.nextCursor.flatMap { LibraryLists.entries.cursor($0) })
                let rest = try reader.playlists.entries(of: playlist, userID: userID, start: .after(cursor), limit: 4)
                let jump = try reader.playlists.entries(of: playlist, userID: userID, start: .position(4), limit: 1)
                return [first, rest, jump]
            }
            let all = pages[0].items + pages[1].items
            #expect(pages.allSatisfy { $0.total == 6 } && pages[1].nextCursor == nil)
            #expect(all.map(\.position) == Array(0...5))
            #expect(all.map(\.kind) == ["track", "local", "episode", "unavailable", "track", "track"])
            #expect(all.map(\.title) == ["Saved", "My file", "Talk", nil, "Only here", "Saved"])
            #expect(all.map { $0.track?.isInLibrary } == [true, nil, nil, nil, false, true])
            #expect(all[0].track?.id == all[5].track?.id)
            #expect(pages[2].items == [all[4]])
        }
    }

    @Test("An album has the tracks with its name and by its artists, in its order")
    func tracksOfAnAlbum() async throws {
        try await withDatabase { database, _ in
            let library = try await SampleLibrary(database)
            func track(
                _ id: String, _ artist: String, _ album: String, number: Int, albumArtist: String? = nil
            ) -> SourceTrack {
                var track = SourceTrack(sourceID: id, title: "Song \(id)", artist: artist, album: album)
                (track.trackNumber, track.albumArtist) = (number, albumArtist)
                return track
            }
            try await library.save(
                [
                    track("3", "Björk", "Début", number: 3), track("1", "BJORK", "DEBUT", number: 1),
                    track("2", "Björk, Guest", "Début", number: 2),
                    track("4", "Remixer", "Début", number: 4, albumArtist: "Björk"),
                    track("x", "Somebody", "Début", number: 1), track("y", "Björk", "Début Live", number: 1),
                    track("v1", "A", "Hits", number: 1, albumArtist: "Various Artists"),
                    track("v2", "B", "Hits", number: 2), track("v3", "C", "Hits", number: 3, albumArtist: "C"),
                ], at: .appleMusic)
            let scan = try await library.scan(.spotify)
            try await database.write { transaction in
                _ = try transaction.albums.storeAlbums(
                    [
                        SourceAlbum(sourceID: "d", name: "Debut", artist: "Björk"),
                        SourceAlbum(sourceID: "h", name: "Hits", artist: "Various Artists"),
                        SourceAlbum(sourceID: "n", name: "Nothing", artist: "Nobody"),
                    ], by: scan, isWhole: false, now: SampleLibrary.began)
            }
            let userID = library.userID
            let found = try await database.read { reader in
                let albums = try reader.albums.page(userID: userID, NameListQuery(limit: 10)).items
                return try albums.map { album in
                    let first = try reader.albums.tracks(on: album, userID: userID, start: .after(nil), limit: 2)
                    guard let cursor = first.nextCursor.flatMap({ LibraryLists.albumTracks.cursor($0) }) else {
                        return [album.sourceID] + first.items.map(\.title)
                    }
                    let rest = try reader.albums.tracks(on: album, userID: userID, start: .after(cursor), limit: 10)
                    return [album.sourceID] + (first.items + rest.items).map(\.title)
                }
            }
            #expect(
                found == [
                    ["d", "Song 1", "Song 2", "Song 3", "Song 4"], ["h", "Song v1", "Song v2"], ["n"],
                ])
            let search = try #require(SearchQuery("bjork"))
            let byArtist = try await database.read { reader in
                try reader.albums.page(userID: userID, NameListQuery(search: search, limit: 10))
            }
            #expect(byArtist.items.map(\.sourceID) == ["d"] && byArtist.total == 1)
        }
    }

    @Test(
        "Artists of an album are compared as names, whatever is between them",
        arguments: [
            ("A & B", "A, B", nil, true), ("A", "A feat. B", nil, true), ("A", "B", nil, false),
            ("A", "B", "A", true), ("A, B", "A", nil, false), ("Various Artists", "X", nil, true),
            ("Various Artists", "X", "Varios Artistas", true), ("Various Artists", "X", "X", false),
            ("Simon & Garfunkel", "Simon and Garfunkel", nil, true), ("A", "AB", nil, false), ("", "A", nil, true),
        ] as [(String, String, String?, Bool)])
    func artistsOfAnAlbum(album: String, artist: String, albumArtist: String?, isOn: Bool) {
        #expect(AlbumCredit(artist: album).includes(artist: artist, albumArtist: albumArtist) == isOn)
    }

    @Test("Changes since a moment are listed in order, with the track")
    func changesSinceAMoment() async throws {
        try await withDatabase { database, _ in
            let library = try await SampleLibrary(database)
            var random = SeededRandom(seed: 1)
            let later = SampleLibrary.began.advanced(by: .seconds(60))
            try await library.save(SampleSongs.tracks(30, prefix: "a", &random), at: .appleMusic)
            try await library.save(SampleSongs.tracks(12, prefix: "s", &random), at: .spotify, now: later)
            let userID = library.userID
            let (all, recent, rest, after) = try await database.read { reader in
                let all = try reader.libraryChanges.page(userID: userID, ChangeListQuery(limit: 200))
                let recent = try reader.libraryChanges.page(userID: userID, ChangeListQuery(since: later, limit: 5))
                let cursor = try #require(recent.nextCursor.flatMap { LibraryLists.changes.cursor($0) })
                let rest = try reader.libraryChanges.page(
                    userID: userID, ChangeListQuery(since: later, start: .after(cursor), limit: 50))
                let after = try reader.libraryChanges.page(
                    userID: userID, ChangeListQuery(since: later.advanced(by: .seconds(1)), limit: 5))
                return (all, recent, rest, after)
            }
            #expect(all.total == 42 && recent.total == 12 && after.total == 0 && after.items.isEmpty)
            #expect(recent.items + rest.items == Array(all.items.suffix(12)))
            #expect(all.items.allSatisfy { $0.kind == "added" && $0.item == "track" })
            let tracks = Set(try await library.expected().map(\.id))
            #expect(Set(all.items.map(\.itemID.key)) == tracks)
        }
    }

    @Test("Changes of one kind or one track are listed from either end")
    func someChanges() async throws {
        try await withDatabase { database, _ in
            let library = try await SampleLibrary(database)
            var random = SeededRandom(seed: 2)
            var tracks = SampleSongs.tracks(9, prefix: "a", &random)
            try await library.save(tracks, at: .appleMusic)
            for number in 0..<4 { tracks[number].title += " (live)" }
            try await library.save(tracks, at: .appleMusic, now: SampleLibrary.began.advanced(by: .seconds(60)))
            let userID = library.userID
            let changes = { (query: ChangeListQuery) in
                try await database.read { try $0.libraryChanges.page(userID: userID, query) }
            }
            let all = try await changes(.init(limit: 200)).items
            #expect(try await changes(.init(order: .latest, limit: 200)).items == all.reversed())
            let changed = try await changes(.init(kind: .changed, limit: 3))
            #expect(changed.total == 4 && changed.items == Array(all.filter { $0.kind == "changed" }.prefix(3)))
            let page = try await changes(.init(kind: .added, order: .latest, limit: 4))
            let cursor = try #require(page.nextCursor.flatMap { LibraryLists.latestChanges.cursor($0) })
            let rest = try await changes(.init(kind: .added, order: .latest, start: .after(cursor), limit: 9))
            #expect(page.items + rest.items == all.filter { $0.kind == "added" }.reversed())
            let track = all[0].itemID
            let ofTrack = try await changes(.init(track: track, limit: 9))
            #expect(ofTrack.items == all.filter { $0.itemID == track } && !ofTrack.items.isEmpty)
            #expect(try await changes(.init(track: LibraryID(key: 1), limit: 9)).total == 0)
        }
    }

    @Test("The total of a list of changes is that of the library's current state, no matter what was counted before")
    func totalOfChanges() async throws {
        try await withDatabase { database, _ in
            let library = try await SampleLibrary(database)
            let (userID, id, cache) = (library.userID, library.id, LibraryListCache())
            var random = SeededRandom(seed: 3)
            func total(_ query: ChangeListQuery = .init(limit: 1)) async throws -> Int {
                try await database.read { try $0.libraryChanges.page(userID: userID, query, cache: cache).total }
            }
            let later = SampleLibrary.began.advanced(by: .seconds(60))
            try await library.save(SampleSongs.tracks(7, prefix: "a", &random), at: .appleMusic)
            #expect(try await total() == 7)
            try await library.save(SampleSongs.tracks(5, prefix: "s", &random), at: .spotify, now: later)
            for _ in 0..<2 {
                #expect(try await total() == 12)
                #expect(try await total(.init(since: later, limit: 1)) == 5)
                #expect(try await total(.init(kind: .changed, limit: 1)) == 0)
            }
            let pruned = try await database.write {
                try $0.libraryChanges.pruneHistory(ofLibrary: id, before: .unguarded(later), limit: 100)
            }
            #expect(pruned == 7)
            #expect(try await total() == 5)
        }
    }
}
