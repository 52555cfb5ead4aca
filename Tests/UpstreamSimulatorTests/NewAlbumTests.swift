import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Albums that come out on command", .timeLimit(.minutes(2)))
struct NewAlbumTests {
    private static let settings = #"{"seed":3,"count":2000}"#
    private let catalog = RecordingCatalog(seed: 3, count: 2_000)

    /// Sends a command, which the simulator must accept.
    private func command(_ server: RunningSimulator, _ method: String, _ path: String, _ body: String = "") async throws
        -> RawResponse
    {
        let answer = try await server.send(method, "/_sim/recordings/\(path)", body: body)
        try #require(answer.status == 200, "\(answer.text)")
        return answer
    }

    private func release(_ server: RunningSimulator, _ body: String) async throws -> [NewAlbumControl.Album] {
        try JSONDecoder().decode(
            [NewAlbumControl.Album].self, from: try await command(server, "POST", "albums", body).body)
    }

    private func spotify(_ server: RunningSimulator, _ token: String, _ path: String) async throws -> [String: Any] {
        let answer = try await server.send("GET", "/spotify/v1/\(path)", headers: ["Authorization: Bearer \(token)"])
        try #require(answer.status == 200, "\(answer.text)")
        return try #require(answer.json)
    }

    /// All albums of an artist, read page by page.
    private func names(_ server: RunningSimulator, _ token: String, ofArtist id: String) async throws -> [String] {
        var names: [String] = []
        var total = 1
        while names.count < total {
            let page = try await spotify(
                server, token, "artists/\(id)/albums?include_groups=album,single&limit=10&offset=\(names.count)")
            let items = try #require(page["items"] as? [[String: Any]])
            total = try #require(page["total"] as? Int)
            try #require(!items.isEmpty && items.count <= 10)
            names += items.compactMap { $0["name"] as? String }
        }
        return names
    }

    @Test("An album and its editions are in the artist's lists at both services, and can be read by their ids")
    func editions() async throws {
        try await withSimulator { server in
            _ = try await command(server, "POST", "settings", Self.settings)
            let (token, _) = try await SpotifyVisitor(server: server).connect()
            let artist = catalog.spotifyID(.artist, 4)
            let before = try await names(server, token, ofArtist: artist)
            let added = try await release(
                server, #"{"artist":4,"title":"Harbor","editions":["Deluxe Edition",""],"tracks":12}"#)
            #expect(added.map(\.title) == ["Harbor", "Harbor (Deluxe Edition)", "Harbor"])
            #expect(added.allSatisfy { $0.spotifyArtistID == artist } && Set(added.map(\.spotifyID)).count == 3)
            let after = try await names(server, token, ofArtist: artist)
            #expect(after.count == before.count + 3 && Set(added.map(\.title)).isSubset(of: after))

            let album = try await spotify(server, token, "albums/\(added[0].spotifyID)")
            #expect(album["album_type"] as? String == "album" && album["total_tracks"] as? Int == 12)
            let tracks = try await spotify(server, token, "albums/\(added[0].spotifyID)/tracks?limit=5")
            #expect((tracks["items"] as? [Any])?.count == 5 && tracks["total"] as? Int == 12)

            let visitor = try await AppleMusicVisitor(server)
            let appleArtist = catalog.appleID(.artist, 4, storefront: "us")
            let listed = try await visitor.list("catalog/us/artists/\(appleArtist)/albums?limit=100")
            #expect(Set(added.map(\.appleID)).isSubset(of: listed.compactMap { $0["id"] as? String }))
            let single = try await visitor.list("catalog/us/albums/\(added[1].appleID)")
            let attributes = try #require(single.first?["attributes"] as? [String: Any])
            #expect(
                attributes["name"] as? String == "Harbor (Deluxe Edition)" && attributes["trackCount"] as? Int == 12)
        }
    }

