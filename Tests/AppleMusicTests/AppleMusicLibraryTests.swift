import Foundation
import Model
import TestSupport
import Testing
import Upstream

@testable import AppleMusic

@Suite("Libraries at Apple Music")
struct AppleMusicLibraryTests {
    /// An upstream that answers by path, and records the requests.
    private final class AnsweringUpstream: Sendable {
        let requests = Collector<UpstreamRequest>()
        private let answers: [String: UpstreamResponse]

        init(_ answers: [String: UpstreamResponse]) {
            self.answers = answers
        }

        var client: AppleMusicClient {
            AppleMusicClient(developerToken: { Secret("signed") }, userToken: Secret("user")) { [self] request in
                requests.append(request)
                return answers[request.path] ?? .failure(404, code: "40400")
            }
        }
    }

    private static let songs = "/me/library/songs"

    private func client(_ path: String, _ text: String, _ status: Int = 200) -> AppleMusicClient {
        AnsweringUpstream([path: .json(text, status)]).client
    }

    private static func list(_ items: String..., more: String = "") -> String {
        #"{"data": [\#(items.joined(separator: ","))]\#(more)}"#
    }

    private static let whole = """
        {"id": "i.1", "type": "library-songs",
         "attributes": {"name": "One", "artistName": "Ann", "albumName": "LP", "trackNumber": 3, "discNumber": 2,
           "durationInMillis": 1234, "genreNames": ["Jazz"], "releaseDate": "1981", "contentRating": "explicit",
           "artwork": {"url": "https://a.test/{w}x{h}.jpg", "width": null}, "dateAdded": "2020-02-29T23:59:58Z",
           "playParams": {"id": "i.1", "catalogId": "11"}},
         "relationships": {"catalog": {"data": [{"id": "12", "type": "songs",
           "attributes": {"name": "Other", "isrc": "usabc1234567", "composerName": "Cole", "genreNames": ["Pop"]}}]}}}
        """

