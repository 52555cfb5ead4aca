import Foundation
import TestSupport
import Testing

@testable import UpstreamSimulator

/// Saved tracks and albums, pages, modes, scopes and limits, over HTTP.
@Suite("The simulated Spotify's libraries")
struct SimulatedSpotifyLibraryTests {
    @Test("A person without a library has an empty one")
    func emptyLibrary() async throws {
        try await withSimulator { server in
            let reader = try await SpotifyVisitor(server: server).reader()
            for list in ["me/tracks", "me/albums", "me/playlists"] {
                let page = try await reader.read(list)
                #expect(page["total"] as? Int == 0 && (page["items"] as? [Any])?.isEmpty == true)
                #expect(page["next"] is NSNull && page["limit"] as? Int == 20)
            }
        }
    }

    @Test("Pages follow each other to the total, and a limit that is too large is refused")
    func pagesOfALibrary() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order("library", #"{"tracks": 120, "albums": 21}"#)
            let reader = try await visitor.reader()
            var ids: [String] = []
            var path = "me/tracks?limit=50"
            var pages = 0
            while true {
                let page = try await reader.read(path)
                pages += 1
                #expect(page["total"] as? Int == 120)
                for case let item as [String: Any] in page["items"] as? [Any] ?? [] {
                    ids.append((item["track"] as? [String: Any])?.id ?? "")
                }
                guard let next = page["next"] as? String else { break }
                // The address is absolute, below the address at which the simulator was reached.
                path = String(try #require(next.components(separatedBy: "/spotify/v1/").last))
                #expect(next.hasPrefix("http://127.0.0.1"))
            }
            #expect(pages == 3 && ids.count == 120 && Set(ids).count == 120)
            #expect(try await reader.items("me/tracks").count == 20)
            #expect(try await reader.items("me/albums?offset=20").count == 1)
            for wrong in ["51", "0", "-1", "many"] {
                let refusal = try await reader.refusal("me/tracks?limit=\(wrong)")
                #expect(refusal == CallRefusal(400, "Invalid limit"), "\(wrong)")
            }
            #expect(try await reader.refusal("me/tracks?offset=-1") == CallRefusal(400, "Invalid offset"))
            let counters = try await server.send("GET", "/_sim/spotify/counters").json
            #expect(counters?.path("GET /spotify/v1/me/tracks", "arrivals") as? Int == 9)
        }
    }

