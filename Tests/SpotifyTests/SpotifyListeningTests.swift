import Foundation
import Model
import TestSupport
import Testing
import Upstream

@testable import Spotify

@Suite("Recently played songs on Spotify")
struct SpotifyListeningTests {
    private func recent(_ text: String) async throws -> RecentPlays {
        try await SpotifyClient(accessToken: Secret("t"), send: ScriptedUpstream(.json(text)).send).recentlyPlayed()
    }

    @Test("The last plays are requested without a cursor")
    func requestOfPlays() async throws {
        let upstream = ScriptedUpstream(.json(#"{"items": [], "next": null, "cursors": null, "limit": 50}"#))
        let recent = try await SpotifyClient(accessToken: Secret("t"), send: upstream.send).recentlyPlayed()
        let request = try #require(upstream.requests.first)
        #expect(request.path == "/me/player/recently-played")
        #expect(request.query.map { "\($0.name)=\($0.value)" } == ["limit=50"])
        #expect(recent.plays.isEmpty && recent.count == 0)
    }

    @Test("A play has its time to the millisecond; entries without a track or a time are left out and counted")
    func playsOfAList() async throws {
        let track = #"{"id": "t1", "name": "One", "type": "track", "duration_ms": 1234, "artists": [{"name": "Ann"}]}"#
        let episode = #"{"id": "e1", "name": "Talk", "type": "episode"}"#
        let recent = try await recent(
            """
            {"items": [{"track": \(track), "played_at": "2026-02-25T20:15:20.497Z", "context": null},
                {"track": \(track)}, {"track": \(episode), "played_at": "2026-02-25T20:15:20.497Z"}, null]}
            """)
        #expect(recent.count == 4)
        #expect(recent.plays.map(\.endedAt) == [Timestamp(rfc3339: "2026-02-25T20:15:20.497Z")])
        #expect(recent.plays.first?.track.title == "One" && recent.plays.first?.track.durationMs == 1_234)
    }

    @Test("An answer that is not a page is an error")
    func noPage() async throws {
        await #expect(throws: SpotifyError.self) { try await recent(#"{"plays": []}"#) }
    }

    @Test(
        "A recorded list is read completely",
        .enabled(if: RecordedPayloads.listens.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
    func recordedList() async throws {
        let data = try RecordedPayloads.listens.data("spotify_recently_played_first30of48.json")
        let recent = try await recent(String(decoding: data, as: UTF8.self))
        #expect(recent.count == 30 && recent.plays.count == 30)
        #expect(recent.plays.allSatisfy { $0.track.durationMs != nil && $0.track.isrc != nil })
        #expect(recent.plays.map(\.endedAt) == recent.plays.map(\.endedAt).sorted(by: >))
    }
}