    @Test("Spotify lists an album from its day on, Apple Music as soon as it is announced")
    func announcedAlbums() async throws {
        try await withSimulator { server in
            _ = try await command(server, "POST", "settings", Self.settings)
            _ = try await command(server, "POST", "day", #"{"day":"2031-03-14"}"#)
            let (token, _) = try await SpotifyVisitor(server: server).connect()
            let artist = catalog.spotifyID(.artist, 4)
            let added = try await release(server, #"{"artist":4,"title":"Tides","kind":"ep","date":"2031-03-20"}"#)
            let id = try #require(added.first)
            #expect(try await !names(server, token, ofArtist: artist).contains("Tides"))
            let visitor = try await AppleMusicVisitor(server)
            let listed = try await visitor.list("catalog/us/albums/\(id.appleID)")
            let attributes = try #require(listed.first?["attributes"] as? [String: Any])
            #expect(attributes["name"] as? String == "Tides - EP")
            #expect(attributes["releaseDate"] as? String == "2031-03-20" && attributes["isSingle"] as? Bool == false)

            _ = try await command(server, "POST", "day", #"{"day":"2031-03-20"}"#)
            #expect(try await names(server, token, ofArtist: artist).contains("Tides"))
            let album = try await spotify(server, token, "albums/\(id.spotifyID)")
            #expect(album["album_type"] as? String == "single" && album["release_date"] as? String == "2031-03-20")

            _ = try await command(server, "DELETE", "albums?number=\(id.number)")
            #expect(try await !names(server, token, ofArtist: artist).contains("Tides"))
            let gone = try await server.send(
                "GET", "/spotify/v1/albums/\(id.spotifyID)", headers: ["Authorization: Bearer \(token)"])
            #expect(gone.status == 404)
        }
    }

    @Test("When the day moves on, some artists release albums with editions, the same ones for a seed")
    func movedDay() async throws {
        try await withSimulator { server in
            func released(_ days: String...) async throws -> [String] {
                _ = try await command(server, "POST", "settings", Self.settings)
                for day in days { _ = try await command(server, "POST", "day", #"{"day":"\#(day)"}"#) }
                return server.simulator.recordings.albums.all.map { "\($0.artist) \($0.title) \($0.date.text)" }
            }
            _ = try await command(server, "POST", "day", #"{"day":"2031-03-01"}"#)
            _ = try await command(server, "POST", "settings", Self.settings)
            let week = try await released("2031-03-08")
            #expect(week.count >= 7 && week.contains { $0.contains("(Deluxe Edition)") })
            #expect(Set(week.compactMap { $0.split(separator: " ").last }).count == 7)
            #expect(try await released("2031-03-01", "2031-03-04", "2031-03-08") == week)
            #expect(try await released("2031-03-01", "2031-02-01").isEmpty, "nothing comes out backwards")
        }
    }

    @Test("An album may be at one service only, and new settings of the recordings take it back")
    func oneService() async throws {
        try await withSimulator { server in
            _ = try await command(server, "POST", "settings", Self.settings)
            let (token, _) = try await SpotifyVisitor(server: server).connect()
            let artist = catalog.spotifyID(.artist, 4)
            _ = try await release(server, #"{"artist":4,"title":"Tides","services":["apple"]}"#)
            #expect(try await !names(server, token, ofArtist: artist).contains("Tides"))
            _ = try await command(server, "POST", "settings", Self.settings)
            #expect(server.simulator.recordings.albums.all.isEmpty)
        }
    }

    @Test(
        "Wrong commands are refused",
        arguments: [
            #"{"artist":50,"title":"Harbor"}"#, #"{"artist":4,"title":""}"#,
            #"{"artist":4,"title":"Harbor","date":"2031-02-30"}"#, #"{"artist":4,"title":"Harbor","tracks":17}"#,
            #"{"artist":4,"title":"Harbor","kind":"tape"}"#, #"{"title":"Harbor"}"#,
        ])
    func refusals(body: String) async throws {
        try await withSimulator { server in
            _ = try await command(server, "POST", "settings", Self.settings)
            #expect(try await server.send("POST", "/_sim/recordings/albums", body: body).status == 400)
            #expect(try await server.send("POST", "/_sim/recordings/day", body: #"{"day":"soon"}"#).status == 400)
            #expect(try await server.send("DELETE", "/_sim/recordings/albums?number=7").status == 400)
        }
    }

    @Test("Dates have a precision, and days exist", arguments: ["2031", "2031-03", "2031-03-14"])
    func dates(text: String) throws {
        let date = try #require(RecordingCatalog.ReleaseDate(text))
        #expect(date.text == text)
        #expect(RecordingCatalog.ReleaseDate(text + "-") == nil && RecordingCatalog.ReleaseDate("20" + text) == nil)
    }
}
