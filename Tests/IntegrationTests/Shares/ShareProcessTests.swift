import Model
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("Shares between people of two services", .timeLimit(.minutes(30)))
struct ShareProcessTests {
    private struct Share: Decodable, Sendable {
        var id: String
        var gone: Bool?
    }

    private struct Places: Decodable, Sendable {
        struct Place: Decodable, Sendable {
            var source: String
            var sourceId: String?
            var isSearch: Bool
        }

        var sources: [Place]
    }

    private struct Link: Decodable, Sendable {
        var url: String
    }

    /// A client's id with a number.
    private func path(_ number: Int) -> String {
        "/v1/shares/00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
    }

    @Test("What one person shares from Spotify is found in another one's Apple Music, also by workers that are killed")
    func otherService() async throws {
        try await LibraryInstallation.run { library in
            try await library.fill(library.upstreams.spotify, tracks: 20, oddities: false)
            try await library.fill(library.upstreams.appleMusic, tracks: 1, first: 5_000, oddities: false)
            let (ada, bob) = (try await library.base.addUser("ada"), try await library.base.addUser("bob"))
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            try await library.connectAppleMusic(bob)
            try await bob.syncsEnded()
            let songs = try await ada.libraryTracks().prefix(6)
            #expect(songs.count == 6)

            // Every request is sent again, to a gateway that was killed in between: nothing is lost or doubled.
            var shares: [Share] = []
            for (number, song) in songs.enumerated() {
                let body = Array(#"{"song":{"libraryTrackId":"\#(song.id)"}}"#.utf8)
                let made: Share = try await ada.send(.PUT, path(number), body: body).decode()
                shares.append(made)
                guard number == 2 else { continue }
                try await library.killGateway()
                let again: Share = try await ada.send(.PUT, path(number), body: body).decode()
                #expect(again.id == made.id)
            }
            #expect(Set(shares.map(\.id)).count == songs.count)

            for share in shares {
                let places: Places = try await bob.get("/v1/shares/\(share.id)/song").decode()
                #expect(places.sources.first { $0.source == "appleMusic" }?.isSearch == true)
            }
            try await library.killWorker()
            try await eventually("all songs to be looked up", within: LibraryInstallation.patience) {
                // A search that the killed worker had begun may have ended without an answer.
                for share in shares { _ = try await bob.get("/v1/shares/\(share.id)/song") }
                return try await matches(library).count == songs.count
            }
            let found = try await matches(library).compactMap(\.self)
            #expect(found.count >= 3, "the catalogs have most songs in common")
            let calls = try await library.upstreams.appleMusic.callsByEndpoint().values.reduce(0, +)
            var opened = 0
            for share in shares {
                let places: Places = try await bob.get("/v1/shares/\(share.id)/song").decode()
                if places.sources.contains(where: { $0.source == "appleMusic" && !$0.isSearch }) { opened += 1 }
            }
            #expect(opened == found.count)
            #expect(try await library.upstreams.appleMusic.callsByEndpoint().values.reduce(0, +) == calls)
        }
    }

    @Test("A link works without an account until the share is taken back, and its secret is in no log")
    func link() async throws {
        try await LibraryInstallation.run { library in
            try await library.fill(library.upstreams.spotify, tracks: 1, oddities: false)
            let ada = try await library.base.addUser("ada")
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            let song = try #require(try await ada.libraryTracks().first)
            let share: Share = try await ada.send(
                .PUT, path(1), body: Array(#"{"song":{"libraryTrackId":"\#(song.id)"}}"#.utf8)
            ).decode()
            let link: Link = try await ada.post("/v1/shares/\(share.id)/links", "{}").decode()
            let prefix = try #require(link.url.firstRange(of: "/p/"))
            let secret = String(link.url[prefix.upperBound...])
            var stranger = ada
            stranger.token = nil
            let calls = try await library.upstreams.spotify.callsByEndpoint().values.reduce(0, +)
            let page = try await stranger.get("/p/\(secret)")
            #expect(page.status == 200 && page.header("X-Robots-Tag") != nil)
            #expect(page.header("Referrer-Policy") == "no-referrer")
            #expect(try await stranger.send(.POST, "/p/\(secret)").status == 405)
            #expect(try await stranger.get("/p/\(secret)/nothing").status == 404)
            #expect(try await ada.send(.DELETE, "/v1/shares/\(share.id)").status == 204)
            #expect(try await stranger.get("/p/\(secret)").status == 404)
            #expect(try await library.upstreams.spotify.callsByEndpoint().values.reduce(0, +) == calls)
            for gateway in library.base.running("api-gateway") {
                let lines = gateway.output.lines + gateway.errors.lines
                #expect(!lines.contains { $0.contains(secret) })
            }
        }
    }

    /// What the catalogs have for the songs that were looked up; `nil` for none.
    private func matches(_ library: LibraryInstallation) async throws -> [String?] {
        try await library.base.withDatabase { database in
            try await database.read { reader in
                try reader.map("SELECT item FROM share_matches") { try $0["item"] as String? }
            }
        }
    }
}
