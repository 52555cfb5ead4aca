import Foundation
import Model
import TestSupport
import Testing
import Upstream

@testable import Spotify

@Suite("Libraries at Spotify")
struct SpotifyLibraryTests {
    private func client(_ text: String, _ status: Int = 200) -> SpotifyClient {
        SpotifyClient(ScriptedUpstream(.json(text, status)))
    }

    /// A page of items.
    private static func page(_ items: String..., next: String = "null", total: String = "9") -> String {
        #"{"items": [\#(items.joined(separator: ","))], "next": \#(next), "total": \#(total)}"#
    }

    private static let whole = """
        {"id": "t1", "name": "One", "type": "track", "track": true, "episode": false, "uri": "spotify:track:t1",
         "duration_ms": 1234, "explicit": true, "disc_number": 2, "track_number": 3, "popularity": 40,
         "external_ids": {"isrc": "us-abc 1234567"}, "preview_url": "https://p.test/1",
         "artists": [{"name": "Ann"}, {"name": "Bob"}],
         "album": {"id": "a1", "name": "LP", "release_date": "1981-12", "release_date_precision": "month",
                   "artists": [{"name": "Ann"}],
                   "images": [{"url": "small", "width": 64}, {"url": "big", "width": 640}]}}
        """

    @Test("A page is requested with the limit and the offset, and every field of a track is read")
    func savedTrack() async throws {
        let item = #"{"added_at": "2020-02-29T23:59:58Z", "track": \#(Self.whole)}"#
        let upstream = ScriptedUpstream(.json(Self.page(item)))
        let page = try await SpotifyClient(upstream).savedTracks(offset: 100)
        let request = try #require(upstream.requests.first)
        #expect(request.path == "/me/tracks")
        #expect(request.query.map { "\($0.name)=\($0.value)" } == ["limit=50", "offset=100"])
        #expect(page.total == 9 && page.entryCount == 1 && page.nextOffset == nil)
        var wanted = SourceTrack(sourceID: "t1", title: "One", artist: "Ann, Bob", album: "LP")
        wanted.albumArtist = "Ann"
        wanted.durationMs = 1_234
        wanted.isrc = "USABC1234567"
        wanted.isExplicit = true
        wanted.discNumber = 2
        wanted.trackNumber = 3
        wanted.releaseDate = ReleaseDate("1981-12")
        wanted.artworkURL = "big"
        wanted.popularity = 40
        wanted.previewURL = "https://p.test/1"
        wanted.addedAt = Timestamp(rfc3339: "2020-02-29T23:59:58Z")
        #expect(page.items == [wanted])
    }

