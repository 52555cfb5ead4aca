import Contracts
import Foundation
import Model
import Releases
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("New releases, from Spotify to the feed's items", .timeLimit(.minutes(10)))
struct ReleaseProcessTests {
    /// What the database has of a person and of the timeline.
    private struct View: Sendable {
        let spotify: SpotifyInstallation
        let userID: String

        func refresh() async throws -> ReleaseRefresh? {
            try await spotify.base.withDatabase { database in
                try await database.read { try $0.releases.refresh(ofUser: userID) }
            }
        }

        func refreshEnds() async throws -> ReleaseRefresh {
            try await eventually("the end of the refresh") {
                guard let state = try await refresh()?.state else { return false }
                return state == .done || state == .failed
            }
            return try #require(try await refresh())
        }

        /// The titles of the releases in the timeline, in the order in which they became news.
        func news() async throws -> [String] {
            try await spotify.base.withDatabase { database in
                try await database.read { reader in
                    let numbers = try reader.map(
                        "SELECT number FROM timeline_items WHERE kind = 3 ORDER BY score, number"
                    ) { try $0["number"] as Int64 }
                    let releases = try reader.releases.published(numbers)
                    return numbers.compactMap { releases[$0]?.title }
                }
            }
        }

        /// Has the lists of all artists read again, as on the next day.
        func readAgain() async throws {
            try await spotify.base.withDatabase { database in
                try await database.write { transaction in
                    let now = Timestamp.now()
                    let yesterday = now.advanced(by: .seconds(-86_400))
                    try transaction.run("UPDATE release_lists SET checked_at = \(yesterday)")
                    try transaction.releases.beginRefresh(ofUser: userID, now: now)
                }
            }
        }
    }

    private struct Me: Decodable {
        var id: String
    }

    @Test("An album of a ranked artist that comes out is one item of the feed, with its editions, and survives a kill")
    func albumComesOut() async throws {
        let environment = ["BACKLINE_RELEASES_ACTIVE_DAYS": "30"]
        try await SpotifyInstallation.run(environment: environment) { spotify in
            try await spotify.upstream.configure(["requestsPerWindow": 0])
            let ada = try await spotify.base.addUser("ada")
            let view = View(spotify: spotify, userID: try await ada.get("/v1/me").decode(Me.self).id)
            // The simulator names the artist and its id.
            let old = try await spotify.upstream.release("Old Album", artist: 4, date: "2001-05")
            let artist = try #require(old.first)
            let body = JSON.object([
                "name": .string(artist.artist), "spotifyId": .string(artist.spotifyArtistID),
            ]).encoded
            #expect(try await ada.post("/v1/artists", body).status == 201)
            #expect(try await spotify.connect(ada).status == 200)
            let first = try await view.refreshEnds()
            #expect(first.state == .done && first.done == 1 && first.total == 1)
            #expect(try await view.news().isEmpty)

            try await spotify.upstream.release("Harbor", artist: 4, editions: ["Deluxe Edition", ""])
            try await view.readAgain()
            _ = try await view.refreshEnds()
            #expect(try await view.news() == ["Harbor"])

            // A worker that is killed while Spotify answers leaves the rest to the next one.
            try await spotify.upstream.release("Lanterns", artist: 4, kind: "single")
            let calls = try await spotify.upstream.calls("/albums")
            try await spotify.upstream.injectFault("hold", endpoint: "artists/{id}/albums", times: 1)
            try await view.readAgain()
            try await eventually("the call to Spotify") { try await spotify.upstream.calls("/albums") > calls }
            for worker in spotify.base.running("sync-worker") { worker.kill() }
            _ = try await spotify.base.startWorker(.sync)
            _ = try await view.refreshEnds()
            #expect(try await view.news() == ["Harbor", "Lanterns"])
        }
    }
}
