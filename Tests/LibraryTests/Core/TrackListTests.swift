import Model
import Storage
import TestSupport
import Testing

@testable import Library
@testable import LibraryWriting

@Suite("The list of tracks", .timeLimit(.minutes(10)))
struct TrackListTests {
    /// Creates a library in which many tracks are at both sources.
    private func fill(_ library: SampleLibrary, _ count: Int, seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let apple = SampleSongs.tracks(count, prefix: "a", &random)
        var spotify = SampleSongs.tracks(count, prefix: "s", &random)
        for index in spotify.indices where Int.random(in: 0..<5, using: &random) < 3 {
            let same = apple[Int.random(in: 0..<apple.count, using: &random)]
            (spotify[index].title, spotify[index].artist, spotify[index].album) = (same.title, same.artist, same.album)
        }
        try await library.save(apple, at: .appleMusic)
        try await library.save(spotify, at: .spotify, now: SampleLibrary.began.advanced(by: .seconds(3_600)))
    }

    /// The ids of all pages, following their cursors.
    private func walk(_ library: SampleLibrary, _ query: TrackListQuery) async throws -> [Int64] {
        var query = query
        var ids: [Int64] = []
        for _ in 0..<10_000 {
            let page = try await library.tracks(query)
            #expect(page.items.count <= query.limit)
            ids += page.items.map(\.id.key)
            guard let cursor = page.nextCursor else { return ids }
            #expect(page.items.count == query.limit)
            let place = try #require(query.sort.order.place(cursor))
            query.start = .after(place)
        }
        Issue.record("the pages have no end")
        return ids
    }

    @Test("Every order, filter, search, cursor and position yields the same as sorting in memory", arguments: [1])
    func everyListEqualsSorting(seed: UInt64) async throws {
        try await withDatabase { database, _ in
            let library = try await SampleLibrary(database)
            try await fill(library, 700, seed: seed)
            // Another user's rows, which must not appear.
            let other = try await SampleLibrary(database, person: "bob")
            try await fill(other, 60, seed: seed + 100)
            let all = try await library.expected()
            #expect(all.filtered(by: .both).count > 50)
            var random = SeededRandom(seed: seed)
            var texts = ["", "a", "カラス", "の"]
            for _ in 0..<8 { texts.append(SampleSongs.query(&random)) }
            let found = Dictionary(texts.map { ($0, Set(all.containing($0).map(\.id))) }) { first, _ in first }
            // There must be both searches with few hits, which are sorted, and with many, which use an index.
            #expect(found["a", default: []].count > 500 && found["カラス", default: []].count < 500)
            for sort in TrackSort.allCases {
                let sorted = all.sorted(by: sort)
                for filter in TrackFilter.allCases {
                    let filtered = sorted.filtered(by: filter).map(\.id)
                    for text in [nil, "a", texts.randomElement(using: &random), texts.randomElement(using: &random)] {
                        let hits = text.flatMap { found[$0] }
                        let wanted = hits.map { hits in filtered.filter(hits.contains) } ?? filtered
                        let query = TrackListQuery(
                            filter: filter, search: text.flatMap { SearchQuery($0) }, sort: sort,
                            limit: Int.random(in: 90...200, using: &random))
                        try await compare(library, query, wanted, &random, "\(sort) \(filter) \(text ?? "-")")
                    }
                }
            }
        }
    }

    private func compare(
        _ library: SampleLibrary, _ query: TrackListQuery, _ wanted: [Int64], _ random: inout SeededRandom,
        _ name: String
    ) async throws {
        #expect(try await library.tracks(query, isCached: false).total == wanted.count, "\(name)")
        let walked = try await walk(library, query)
        #expect(walked == wanted, "\(name)")
        let places = [0, wanted.count, wanted.count - 1, Int.random(in: 0...wanted.count, using: &random)]
        for position in places where position >= 0 {
            var query = query
            query.limit = Int.random(in: 1...50, using: &random)
            query.start = .position(position)
            let page = try await library.tracks(query)
            let rest = wanted.dropFirst(position)
            #expect(page.items.map(\.id.key) == Array(rest.prefix(query.limit)), "\(name) at \(position)")
            #expect(page.total == wanted.count, "\(name) at \(position)")
            #expect((page.nextCursor == nil) == (rest.count <= query.limit), "\(name) at \(position)")
            guard let cursor = page.nextCursor else { continue }
            // A list can be continued with cursors from any position.
            let place = try #require(query.sort.order.place(cursor))
            query.start = .after(place)
            let next = try await library.tracks(query)
            #expect(next.items.map(\.id.key) == Array(rest.dropFirst(page.items.count).prefix(query.limit)), "\(name)")
        }
    }

