import ITunes
import Model
import Testing
import Upstream

@Suite("The iTunes client")
struct ITunesClientTests {
    private func client(_ status: Int, _ body: String) -> ITunesClient {
        ITunesClient { _ in
            UpstreamResponse(
                status: status, headers: ["content-type": "text/javascript; charset=utf-8"], body: Array(body.utf8))
        }
    }

    @Test("JSON is read whatever its media type, and non-songs and damaged entries are left out")
    func readSongs() async throws {
        let songs = try await client(
            200,
            """
            {"resultCount": 5, "results": [
              {"wrapperType": "artist", "artistName": "Air"}, null, {"kind": "song", "trackName": 7},
              {"kind": "music-video", "trackName": "A", "artistName": "Air", "previewUrl": "v"},
              {"kind": "song", "trackName": "A", "artistName": "Air", "trackTimeMillis": 1000, "previewUrl": "u",
               "trackExplicitness": "explicit", "collectionName": "B", "new": {}}]}
            """
        ).songs(term: "air")
        #expect(songs.map(\.previewURL) == ["u"] && songs.first?.durationMs == 1_000)
        #expect(songs.first?.isExplicit == true && songs.first?.album == "B")
    }

    @Test("An empty 403 and a 429 mean the limit, not an empty list")
    func limitOfRequests() async {
        for (status, body) in [(403, ""), (429, "")] {
            await #expect(throws: ITunesError.limited) { try await client(status, body).songs(term: "air") }
            let response = UpstreamResponse(status: status)
            #expect(ITunesClient.classify(response) == .retryable(after: .seconds(60)), "\(status)")
        }
        await #expect(throws: ITunesError.upstreamError(status: 403)) {
            try await client(403, "no").songs(term: "air")
        }
        for body in ["", "<html>", "{}"] {
            await #expect(throws: ITunesError.unreadable, "\(body)") { try await client(200, body).songs(term: "air") }
        }
    }
}
