import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Library
import LibraryWriting
import Model
import NIOCore
import Previews
import Storage
import Testing

@testable import Gateway

@Suite("Routes of previews", .timeLimit(.minutes(5)))
struct PreviewRouteTests {
    private func get(
        _ path: String, _ client: any TestClientProtocol, _ headers: HTTPFields
    ) async throws -> [String: Any] {
        let answer = try await client.execute(uri: path, method: .get, headers: headers)
        #expect(answer.status == .ok, "\(path)")
        return try answer.object
    }

    @Test("A preview that a service has sent comes first; otherwise iTunes's answer counts, for everybody")
    func orderOfSources() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            let scan = try await ada.scan(.spotify)
            let hosts = ["https://p.scdn.co/mp3-preview/a", "https://example.org/a.mp3", nil]
            let tracks = hosts.enumerated().map { number, url in
                var track = SourceTrack(sourceID: "\(number)", title: "Song \(number)", artist: "Air", album: "")
                track.previewURL = url
                track.durationMs = 200_000
                return track
            }
            let found = "https://audio-ssl.itunes.apple.com/a.m4a"
            try await ada.write { transaction in
                _ = try transaction.tracks.storeSavedTracks(
                    tracks, by: scan, isWhole: false, now: LibraryPerson.began)
                for (number, url) in [(1, nil), (2, found)] as [(Int, String?)] {
                    try transaction.previews.put(
                        StoredPreview(url: url, foundAt: .now()),
                        to: PreviewQuestion(title: "Song \(number)", artist: "Air", durationMs: 200_000))
                }
            }
            try await gateway.withClient { client in
                let library = LibraryClient(client: client, headers: ada.headers)
                let ids: [String] = try await library.values("tracks?sort=title", "id")
                var answers: [[String: Any]] = []
                for id in ids { answers.append(try await get("/v1/library/tracks/\(id)/preview", client, ada.headers)) }
                #expect(answers.map { $0["url"] as? String } == ["https://p.scdn.co/mp3-preview/a", nil, found])
                #expect(answers.map { $0["source"] as? String } == ["spotify", nil, "itunes"])
                #expect(answers.map { $0["reason"] as? String } == [nil, "none", nil])
                let same = "/v1/previews?title=SONG%202&artist=air&durationMs=200000"
                #expect(try await get(same, client, ada.headers)["url"] as? String == found)
            }
            let jobs = try await gateway.database.read { try $0.row("SELECT COUNT(*) AS n FROM jobs")?["n"] as Int? }
            #expect(jobs == 0)
        }
    }

    @Test(
        "Wrong parameters are refused",
        arguments: [
            ("title=a", "artist"), ("title=&artist=a", "title"), ("title=a&artist=b&durationMs=0", "durationMs"),
            ("title=a&artist=b&durationMs=x", "durationMs"), ("title=a&artist=b&country=cze", "country"),
        ])
    func wrongParameters(query: String, field: String) async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                let answer = try await client.execute(uri: "/v1/previews?\(query)", method: .get, headers: headers)
                #expect(answer.status == .unprocessableContent)
                #expect(try answer.problem.field == field)
            }
        }
    }
}
