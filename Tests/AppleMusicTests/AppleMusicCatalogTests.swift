import Model
import TestSupport
import Testing
import Upstream

@testable import AppleMusic

@Suite("Single items in Apple Music's catalog")
struct AppleMusicCatalogTests {
    private func client(_ upstream: ScriptedUpstream) -> AppleMusicClient {
        AppleMusicClient(
            developerToken: { Secret("signed") }, userToken: Secret("user"), send: upstream.send)
    }

    private func client(_ text: String, _ status: Int = 200) -> AppleMusicClient {
        client(ScriptedUpstream(.json(text, status)))
    }

    private static let song = """
        {"id": "11", "type": "songs",
         "attributes": {"name": "One", "artistName": "Ann & Bo", "albumName": "LP", "trackNumber": 3, "discNumber": 2,
           "durationInMillis": 1234, "genreNames": ["Jazz"], "releaseDate": "1981-02-03", "contentRating": "explicit",
           "isrc": "usabc1234567", "artwork": {"url": "https://a.test/{w}x{h}.jpg", "width": 3000},
           "url": "https://music.apple.com/fr/album/7?i=11"},
         "relationships": {
           "albums": {"data": [{"id": "7", "type": "albums", "attributes": {"name": "LP"}}]},
           "artists": {"data": [{"id": "1", "type": "artists", "attributes": {"name": "Ann"}},
                                {"id": "2", "type": "artists", "attributes": {"name": "Bo"}}]}}}
        """

    @Test("A song is requested without the user token, and every field is read")
    func songRequestAndFields() async throws {
        let upstream = ScriptedUpstream(.json(#"{"data": [\#(Self.song)]}"#))
        let track = try await client(upstream).song("11", storefront: "fr")
        let request = try #require(upstream.requests.first)
        #expect(upstream.requests.count == 1 && request.path == "/catalog/fr/songs/11")
        #expect(request.query.map { "\($0.name)=\($0.value)" } == ["include=albums,artists"])
        #expect(request.secretHeaders.map { $0.value.reveal() } == ["Bearer signed"])
        var wanted = CatalogTrack(sourceID: "11", title: "One")
        wanted.artists = [
            CatalogReference(sourceID: "1", name: "Ann"), CatalogReference(sourceID: "2", name: "Bo"),
        ]
        wanted.album = CatalogReference(sourceID: "7", name: "LP")
        (wanted.durationMs, wanted.isrc, wanted.isExplicit) = (1_234, "USABC1234567", true)
        (wanted.discNumber, wanted.trackNumber, wanted.releaseDate) = (2, 3, ReleaseDate("1981-02-03"))
        wanted.pictures = [CatalogPicture(address: "https://a.test/{w}x{h}.jpg", width: nil)]
        wanted.url = "https://music.apple.com/fr/album/7?i=11"
        #expect(track == wanted)
    }

    @Test("An answer without an item is `nil`, in all forms that Apple uses")
    func missingItemIsNil() async throws {
        for (text, status) in [
            (#"{"data": []}"#, 200), (#"{"errors": [{"status": "404", "code": "40400"}]}"#, 404), ("", 404),
            (#"{"data": [{"id": "11", "type": "songs"}]}"#, 200),
            (#"{"data": [{"id": "11", "type": "music-videos", "attributes": {"name": "Film"}}]}"#, 200),
        ] {
            #expect(try await client(text, status).song("11", storefront: "fr") == nil, "\(text)")
        }
        await #expect(throws: AppleMusicError.unreadable) { try await client("{}").song("11", storefront: "fr") }
    }

    @Test("A refused developer token and a 403 are never about the user token")
    func refusalsConcernTheDeveloperToken() async throws {
        await #expect(throws: AppleMusicError.developerTokenRefused) {
            try await client("", 401).album("7", storefront: "fr")
        }
        await #expect(throws: AppleMusicError.requestRefused(status: 403, code: nil)) {
            try await client("", 403).album("7", storefront: "fr")
        }
    }

    @Test("An album has the artist with its id, and the songs of its list, which continues where `next` says")
    func albumWithArtistAndSongs() async throws {
        let next = "/v1/catalog/fr/albums/7/tracks?offset=2"
        let upstream = ScriptedUpstream(
            .json(
                """
                {"data": [{"id": "7", "type": "albums",
                  "attributes": {"name": "LP", "artistName": "Ann", "trackCount": 3, "genreNames": ["Jazz"]},
                  "relationships": {"artists": {"data": [{"id": "1", "type": "artists"}]},
                    "tracks": {"next": "\(next)", "data": [\(Self.song), null,
                      {"id": "9", "type": "music-videos", "attributes": {"name": "Film"}}]}}}]}
                """))
        let (album, tracks) = try #require(try await client(upstream).album("7", storefront: "fr"))
        #expect(album.artists == [CatalogReference(sourceID: "1", name: "Ann")])
        #expect(album.trackCount == 3 && album.genres == ["Jazz"] && album.pictures.isEmpty && album.url == nil)
        #expect(tracks?.items.map(\.title) == ["One"] && tracks?.entryCount == 3)
        // Apple's offset would read one entry twice.
        #expect(tracks?.nextOffset == 3)
    }

    @Test("A further page is requested with limit and offset; a list that ends there is empty")
    func furtherPages() async throws {
        let upstream = ScriptedUpstream(.json(#"{"data": [\#(Self.song)]}"#))
        let page = try await client(upstream).tracks(ofPlaylist: "pl.a/b", offset: 100, storefront: "fr")
        let request = try #require(upstream.requests.first)
        #expect(request.path == "/catalog/fr/playlists/pl.a%2Fb/tracks")
        #expect(request.query.map { "\($0.name)=\($0.value)" } == ["limit=100", "offset=100"])
        #expect(page?.items.count == 1 && page?.nextOffset == nil)
        let noMore = #"{"errors": [{"status": "404", "code": "40403"}]}"#
        let end = try await client(noMore, 404).albums(ofArtist: "1", offset: 25, storefront: "fr")
        #expect(end?.items.isEmpty == true && end?.nextOffset == nil)
        let gone = #"{"errors": [{"status": "404", "code": "40400"}]}"#
        #expect(try await client(gone, 404).tracks(ofAlbum: "7", offset: 25, storefront: "fr") == nil)
    }

    @Test("A playlist has its curator, and no number of songs while there are further pages")
    func playlistFields() async throws {
        func playlist(next: String) async throws -> CatalogPlaylist? {
            try await client(
                """
                {"data": [{"id": "pl.1", "type": "playlists",
                  "attributes": {"name": "Mix", "curatorName": "Cy", "description": {"standard": "All of it"},
                    "artwork": {"url": "https://a.test/600x600.jpg", "width": null}, "url": "javascript:alert(1)"},
                  "relationships": {"tracks": {"data": [\(Self.song)]\(next)}}}]}
                """
            ).playlist("pl.1", storefront: "fr")?.playlist
        }
        let whole = try #require(try await playlist(next: ""))
        #expect(whole.ownerName == "Cy" && whole.description == "All of it" && whole.trackCount == 1)
        #expect(whole.pictures.map(\.address) == ["https://a.test/600x600.jpg"] && whole.url == nil)
        let long = try await playlist(next: #", "next": "/v1/catalog/fr/playlists/pl.1/tracks?offset=100""#)
        #expect(long?.trackCount == nil)
    }
}