    @Test("Tracks that cannot be read are null or missing, and the total counts them")
    func unreadableTracks() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let library = try await visitor.library("library", #"{"tracks": 200, "hidden": 3, "nulls": 2}"#)
            #expect(library.tracks == 200 && library.total == 205)
            let reader = try await visitor.reader()
            let first = try await reader.items("me/tracks?limit=50")
            #expect(first.count == 50 && first.filter { $0 is NSNull }.count == 2)
            #expect(try await reader.items("me/tracks?limit=50&offset=150").count == 47)
        }
    }

    @Test("Development mode has fewer fields than an older app")
    func modesOfApps() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order("library", #"{"tracks": 1, "albums": 1}"#)
            let reader = try await visitor.reader()
            func track() async throws -> [String: Any] {
                let item = try await reader.items("me/tracks").first as? [String: Any]
                return try #require(item?["track"] as? [String: Any])
            }
            let short = try await track()
            #expect(short["popularity"] == nil && short["available_markets"] == nil && short["is_playable"] == nil)
            let artist = try #require((short["artists"] as? [[String: Any]])?.first?.id)
            let album = try #require((short["album"] as? [String: Any])?.id)
            #expect(try await reader.read("artists/\(artist)")["followers"] == nil)
            #expect(try await reader.read("albums/\(album)")["label"] == nil)
            #expect(try await reader.read("tracks/\(short.id)?market=CZ")["is_playable"] as? Bool == true)
            for gone in ["tracks?ids=\(short.id)", "albums?ids=\(album)", "artists?ids=\(artist)"] {
                #expect(try await reader.refusal(gone) == CallRefusal(403, "Forbidden"), "\(gone)")
            }

            try await visitor.order("config", #"{"mode": "legacy"}"#)
            let long = try await track()
            #expect(long["popularity"] is Int && long["available_markets"] is [Any])
            #expect(try await reader.read("artists/\(artist)")["followers"] != nil)
            let several = try await reader.read("tracks?ids=\(short.id),0000000000000000000000")
            #expect((several["tracks"] as? [Any])?.count == 2)
            #expect((several["tracks"] as? [Any])?.last is NSNull)
        }
    }

    @Test("Single objects are found by their ids; unknown ones are 404, malformed ones 400")
    func singleObjects() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let reader = try await visitor.reader(scope: "user-read-private")
            let catalog = RecordingCatalog()
            let release = Release(artist: 5, edition: .deluxe)
            let id = catalog.spotifyID(.album, UInt64(release.number))
            let album = try await reader.read("albums/\(id)")
            #expect(album.name == catalog.title(of: release, on: .spotify))
            #expect(album["total_tracks"] as? Int == 16)
            #expect((album.path("tracks", "items") as? [Any])?.count == 16)
            #expect(try await reader.items("albums/\(id)/tracks?limit=5&offset=10").count == 5)
            let artist = catalog.spotifyID(.artist, 5)
            #expect(try await reader.items("artists/\(artist)/albums").count == 5)
            #expect(try await reader.refusal("artists/\(artist)/albums?limit=11") == CallRefusal(400, "Invalid limit"))
            for kind in ["tracks", "albums", "artists", "playlists"] {
                #expect(try await reader.refusal("\(kind)/short") == CallRefusal(400, "Invalid base62 id"), "\(kind)")
                let unknown = try await reader.refusal("\(kind)/37i9dQZF1DX0XUsuxWHRQd")
                #expect(unknown == CallRefusal(404, "Resource not found"), "\(kind)")
            }
        }
    }

    @Test("With a market, tracks say whether they can be played in the country of the account")
    func playableInTheMarket() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order("library", #"{"tracks": 200}"#)
            let reader = try await visitor.reader()
            func tracks(_ market: String) async throws -> [[String: Any]] {
                var found: [[String: Any]] = []
                for offset in stride(from: 0, to: 200, by: 50) {
                    found += try await reader.items("me/tracks?limit=50&offset=\(offset)&market=\(market)")
                        .compactMap { ($0 as? [String: Any])?["track"] as? [String: Any] }
                }
                return found
            }
            let home = try await tracks("CZ")
            let blocked = home.filter { $0["is_playable"] as? Bool == false }
            #expect(home.count == 200 && (1..<20).contains(blocked.count))
            #expect(home.allSatisfy { $0["is_playable"] is Bool })
            #expect(blocked.allSatisfy { $0.path("restrictions", "reason") as? String == "market" })
            #expect(home.filter { $0["restrictions"] != nil }.count == blocked.count)
            let away = try await tracks("US").filter { $0["is_playable"] as? Bool == false }
            #expect(away.map(\.id) == blocked.map(\.id))
        }
    }

    @Test("An artist's releases are in groups, including a group for those of others")
    func releasesOfAnArtist() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let reader = try await visitor.reader()
            let catalog = RecordingCatalog()
            let host = try #require((0..<catalog.artists).first { catalog.guest(ofSong: $0 * 40) != nil })
            let guest = try #require(catalog.guest(ofSong: host * 40))
            let path = "artists/\(catalog.spotifyID(.artist, UInt64(guest)))/albums?limit=10"
            func names(_ groups: String) async throws -> [String] {
                try await reader.items(path + "&include_groups=" + groups).compactMap {
                    ($0 as? [String: Any])?["album_type"] as? String
                }
            }
            #expect(try await names("album") == Array(repeating: "album", count: 5))
            #expect(try await names("compilation,single") == ["single", "compilation"])
            let others = catalog.guestReleases(ofArtist: guest)
            #expect(others.contains(Release(artist: host, edition: .single)))
            let page = try await reader.read(path + "&include_groups=appears_on")
            #expect(page["total"] as? Int == others.count)
            #expect(try await reader.read(path)["total"] as? Int == 7 + others.count)
            let wrong = try await reader.refusal(path + "&include_groups=albums")
            #expect(wrong == CallRefusal(400, "Invalid include_groups"))
            let short = try await reader.items(path).first as? [String: Any]
            #expect(short?["name"] != nil && short?["album_group"] == nil)
            try await visitor.order("config", #"{"mode": "legacy"}"#)
            let old = try await reader.items(path + "&include_groups=appears_on").first as? [String: Any]
            #expect(old?["album_group"] as? String == "appears_on")
        }
    }

    @Test("A fault can affect a single page, whatever the order of the calls")
    func faultyPage() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order("library", #"{"tracks": 100}"#)
            let rule = #"{"fault": "limit429", "retryAfter": 1, "times": 1, "match": {"query": "offset=50"}}"#
            try await visitor.order("faults", rule)
            let reader = try await visitor.reader()
            #expect(try await reader.get("me/tracks?limit=50&offset=0").status == 200)
            #expect(try await reader.get("me/tracks?limit=50&offset=50").status == 429)
            #expect(try await reader.get("me/tracks?limit=50&offset=50").status == 200)
        }
    }

    @Test("Each list needs its scope")
    func requiredScopes() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let library = try await visitor.library("library", #"{"tracks": 2, "playlists": 5}"#)
            let reader = try await visitor.reader(scope: "user-read-private")
            let playlist = try #require(library.playlists.first { $0.isOwn }?.id)
            for path in ["me/tracks", "me/albums", "me/playlists", "playlists/\(playlist)/items"] {
                let refusal = try await reader.refusal(path)
                #expect(refusal == CallRefusal(403, "Insufficient client scope"), "\(path)")
            }
            let withoutShared = try await visitor.reader(scope: "playlist-read-private")
            #expect(try await withoutShared.items("me/playlists").count == 4)
            #expect(try await visitor.reader().items("me/playlists").count == 5)
        }
    }

    @Test("An app has a limit in a rolling window, in JSON or in text")
    func rollingWindow() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let reader = try await visitor.reader()
            try await visitor.order("config", #"{"requestsPerWindow": 3, "windowSeconds": 600}"#)
            for _ in 0..<3 { #expect(try await reader.get("me/tracks").status == 200) }
            let refused = try await reader.get("me/tracks")
            #expect(refused.status == 429 && refused.text.contains("API rate limit exceeded"))
            let wait = try #require(refused.headers["retry-after"].flatMap { Int($0) })
            #expect((1...600).contains(wait))
            // Another person using the same app is also refused.
            try await visitor.order("config", #"{"signedInAs": "listener-7", "limitForm": "text"}"#)
            let other = try await visitor.reader()
            let text = try await other.get("me")
            #expect(text.status == 429 && text.body.count == 17 && text.headers["content-type"] == "text/plain")
            try await visitor.order("config", #"{"retryAfterSeconds": 86400}"#)
            #expect(try await other.get("me").headers["retry-after"] == "86400")
            let windows = try await server.send("GET", "/_sim/spotify/window").json
            #expect(windows?.path("demo-spotify-client", "admitted") as? Int == 3)
            #expect(windows?.path("demo-spotify-client", "refused") as? Int == 3)
            try await visitor.order("config", #"{"requestsPerWindow": 0}"#)
            #expect(try await reader.get("me/tracks").status == 200)
        }
    }

    @Test("A library changes on command, at once or while a client pages through it")
    func changesOfALibrary() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order("library", #"{"tracks": 100}"#)
            let reader = try await visitor.reader()
            let swapped = try await visitor.library("library/changes", #"{"replace": 1}"#)
            #expect(swapped.total == 100 && swapped.added.count == 1 && swapped.removed.count == 1)
            let newest = try await reader.items("me/tracks?limit=1").first as? [String: Any]
            #expect((newest?["track"] as? [String: Any])?.id == swapped.added[0])
            let later = try await visitor.library(
                "library/changes", #"{"add": 2, "after": {"list": "tracks", "page": 1}}"#)
            #expect(later.total == 100 && later.waiting == 1)
            #expect(try await reader.read("me/tracks?limit=50")["total"] as? Int == 100)
            #expect(try await reader.read("me/tracks?limit=50&offset=50")["total"] as? Int == 102)
            let wrong = try await server.send("POST", "/_sim/spotify/library/changes", body: #"{"remove": 1000}"#)
            #expect(wrong.status == 400 && wrong.text.contains("fewer"))
            let huge = try await server.send("POST", "/_sim/spotify/library", body: #"{"tracks": 100001}"#)
            #expect(huge.status == 400)
            let nobody = try await server.send("POST", "/_sim/spotify/library", body: #"{"person": "nobody"}"#)
            #expect(nobody.status == 400 && nobody.text.contains("nobody"))
            let truth = try await server.send("GET", "/_sim/spotify/library/truth?limit=1")
            let entries = try JSONDecoder().decode([LibraryTruth].self, from: truth.body)
            #expect(entries.count == 1)
            #expect(try await reader.read("tracks/\(entries[0].id)").id == entries[0].id)
        }
    }

    @Test(
        "A saved track has the members of recorded ones",
        .enabled(if: RecordedPayloads.spotify.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
    func shapeOfATrack() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            try await visitor.order("config", #"{"mode": "legacy"}"#)
            try await visitor.order("library", #"{"tracks": 50, "oddities": false}"#)
            let page = try await visitor.reader().read("me/tracks?limit=50")
            let recorded = Shape(try RecordedPayloads.spotify.json("zmb3_current_users_tracks.json"))
            let simulated = Set(Shape(page).leaves.keys)
            // The recording is older than these.
            let newer = simulated.subtracting(recorded.leaves.keys).filter {
                !$0.contains(".album.artists[]") && !$0.contains("release_date") && !$0.hasSuffix(".total_tracks")
                    && !$0.hasSuffix(".is_local") && !$0.contains(".external_ids.ean")
            }
            #expect(newer.isEmpty, "\(newer)")
            #expect(Set(recorded.leaves.keys).isSubset(of: simulated))
        }
    }
}