    @Test("A page of songs is requested with limit and catalog, and every field is read")
    func songRequestAndFields() async throws {
        let upstream = AnsweringUpstream([Self.songs: .json(Self.list(Self.whole, more: #", "meta": {"total": 7}"#))])
        let page = try await upstream.client.librarySongs(offset: 200, storefront: "de")
        let request = try #require(upstream.requests.elements.first)
        #expect(upstream.requests.elements.count == 1)
        #expect(request.query.map { "\($0.name)=\($0.value)" } == ["limit=100", "offset=200", "include=catalog"])
        #expect(request.secretHeaders.map { $0.value.reveal() } == ["Bearer signed", "user"])
        #expect(page.total == 7 && page.entryCount == 1 && page.nextOffset == nil)
        var wanted = SourceTrack(sourceID: "i.1", title: "One", artist: "Ann", album: "LP")
        wanted.catalogID = "12"
        wanted.storefront = "de"
        wanted.composer = "Cole"
        wanted.genres = ["Jazz"]
        wanted.durationMs = 1_234
        wanted.isrc = "USABC1234567"
        wanted.isExplicit = true
        wanted.discNumber = 2
        wanted.trackNumber = 3
        wanted.releaseDate = ReleaseDate("1981")
        wanted.artworkURL = "https://a.test/{w}x{h}.jpg"
        wanted.addedAt = Timestamp(rfc3339: "2020-02-29T23:59:58Z")
        #expect(page.items == [wanted])
    }

    @Test("Bad resources are left out and counted; of a bad or missing attribute, only the attribute is left out")
    func badItems() async throws {
        let page = try await client(
            Self.songs,
            Self.list(
                "null", "7", #"{"id": "i.1"}"#, #"{"id": "i.2", "attributes": {}}"#, #"{"attributes": {"name": "x"}}"#,
                #"{"id": "i.3", "attributes": {"name": "Bare"}}"#,
                """
                {"id": "i.4", "attributes": {"name": "Odd", "artistName": 4, "trackNumber": "4", "artwork": null,
                 "playParams": "none", "genreNames": [null, "Pop"], "contentRating": "clean"},
                 "relationships": {"catalog": {"data": []}}}
                """)
        ).librarySongs(offset: 0, storefront: "de")
        #expect(page.items.map(\.sourceID) == ["i.3", "i.4"] && page.unreadIDs == ["i.1", "i.2"])
        #expect(page.entryCount == 7 && page.items.map(\.artist) == ["", ""])
        #expect(page.items.allSatisfy { $0.catalogID == nil && $0.storefront == nil })
        #expect(page.items.map(\.isExplicit) == [nil, false] && page.items.map(\.genres) == [[], ["Pop"]])
    }

    @Test(
        "The next page always belongs to the same list, whatever its address says",
        arguments: [
            ("/v1/me/library/songs?offset=100", 100), ("/v1/me/library/albums?offset=3", 2), ("/nonsense", 2),
            ("/v1/me/library/songs?offset=1", 2), ("", nil),
        ] as [(String, Int?)])
    func nextPageOfTheSameList(next: String, offset: Int?) async throws {
        let text = Self.list("null", "null", more: #", "next": "\#(next)""#)
        #expect(try await client(Self.songs, text).librarySongs(offset: 0, storefront: "de").nextOffset == offset)
        let empty = try await client(Self.songs, #"{"data": [], "next": "/nonsense"}"#).librarySongs(
            offset: 5, storefront: "de")
        #expect(empty.nextOffset == nil)
    }

    @Test("No number that the service sends crashes the process", arguments: [Int.max, .min, -1])
    func extremeNumbers(number: Int) async throws {
        let next = #", "next": "/v1/me/library/songs?offset=\#(number)", "meta": {"total": \#(number)}"#
        let song = #"{"id": "i", "attributes": {"name": "A", "durationInMillis": \#(number)}}"#
        let text = Self.list(song, more: next)
        let page = try await client(Self.songs, text).librarySongs(offset: 0, storefront: "de")
        #expect(page.total == nil && page.nextOffset == 1 && page.items.map(\.durationMs) == [nil])
        let last = try await client(Self.songs, text).librarySongs(offset: .max, storefront: "de")
        #expect(last.nextOffset == nil)
    }

    @Test("Lists of an account without a cloud library are empty; a list that breaks off, and a playlist, are missing")
    func noCloudLibrary() async throws {
        let client = AnsweringUpstream([:]).client
        let songs = try await client.librarySongs(offset: 0, storefront: "de")
        #expect(songs.items.isEmpty && songs.entryCount == 0 && songs.nextOffset == nil)
        // Without a total, previous contents of the library are not marked as missing.
        #expect(songs.total == nil && songs.lacksLibrary == true)
        #expect(try await client.libraryPlaylists(offset: 0).items.isEmpty)
        #expect(try await client.libraryAlbums(offset: 0).items.isEmpty)
        let gone = AppleMusicError.requestRefused(status: 404, code: "40400")
        await #expect(throws: gone) { try await client.librarySongs(offset: 100, storefront: "de") }
        await #expect(throws: gone) { try await client.playlistEntries(of: "p.1", offset: 0, storefront: "de") }
        // Apple also answers with other codes, and without one.
        for answer in [UpstreamResponse.failure(404, code: "40410"), .json("", 404), .json("<html>", 404)] {
            let other = AnsweringUpstream([Self.songs: answer]).client
            let page = try await other.librarySongs(offset: 0, storefront: "de")
            #expect(page.items.isEmpty && page.lacksLibrary == true)
        }
        #expect(gone.description.contains("Sync Library") && !gone.description.contains("belong together"))
    }

    @Test("An answer without a list is an error; 404 with 40403 is an empty list")
    func noList() async throws {
        for text in ["{}", #"{"data": null}"#, "[]", "<html>"] {
            await #expect(throws: AppleMusicError.unreadable) {
                try await client(Self.songs, text).librarySongs(offset: 0, storefront: "de")
            }
        }
        let empty = AnsweringUpstream([Self.songs: .failure(404, code: "40403")])
        let page = try await empty.client.librarySongs(offset: 0, storefront: "de")
        #expect(page.items.isEmpty && page.entryCount == 0 && page.nextOffset == nil && page.total == nil)
        #expect(page.lacksLibrary == nil)
        await #expect(throws: AppleMusicError.userTokenRefused) {
            try await AnsweringUpstream([Self.songs: .failure(403, code: "40300")]).client.librarySongs(
                offset: 0, storefront: "de")
        }
    }

    /// A song of the library with a catalog id in `playParams` and an empty relationship.
    private static func unlinked(_ id: String, catalogID: String) -> String {
        """
        {"id": "\(id)", "type": "library-songs",
         "attributes": {"name": "\(id)", "playParams": {"catalogId": "\(catalogID)"}},
         "relationships": {"catalog": {"data": []}}}
        """
    }

    @Test("Songs without an ISRC are looked up in the person's catalog, with one request without the user token")
    func lookupOfISRCs() async throws {
        let upstream = AnsweringUpstream([
            Self.songs: .json(
                Self.list(
                    Self.whole, Self.unlinked("i.2", catalogID: "21"), Self.unlinked("i.3", catalogID: "31"),
                    Self.unlinked("i.4", catalogID: "21"), Self.unlinked("i.5", catalogID: "i.upload"))),
            "/catalog/de/songs": .json(
                Self.list(
                    #"{"id": "31", "type": "songs", "attributes": {"name": "C"}}"#,
                    """
                    {"id": "21", "attributes": {"name": "B", "isrc": "DEX991200001", "releaseDate": "2012-03-04"}}
                    """)),
        ])
        let page = try await upstream.client.librarySongs(offset: 0, storefront: "de")
        #expect(page.items.map(\.isrc) == ["USABC1234567", "DEX991200001", nil, "DEX991200001", nil])
        #expect(page.items.map(\.catalogID) == ["12", "21", "31", "21", "i.upload"])
        #expect(page.items[1].title == "i.2" && page.items[1].releaseDate?.text == "2012-03-04")
        let lookups = upstream.requests.elements.dropFirst()
        #expect(lookups.map { $0.query.map(\.value) } == [["21,31"]])
        #expect(lookups.first?.secretHeaders.map(\.name) == ["Authorization"])
        // Reading the first page in advance needs no ISRCs.
        let short = try await upstream.client.librarySongs(offset: 0, storefront: "de", looksUpISRCs: false)
        #expect(short.items.compactMap(\.isrc).count == 1 && upstream.requests.elements.count == 3)
    }

    @Test("A lookup requests at most 300 ids, and its refusal changes nothing; a pause is thrown")
    func lookupTrouble() async throws {
        let tracks = (0..<301).map { number in
            var track = SourceTrack(sourceID: "i.\(number)", title: "T", artist: "A", album: "")
            track.catalogID = String(1_000 + number)
            return track
        }
        for refusal in [UpstreamResponse.failure(403, code: "40300"), .failure(404, code: "40403")] {
            let upstream = AnsweringUpstream(["/catalog/de/songs": refusal])
            #expect(try await upstream.client.lookingUpISRCs(of: tracks, storefront: "de") == tracks)
            let counts = upstream.requests.elements.map { $0.query.first?.value.split(separator: ",").count }
            #expect(counts == [300, 1])
        }
        let paused = AnsweringUpstream(["/catalog/de/songs": .json("", 429, retryAfter: "7")])
        await #expect(throws: AppleMusicError.rateLimited(after: .seconds(7))) {
            try await paused.client.lookingUpISRCs(of: tracks, storefront: "de")
        }
        let refused = AnsweringUpstream(["/catalog/de/songs": .json("", 401)])
        await #expect(throws: AppleMusicError.developerTokenRefused) {
            try await refused.client.lookingUpISRCs(of: tracks, storefront: "de")
        }
        let idle = AnsweringUpstream([:])
        #expect(try await idle.client.lookingUpISRCs(of: [], storefront: "de").isEmpty)
        #expect(idle.requests.elements.isEmpty)
    }

    @Test("Entries of playlists keep their positions: songs of library and catalog, and everything else as unavailable")
    func playlistEntriesKeepPositions() async throws {
        let path = "/me/library/playlists/p.1%2F/tracks"
        let upstream = AnsweringUpstream([
            path: .json(
                Self.list(
                    Self.whole, #"{"id": "i.9", "type": "library-music-videos", "attributes": {"name": "Clip"}}"#,
                    #"{"id": "77", "type": "songs", "attributes": {"name": "Cat", "isrc": "DEX991200001"}}"#, "null",
                    #"{"id": "x", "type": "library-songs"}"#, Self.unlinked("i.2", catalogID: "21"),
                    more: #", "next": "/v1/me/library/playlists/p.1%2F/tracks?offset=100""#)),
            "/catalog/de/songs": .json(Self.list(#"{"id": "21", "attributes": {"isrc": "DEX991200002"}}"#)),
        ])
        let answer = try await upstream.client.playlistEntries(of: "p.1/", offset: 100, storefront: "de")
        let page = try #require(answer)
        #expect(page.items.map(\.position) == Array(100..<106) && page.entryCount == 6 && page.nextOffset == 106)
        let kinds = page.items.map { entry in
            switch entry.content {
            case .track(let track): "\(track.sourceID) \(track.catalogID ?? "-") \(track.isrc ?? "-")"
            case .unavailable(let title): "unavailable \(title ?? "-")"
            case .local, .episode: "strange"
            }
        }
        #expect(
            kinds == [
                "i.1 12 USABC1234567", "unavailable Clip", "77 77 DEX991200001", "unavailable -", "unavailable -",
                "i.2 21 DEX991200002",
            ])
    }

    @Test("A playlist without entries is `nil`, a later empty page is the end, and a deleted playlist is an error")
    func noEntries() async throws {
        let empty = AnsweringUpstream(["/me/library/playlists/p.1/tracks": .failure(404, code: "40403")]).client
        let first = try await empty.playlistEntries(of: "p.1", offset: 0, storefront: "de")
        let later = try await empty.playlistEntries(of: "p.1", offset: 100, storefront: "de")
        #expect(first == nil && later?.entryCount == 0 && later?.nextOffset == nil)
        await #expect(throws: AppleMusicError.requestRefused(status: 404, code: "40400")) {
            try await empty.playlistEntries(of: "p.2", offset: 0, storefront: "de")
        }
    }

    @Test("Playlists and albums are read")
    func playlistsAndAlbums() async throws {
        let upstream = AnsweringUpstream([
            "/me/library/playlists": .json(
                Self.list(
                    """
                    {"id": "p.1", "type": "library-playlists", "attributes": {"name": "Mix", "isPublic": true,
                     "dateAdded": "2020-01-01T00:00:00Z", "lastModifiedDate": "2021-01-01T00:00:00Z",
                     "description": {"standard": "Loud"}, "artwork": {"url": "https://a.test/fixed.jpg"}}}
                    """, #"{"id": "p.2", "attributes": {"name": "Bare", "description": {"standard": ""}}}"#,
                    #"{"id": "p.3"}"#)),
            "/me/library/albums": .json(
                Self.list(
                    """
                    {"id": "l.1", "attributes": {"name": "LP", "artistName": "Ann", "trackCount": 9,
                     "releaseDate": "1981-12-24", "genreNames": ["Jazz"], "dateAdded": "2020-01-01T00:00:00Z"}}
                    """, #"{"id": "l.2", "attributes": {"name": "Bare"}}"#)),
        ])
        let playlists = try await upstream.client.libraryPlaylists(offset: 0)
        #expect(playlists.items.map(\.sourceID) == ["p.1", "p.2"] && playlists.unreadIDs == ["p.3"])
        let mix = playlists.items[0]
        #expect(mix.description == "Loud" && mix.isPublic == true && mix.version == "2021-01-01T00:00:00Z")
        #expect(mix.artworkURL == "https://a.test/fixed.jpg" && mix.entryCount == nil && mix.addedAt != nil)
        #expect(playlists.items[1].description == nil && playlists.items[1].version == nil && playlists.entryCount == 3)
        let albums = try await upstream.client.libraryAlbums(offset: 0)
        #expect(albums.items.map(\.artist) == ["Ann", ""] && albums.items[0].trackCount == 9)
        #expect(albums.items[0].releaseDate?.text == "1981-12-24" && albums.items[0].genres == ["Jazz"])
        #expect(
            upstream.requests.elements.allSatisfy { $0.query.map(\.name) == ["limit", "offset"] })
    }
}
