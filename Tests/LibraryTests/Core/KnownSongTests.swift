import Identity
import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryWriting

@Suite("Songs of the library that have other names elsewhere", .timeLimit(.minutes(5)))
struct KnownSongTests {
    @Test("The identity rules find a song of the library by its names, but no other version of it")
    func sameSong() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save([.made("a", "Airbag", ms: 284_000), .made("b", "Lucky", ms: 259_000)], .appleMusic)
            let wanted = try await library.track(of: "a").text
            let userID = library.userID
            func found(_ record: IdentityRecord) async throws -> String? {
                try await database.read { try $0.trackIdentity.track(sameAs: record, userID: userID)?.text }
            }
            let same = IdentityRecord(
                title: "Airbag - Remastered", artist: "Radiohead", album: "OK Computer OKNOTOK", durationMs: 285_000)
            #expect(try await found(same) == wanted)
            var live = same
            live.title = "Airbag - Live"
            #expect(try await found(live) == nil)
            #expect(try await found(IdentityRecord(title: "Karma Police", artist: "Radiohead")) == nil)
        }
    }

    @Test("A listen does not match an artist whose name contains the listen's, unless the ISRCs are equal")
    func artistsWithSimilarNames() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save(
                [.made("a", "Rain", by: "Otto Reif", on: "LP", isrc: "GBAYE0601477", ms: 200_000)], .spotify)
            let wanted = try await library.track(of: "a").key
            let userID = library.userID
            var questions = ["Reif", "Otto", "Reif", "Otto Reif", "Reif, Otto"].map {
                LibraryQuestion(title: "Rain", artist: $0)
            }
            questions[2].isrc = "GBAYE0601477"
            let found = try await database.read { [questions] in
                try $0.trackIdentity.tracks(like: questions, userID: userID)
            }
            #expect(found == [nil, nil, wanted, wanted, wanted])
        }
    }

    @Test("A service's catalog song, and a merged one, also have the library's ids")
    func idsOfOtherForms() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            try await library.save([.made("a"), .made("b", "Lucky")], .spotify)
            let (first, second) = (try await library.track(of: "a"), try await library.track(of: "b"))
            let userID = library.userID
            _ = try await database.write {
                try $0.trackIdentity.merge([first, second], userID: userID, now: TestLibrary.moment(1))
            }
            let survivor = try await library.track(of: "a")
            let names = try await database.read {
                try $0.tracks.names(
                    of: ["spotify:a", "appleMusic:1", first.text, second.text, "nothing"], userID: userID)
            }
            #expect(
                names == ["spotify:a", "appleMusic:1", first.text, second.text, "nothing", survivor.text])
        }
    }

    @Test("All songs of a playlist are known, no matter how long it is")
    func songsOfAPlaylist() async throws {
        try await withDatabase { database, _ in
            let library = try await TestLibrary.new(in: database)
            let tracks = (0..<700).map { SourceTrack.made("s\($0)", "Song \($0)", on: "Album \($0)") }
            try await library.save(tracks, .spotify)
            let entries = (tracks + [tracks[0]]).enumerated().map {
                SourcePlaylistEntry(position: $0, content: .track($1), addedAt: nil)
            }
            try await library.read(SourcePlaylist(sourceID: "p", name: "Long"), entries, .spotify)
            let userID = library.userID
            let ids = try await database.read { reader in
                let page = try reader.playlists.page(userID: userID, NameListQuery(limit: 1))
                return try reader.playlists.songIDs(ofPlaylist: try #require(page.items.first), userID: userID)
            }
            #expect(ids.count == 700)
        }
    }
}