    @Test(
        "Tracks that are added and removed between pages neither repeat nor hide others",
        arguments: [
            (TrackSort.recentlyAdded, nil), (.title, nil), (.artist, "a"), (.album, "r"), (.playCount, "love"),
        ] as [(TrackSort, String?)])
    func comingAndGoing(sort: TrackSort, text: String?) async throws {
        try await withDatabase { database, _ in
            let library = try await SampleLibrary(database)
            try await fill(library, 400, seed: 7)
            var random = SeededRandom(seed: 8)
            let search = text.flatMap { SearchQuery($0) }
            let before = try await library.expected()
            let found = search == nil ? before : before.containing(text ?? "")
            let leaving = found.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }.map(\.id)
            let staying = Set(found.map(\.id)).subtracting(leaving)
            var query = TrackListQuery(search: search, sort: sort, limit: 23)
            var seen: [Int64] = []
            for page in 0..<1_000 {
                let answer = try await library.tracks(query)
                seen += answer.items.map(\.id.key)
                guard let cursor = answer.nextCursor else { break }
                let place = try #require(sort.order.place(cursor))
                query.start = .after(place)
                // A sync writes.
                let part = leaving.dropFirst(page * 9).prefix(9)
                if !part.isEmpty { try await library.remove(Array(part)) }
                // Their names and ISRCs are unique, so that the values of others do not change.
                let new = SampleSongs.tracks(5, prefix: "n\(page)-", &random).map { track in
                    var track = track
                    track.title += " \(track.sourceID)"
                    track.isrc = nil
                    return track
                }
                if page < 20 { try await library.save(new, at: .appleMusic) }
            }
            #expect(Set(seen).count == seen.count)
            #expect(staying.isSubset(of: seen))
            let order = Dictionary(
                uniqueKeysWithValues: before.sorted(by: sort).enumerated().map { ($0.element.id, $0.offset) })
            let places = seen.compactMap { order[$0] }
            #expect(places == places.sorted())
        }
    }

    @Test(
        "Tracks whose place in the order changes between pages neither repeat nor hide others",
        arguments: TrackSort.allCases, [nil, "a"] as [String?])
    func movingTracks(sort: TrackSort, text: String?) async throws {
        try await withDatabase { database, _ in
            let library = try await SampleLibrary(database)
            var random = SeededRandom(seed: 9)
            // Their ISRCs are unique, so that one that gets the names of another is not merged with it.
            let songs = SampleSongs.tracks(300, prefix: "a", &random).enumerated().map { number, song in
                var song = song
                song.isrc = "GBAYE97\(10_000 + number)"
                return song
            }
            try await library.save(songs, at: .appleMusic)
            let (id, moving) = (library.id, Array(songs.prefix(150)))
            let tracks: [Int64: String] = try await database.read { reader in
                try reader.rows(
                    "SELECT source_id, track_id FROM library_source_tracks WHERE library_id = \(id)"
                ).reduce(into: [:]) { $0[try $1["track_id"] as Int64] = try $1["source_id"] as String }
            }
            let movingIDs = Set(moving.map(\.sourceID))
            let before = try await library.expected().sorted(by: sort)
            let staying = (text.map { before.containing($0) } ?? before).map(\.id)
                .filter { !movingIDs.contains(tracks[$0] ?? "") }
            #expect(staying.count > 50)
            var query = TrackListQuery(search: text.flatMap { SearchQuery($0) }, sort: sort, limit: 17)
            var seen: [Int64] = []
            for page in 0..<200 {
                let answer = try await library.tracks(query)
                seen += answer.items.map(\.id.key)
                guard let cursor = answer.nextCursor else { break }
                let place = try #require(sort.order.place(cursor))
                query.start = .after(place)
                guard page < 15 else { continue }
                // A sync writes new values, including those of the track that the cursor was made from.
                let last = answer.items.last.flatMap { tracks[$0.id.key] }
                let chosen = moving.filter { $0.sourceID == last } + moving.shuffled(using: &random).prefix(40)
                let changed = zip(chosen, SampleSongs.tracks(chosen.count, prefix: "x", &random)).map { song, new in
                    var song = song
                    (song.title, song.artist, song.album) = (new.title, new.artist, new.album)
                    (song.addedAt, song.playCount, song.trackNumber) = (new.addedAt, new.playCount, new.trackNumber)
                    return song
                }
                try await library.save(changed, at: .appleMusic)
            }
            let kept = Set(staying)
            #expect(seen.filter { kept.contains($0) } == staying)
        }
    }

    @Test(
        "An artist has the tracks and albums whose artists contain the whole name, alone or with others",
        arguments: [
            ("air", [0, 1, 4]), ("Beth  Hirsch", [1]), ("Air & Beth Hirsch", [1]), ("AÍR", [0, 1, 4]), ("nobody", []),
            ("Fairport Convention", [2]), ("B", []),
        ] as [(String, [Int])])
    func songsOfAnArtist(name: String, numbers: [Int]) async throws {
        let artists = ["Air", "Air feat. Beth Hirsch", "Fairport Convention", "Blair", "Someone, Air"]
        try await withDatabase { database, _ in
            let library = try await SampleLibrary(database)
            let tracks = artists.enumerated().map { number, artist in
                SourceTrack(
                    sourceID: "s\(number)", title: "Air \(number)", artist: artist, album: number == 4 ? "Moon" : "Air")
            }
            let albums = artists.enumerated().map { number, artist in
                SourceAlbum(sourceID: "b\(number)", name: "Air \(number)", artist: artist)
            }
            try await library.save(tracks, at: .spotify)
            let scan = try await library.scan(.spotify)
            try await database.write { transaction in
                _ = try transaction.albums.storeAlbums(albums, by: scan, isWhole: false, now: SampleLibrary.began)
            }
            let artist = try #require(ArtistFilter(name))
            let wanted = numbers.map { "Air \($0)" }
            #expect(
                try await library.tracks(.init(artist: artist, sort: .title, limit: 10)).items.map(\.title) == wanted)
            let onMoon = TrackListQuery(search: SearchQuery("moon"), artist: artist, sort: .title, limit: 10)
            #expect(try await library.tracks(onMoon).total == (numbers.contains(4) ? 1 : 0))
            let last = TrackListQuery(artist: artist, sort: .title, start: .position(1), limit: 1)
            #expect(try await library.tracks(last).items.map(\.title) == Array(wanted.dropFirst().prefix(1)))
            let userID = library.userID
            let page = try await database.read { reader in
                try reader.albums.page(userID: userID, NameListQuery(artist: artist, limit: 10))
            }
            #expect(page.items.map(\.name) == wanted)
            #expect(ArtistFilter("'") == nil)
        }
    }

    @Test("A cursor of another order is not valid for this one")
    func otherCursor() async throws {
        try await withDatabase { database, _ in
            let library = try await SampleLibrary(database)
            try await fill(library, 30, seed: 3)
            for sort in TrackSort.allCases {
                let page = try await library.tracks(TrackListQuery(sort: sort, limit: 5))
                let cursor = try #require(page.nextCursor)
                for other in TrackSort.allCases {
                    #expect((other.order.place(cursor) != nil) == (other == sort))
                }
                #expect(sort.order.place(cursor + "0") == nil && sort.order.place("") == nil)
            }
        }
    }

    @Test("A user without a library has empty lists, and nobody sees another user's track")
    func listsOfOthers() async throws {
        try await withDatabase { database, _ in
            let library = try await SampleLibrary(database)
            try await fill(library, 10, seed: 4)
            let stranger = try await database.addPerson("bob")
            let tracks = try await library.expected()
            let track = LibraryID(key: try #require(tracks.first).id)
            let userID = library.userID
            try await database.read { reader in
                let page = try reader.tracks.page(userID: stranger, TrackListQuery(limit: 10))
                #expect(page.items.isEmpty && page.total == 0 && page.nextCursor == nil)
                let seen = try reader.tracks.track(track, userID: stranger)
                #expect(seen == nil)
                let ofStranger = try reader.tracks.sourceTracks(ofTrack: track, userID: stranger)
                #expect(ofStranger.isEmpty)
                let own = try reader.tracks.track(track, userID: userID)
                #expect(own?.id == track)
                let sourceTracks = try reader.tracks.sourceTracks(ofTrack: track, userID: userID)
                #expect(!sourceTracks.isEmpty)
                let summary = try reader.library.summary(userID: stranger)
                #expect(summary == .empty)
            }
        }
    }

    @Test("The counts of the summary match those of the lists")
    func countsOfTheSummary() async throws {
        try await withDatabase { database, _ in
            let library = try await SampleLibrary(database)
            try await fill(library, 120, seed: 5)
            let all = try await library.expected()
            let userID = library.userID
            let summary = try await database.read { try $0.library.summary(userID: userID) }
            for filter in TrackFilter.allCases { #expect(summary.count(filter) == all.filtered(by: filter).count) }
        }
    }
}
