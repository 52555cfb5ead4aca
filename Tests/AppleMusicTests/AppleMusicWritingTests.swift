import Foundation
import Model
import TestSupport
import Testing
import Upstream

@testable import AppleMusic

@Suite("Changes at Apple Music")
struct AppleMusicWritingTests {
    /// The one request of a call.
    private func request(
        answer: UpstreamResponse, _ body: (AppleMusicClient) async throws -> Void
    ) async throws -> UpstreamRequest {
        let upstream = ScriptedUpstream(answer)
        try await body(
            AppleMusicClient(developerToken: { Secret("signed") }, userToken: Secret("user"), send: upstream.send))
        #expect(upstream.requests.count == 1)
        let sent = try #require(upstream.requests.first)
        #expect(sent.method == .post && !sent.isIdempotent)
        #expect(sent.secretHeaders.map(\.name) == ["Authorization", "Music-User-Token"])
        return sent
    }

    private let nothing = UpstreamResponse(status: 204, headers: [:], body: [])

    @Test("Songs are saved by catalog ids in the query")
    func savingSongs() async throws {
        let sent = try await request(answer: UpstreamResponse(status: 202, headers: [:], body: [])) {
            try await $0.save(songs: ["11", "12"])
        }
        #expect(sent.path == "/me/library" && sent.body == nil)
        #expect(sent.query.map { "\($0.name)=\($0.value)" } == ["ids[songs]=11,12"])
    }

    @Test("A playlist is created, and its id is read; an answer without one is unreadable")
    func creatingAPlaylist() async throws {
        let sent = try await request(answer: .json(#"{"data": [{"id": "p.1", "type": "library-playlists"}]}"#, 201)) {
            let id = try await $0.createPlaylist(name: "N", description: "D")
            #expect(id == "p.1")
        }
        #expect(sent.path == "/me/library/playlists")
        let body = try JSONSerialization.jsonObject(with: Data(sent.body ?? [])) as? [String: [String: String]]
        #expect(body == ["attributes": ["name": "N", "description": "D"]])
        _ = try await request(answer: .json(#"{"data": []}"#, 201)) { client in
            await #expect(throws: AppleMusicError.unreadable) {
                try await client.createPlaylist(name: "N", description: nil)
            }
        }
    }

    @Test("Songs are added by their catalog or library ids")
    func addingSongs() async throws {
        let sent = try await request(answer: nothing) { try await $0.add(songs: ["11", "i.2"], to: "p.1") }
        #expect(sent.path == "/me/library/playlists/p.1/tracks")
        let body = try JSONSerialization.jsonObject(with: Data(sent.body ?? [])) as? [String: [[String: String]]]
        #expect(body == ["data": [["id": "11", "type": "songs"], ["id": "i.2", "type": "library-songs"]]])
    }

    @Test("The number of entries is the list's total: 0 for an empty playlist, and none for a deleted one")
    func numberOfEntries() async throws {
        for (answer, count) in [
            (.json(#"{"data": [], "meta": {"total": 7}}"#), 7), (.json(#"{"data": []}"#), nil),
            (.json(#"{"errors": [{"code": "40403", "status": "404"}]}"#, 404), 0),
            (.json(#"{"errors": [{"code": "40400", "status": "404"}]}"#, 404), nil),
        ] as [(UpstreamResponse, Int?)] {
            let upstream = ScriptedUpstream(answer)
            let client = AppleMusicClient(
                developerToken: { Secret("signed") }, userToken: Secret("user"), send: upstream.send)
            #expect(try await client.entryCount(of: "p.1") == count)
        }
    }

    @Test("Without a subscription a change is refused, and a server error leaves the outcome unknown")
    func outcomesOfRefusalsAndErrors() async throws {
        for (answer, outcome) in [
            (.json(#"{"errors": [{"code": "40015", "status": "400"}]}"#, 400), .refused),
            (.json("{}", 500), .unknown),
        ] as [(UpstreamResponse, ProviderFailure.Outcome)] {
            _ = try await request(answer: answer) { client in
                let error = await #expect(throws: AppleMusicError.self) { try await client.save(songs: ["1"]) }
                #expect(error?.failure(at: .now()).outcome == outcome)
            }
        }
    }
}