    @Test("A bad item is left out and counted; of a bad or missing field, only the field is left out")
    func badItems() async throws {
        let page = try await client(
            Self.page(
                "null", "7", "{}", #"{"track": null}"#, #"{"track": {"name": "no id"}}"#,
                #"{"added_at": 5, "track": {"id": "x", "name": null, "duration_ms": "long", "album": null}}"#,
                #"{"item": {"id": "y", "external_ids": null, "album": {"images": null, "release_date": null}}}"#,
                #"{"item": {"id": "z", "external_ids": {}, "artists": [null, {"name": "A"}, {"name": null}]}}"#)
        ).savedTracks(offset: 0)
        #expect(page.entryCount == 8)
        #expect(page.items.map(\.sourceID) == ["x", "y", "z"])
        #expect(page.items.map(\.artist) == ["", "", "A"])
        #expect(page.items.allSatisfy { $0.title.isEmpty && $0.isrc == nil && $0.addedAt == nil && $0.album.isEmpty })
    }

    @Test(
        "Only the offset of the next page's address is used, and it always increases",
        arguments: [
            (#""https://api.spotify.com/v1/me/tracks?offset=50&limit=50""#, 50), ("null", nil), (#""""#, nil),
            // An item was left out of the middle of the page.
            (#""https://evil.test/x?offset=4""#, 4), (#""nonsense""#, 2), (#""/x?offset=1""#, 2),
        ] as [(String, Int?)])
    func addressOfTheNextPage(next: String, offset: Int?) async throws {
        let page = try await client(Self.page("{}", "null", next: next, total: "null")).savedTracks(offset: 0)
        #expect(page.nextOffset == offset && page.total == nil)
        // A page without any item cannot continue at the same offset.
        if offset == 2 {
            #expect(try await client(Self.page(next: next)).savedTracks(offset: 0).nextOffset ?? 1 == 1)
        }
    }

    @Test("No number that the service sends crashes the process", arguments: [Int.max, .max - 49, .min, -1])
    func extremeNumbers(number: Int) async throws {
        let song = #"{"track": {"id": "x", "duration_ms": \#(number), "disc_number": \#(number)}}"#
        let next = #""https://api.spotify.com/v1/me/tracks?offset=\#(number)""#
        let text = Self.page(song, next: next, total: "\(number)")
        let page = try await client(text).savedTracks(offset: 0)
        #expect(page.total == nil && page.nextOffset == 1)
        #expect(page.items.map(\.durationMs) == [nil] && page.items.map(\.discNumber) == [nil])
        // An offset that a page was requested with by mistake.
        #expect(try await client(text).savedTracks(offset: .max).nextOffset == nil)
        let lists = #"{"items": [{"id": "p", "tracks": {"total": \#(number)}}]}"#
        #expect(try await client(lists).playlists(offset: 0).items.map(\.entryCount) == [nil])
    }

    @Test("An answer without a list is an error, not an empty library", arguments: ["{}", #"{"items": null}"#, "[]"])
    func noList(text: String) async {
        await #expect(throws: SpotifyError.self) { try await client(text).savedTracks(offset: 0) }
        await #expect(throws: SpotifyError.self) { try await client(text).playlistEntries(of: "p", offset: 0) }
    }

    @Test("Entries of playlists keep their positions, whatever they are, in the shapes of all apps")
    func entriesOfPlaylists() async throws {
        let upstream = ScriptedUpstream(
            .json(
                Self.page(
                    #"{"added_at": "2021-01-01T00:00:00Z", "item": \#(Self.whole), "track": null}"#,
                    #"{"added_at": null, "track": \#(Self.whole)}"#,
                    #"{"added_at": "1970-01-01T00:00:00Z", "track": null, "item": null}"#,
                    #"{"is_local": true, "track": {"id": null, "name": "Tape", "uri": "spotify:local:a:b:c:1"}}"#,
                    #"{"track": {"is_local": true, "name": "Demo", "external_ids": {}}}"#,
                    #"{"item": {"id": "e", "type": "episode", "name": "Talk", "show": {}}}"#,
                    #"{"track": {"id": "e", "type": "track", "episode": true, "track": false, "name": "Talk"}}"#,
                    #"{"track": {"id": null, "name": "Gone"}}"#, "null",
                    #"{"item": {"id": "c", "type": "chapter", "name": "Chapter 1", "audiobook": {}}}"#)))
        let answer = try await SpotifyClient(upstream).playlistEntries(of: "p/1", offset: 50)
        #expect(upstream.requests.first?.path == "/playlists/p%2F1/items")
        #expect(upstream.requests.first?.query.last?.value == "track,episode")
        guard case .value(let page) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(page.items.map(\.position) == Array(50..<60) && page.entryCount == 10)
        let kinds = page.items.map { entry in
            switch entry.content {
            case .track(let track): "track \(track.sourceID)"
            case .local(let title): "local \(title)"
            case .episode(let title): "episode \(title)"
            case .unavailable(let title): "unavailable \(title ?? "-")"
            }
        }
        #expect(
            kinds == [
                "track t1", "track t1", "unavailable -", "local Tape", "local Demo", "episode Talk", "episode Talk",
                "unavailable Gone", "unavailable -", "unavailable Chapter 1",
            ])
        let times = page.items.map(\.addedAt)
        #expect(times.first == Timestamp(rfc3339: "2021-01-01T00:00:00Z") && times.dropFirst().allSatisfy { $0 == nil })
    }

    @Test("Answers for somebody else's playlist, or a deleted one, are expected; missing scopes are an error")
    func refusedEntries() async throws {
        func answer(_ status: Int, _ message: String) async throws -> String {
            let text = #"{"error": {"status": \#(status), "message": "\#(message)"}}"#
            let answer = try await client(text, status).playlistEntries(of: "p", offset: 0)
            return switch answer {
            case .value: "value"
            case .nothing: "nothing"
            case .notFound: "not found"
            case .forbidden: "forbidden"
            }
        }
        #expect(try await answer(403, "Forbidden") == "forbidden")
        #expect(try await answer(404, "Resource not found") == "not found")
        await #expect(throws: SpotifyError.scopeMissing) { try await answer(403, "Insufficient client scope") }
    }

    @Test("A playlist is read in both shapes, with its text as people wrote it")
    func shapesOfAPlaylist() async throws {
        let page = try await client(
            Self.page(
                """
                {"id": "p1", "name": "A &amp; B",
                 "description": "Rock &amp; Roll &#x27;72 &lt;3 &nope; &", "public": null,
                 "collaborative": true, "owner": {"id": "ada", "display_name": null}, "images": null,
                 "snapshot_id": "s1", "items": {"total": 5}, "tracks": {"total": 4}}
                """,
                """
                {"id": "p2", "name": "Two", "description": "", "public": false, "owner": {"id": "bob",
                 "display_name": "Bob"}, "images": [{"url": "x", "width": null}], "tracks": {"total": 7}}
                """,
                #"{"id": "p3", "name": "Three"}"#, "null", #"{"name": "none"}"#)
        ).playlists(offset: 0)
        #expect(page.entryCount == 5 && page.items.map(\.sourceID) == ["p1", "p2", "p3"])
        let (first, second, third) = (page.items[0], page.items[1], page.items[2])
        // Names are not escaped.
        #expect(first.name == "A &amp; B" && first.description == "Rock & Roll '72 <3 &nope; &")
        #expect(first.isPublic == nil && first.isCollaborative == true && first.artworkURL == nil)
        #expect(first.ownerID == "ada" && first.ownerName == "ada" && first.version == "s1" && first.entryCount == 5)
        #expect(second.description == nil && second.isPublic == false && second.artworkURL == "x")
        #expect(second.ownerName == "Bob" && second.entryCount == 7 && second.version == nil)
        #expect(third.ownerID == nil && third.entryCount == nil)
    }

    @Test("A saved album is read, with a release date of each precision")
    func savedAlbum() async throws {
        func item(_ id: String, _ date: String, _ precision: String) -> String {
            """
            {"added_at": "2022-05-06T07:08:09Z", "album": {"id": "\(id)", "name": "LP", "total_tracks": 9,
             "artists": [{"name": "Ann"}], "genres": ["Jazz"], "release_date": "\(date)",
             "release_date_precision": "\(precision)"}}
            """
        }
        let page = try await client(
            Self.page(
                item("a", "1999", "year"), item("b", "1999-03", "month"), item("c", "1999-03-04", "day"),
                item("d", "1999-01-01", "year"), item("e", "0000", "year"), item("f", "soon", "day"))
        ).savedAlbums(offset: 0)
        #expect(
            page.items.map { $0.releaseDate?.text ?? "-" } == ["1999", "1999-03", "1999-03-04", "1999", "-", "-"])
        let album = try #require(page.items.first)
        #expect(album.name == "LP" && album.artist == "Ann" && album.trackCount == 9 && album.genres == ["Jazz"])
        #expect(album.addedAt == Timestamp(rfc3339: "2022-05-06T07:08:09Z"))
    }

    @Test(
        "Times are read in all forms of RFC 3339, and nothing else",
        arguments: [
            "2024-05-16T20:46:24Z", "1969-12-31T23:59:59Z", "2024-05-16T20:46:24.5Z", "2024-05-16T20:46:24+02:00",
            "2024-05-16T24:46:24Z", "2024-13-16T20:46:24Z", "2024-05-16 20:46:24Z", "2024-05-16T2a:46:24Z", "",
        ])
    func formsOfTimes(text: String) {
        #expect(Timestamp(spotify: text) == Timestamp(rfc3339: text))
    }
}

@Suite(
    "Recorded libraries of Spotify",
    .enabled(if: RecordedPayloads.spotify.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
struct SpotifyLibraryPayloadTests {
    private func client(_ name: String) throws -> SpotifyClient {
        let upstream = ScriptedUpstream(.json(try RecordedPayloads.spotify.data(name)))
        return SpotifyClient(upstream)
    }

    @Test("Saved tracks of 2016")
    func savedTracks() async throws {
        let page = try await client("zmb3_current_users_tracks.json").savedTracks(offset: 0)
        #expect(page.total == 3 && page.entryCount == 3 && page.items.count == 3 && page.nextOffset == 20)
        let track = try #require(page.items.first)
        #expect(track.title == "You & I (Nobody In The World)" && track.artist == "John Legend")
        #expect(track.album == "Love In The Future" && track.isrc == "USSM11304007" && track.releaseDate == nil)
        #expect(track.addedAt == Timestamp(rfc3339: "2015-01-31T00:37:55Z") && track.popularity == 72)
    }

    @Test("A page of playlists, with the members of both shapes")
    func pageOfPlaylists() async throws {
        let page = try await client("current_user_playlist_1.json").playlists(offset: 0)
        #expect(page.total == 94 && page.entryCount == 48 && page.items.count == 48 && page.nextOffset == 48)
        let playlist = try #require(page.items.first)
        #expect(playlist.name == "To find" && playlist.entryCount == 1 && playlist.isPublic == true)
        #expect(playlist.ownerID == "1112264649" && playlist.version == "AAAAAqEcxS92ddZ6R83Q8TWFhYshm18s")
    }

    @Test("A page of a playlist's items, each of them twice")
    func pageOfItems() async throws {
        let answer = try await client("playlist_items.json").playlistEntries(of: "p", offset: 0)
        guard case .value(let page) = answer, case .track(let track) = try #require(page.items.first).content else {
            Issue.record("\(answer)")
            return
        }
        #expect(page.items.count == page.entryCount && page.items.map(\.position) == Array(0..<page.entryCount))
        #expect(track.title == "All I Need" && track.artist == "Maribou State, Andreya Triana")
        #expect(track.isrc == "GBCFB2300770" && track.releaseDate?.text == "2025-01-13")
        #expect(track.artworkURL == "https://i.scdn.co/image/ab67616d0000b2732f41071676f4f50842581fb4")
    }

    @Test("Two tracks and an episode")
    func tracksAndAnEpisode() async throws {
        let whole = try #require(try RecordedPayloads.spotify.json("playlist_3.json") as? [String: Any])
        let tracks = try #require(whole["tracks"])
        let upstream = ScriptedUpstream(.json(try JSONSerialization.data(withJSONObject: tracks)))
        let client = SpotifyClient(accessToken: Secret("t"), send: upstream.send)
        guard case .value(let page) = try await client.playlistEntries(of: "p", offset: 0) else {
            Issue.record("it is not a page")
            return
        }
        let episodes = page.items.filter { if case .episode = $0.content { true } else { false } }
        let found = page.items.filter { if case .track = $0.content { true } else { false } }
        #expect(episodes.count == 1 && found.count == 2 && page.entryCount == 3)
    }

    @Test("A playlist that no longer exists")
    func missingPlaylist() async throws {
        let upstream = ScriptedUpstream(.json(try RecordedPayloads.spotify.data("playlist_not_found.json"), 404))
        let client = SpotifyClient(accessToken: Secret("t"), send: upstream.send)
        guard case .notFound(nil) = try await client.playlistEntries(of: "p", offset: 0) else {
            Issue.record("it was found")
            return
        }
    }
}
