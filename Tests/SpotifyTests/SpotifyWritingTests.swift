import Foundation
import Model
import TestSupport
import Testing
import Upstream

@testable import Spotify

@Suite("Changes at Spotify")
struct SpotifyWritingTests {
    /// The one request of a call.
    private func request(
        answer: UpstreamResponse, _ body: (SpotifyClient) async throws -> Void
    ) async throws -> UpstreamRequest {
        let upstream = ScriptedUpstream(answer)
        try await body(SpotifyClient(upstream))
        #expect(upstream.requests.count == 1)
        return try #require(upstream.requests.first)
    }

    private func text(_ request: UpstreamRequest) -> String { String(decoding: request.body ?? [], as: UTF8.self) }

    @Test("Tracks are saved and removed by URIs in the query only")
    func savedTracks() async throws {
        for (method, call) in [
            (.put, { try await $0.save(tracks: ["a", "b"]) }), (.delete, { try await $0.unsave(tracks: ["a", "b"]) }),
        ] as [(UpstreamRequest.Method, (SpotifyClient) async throws -> Void)] {
            let sent = try await request(answer: UpstreamResponse(status: 200, headers: [:], body: []), call)
            #expect(sent.method == method && sent.path == "/me/library" && sent.body == nil)
            #expect(sent.query.map { "\($0.name)=\($0.value)" } == ["uris=spotify:track:a,spotify:track:b"])
        }
    }

    @Test("The check whether tracks are saved has a value for each of them")
    func checkedTracks() async throws {
        let both = SpotifyClient(ScriptedUpstream(.json("[true, false]")))
        #expect(try await both.areSaved(tracks: ["a", "b"]) == [true, false])
        await #expect(throws: SpotifyError.self) {
            try await SpotifyClient(ScriptedUpstream(.json("[true]"))).areSaved(tracks: ["a", "b"])
        }
    }

    @Test("A playlist is private unless declared public, and is never created twice by a retry")
    func createdPlaylist() async throws {
        let made = #"{"id": "p1", "name": "N", "snapshot_id": "s1", "owner": {"id": "ann", "display_name": "Ann"}}"#
        let sent = try await request(answer: .json(made, 201)) { client in
            let playlist = try await client.createPlaylist(name: "N", description: nil, isPublic: false)
            #expect(playlist == .init(id: "p1", version: "s1", ownerID: "ann", ownerName: "Ann"))
        }
        #expect(sent.method == .post && sent.path == "/me/playlists" && !sent.isIdempotent)
        #expect(text(sent).contains(#""public":false"#) && !text(sent).contains("description"))
    }

    @Test("Entries are added at the end or at a position, and removed by URI; the answer has the list's version")
    func addedAndRemovedEntries() async throws {
        let answer = UpstreamResponse.json(#"{"snapshot_id": "s2"}"#, 201)
        let appended = try await request(answer: answer) { client in
            let version = try await client.add(tracks: ["a"], to: "p/1")
            #expect(version == "s2")
        }
        #expect(appended.method == .post && appended.path == "/playlists/p%2F1/items" && !appended.isIdempotent)
        #expect(text(appended) == #"{"uris":["spotify:track:a"]}"#)
        let inserted = try await request(answer: answer) { _ = try await $0.add(tracks: ["a"], to: "p", at: 7) }
        #expect(text(inserted).contains(#""position":7"#))
        let removed = try await request(answer: answer) { client in
            let version = try await client.removeAllEntries(of: ["a", "b"], from: "p")
            #expect(version == "s2")
        }
        #expect(removed.method == .delete && !removed.isIdempotent)
        #expect(text(removed) == #"{"items":[{"uri":"spotify:track:a"},{"uri":"spotify:track:b"}]}"#)
    }

    @Test("The state of a playlist has its version and number of entries; a deleted playlist has no state")
    func stateOfAPlaylist() async throws {
        for member in ["tracks", "items"] {
            let text = #"{"id": "p", "name": "N", "snapshot_id": "s3", "\#(member)": {"total": 12}}"#
            let state = try await SpotifyClient(ScriptedUpstream(.json(text))).playlistState("p")
            #expect(state?.version == "s3" && state?.entryCount == 12)
        }
        let gone = ScriptedUpstream(.json(#"{"error": {"status": 404, "message": "Resource not found"}}"#, 404))
        #expect(try await SpotifyClient(gone).playlistState("p") == nil)
    }

    @Test("A refused change has a definite outcome, and a server error leaves the outcome unknown")
    func outcomesOfChanges() async throws {
        for (status, outcome) in [(403, .refused), (400, .refused), (500, .unknown), (503, .unknown)]
            as [(Int, ProviderFailure.Outcome)]
        {
            let upstream = ScriptedUpstream(
                .json(#"{"error": {"status": \#(status), "message": "Forbidden"}}"#, status))
            let error = await #expect(throws: SpotifyError.self) {
                try await SpotifyClient(upstream).add(tracks: ["a"], to: "p")
            }
            #expect(error?.failure(at: .now()).outcome == outcome, "\(status)")
        }
    }
}
