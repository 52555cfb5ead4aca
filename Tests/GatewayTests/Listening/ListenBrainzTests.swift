import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

@testable import Gateway

@Suite("The ListenBrainz API", .timeLimit(.minutes(5)))
struct ListenBrainzTests {
    private typealias Fixture = ListenBrainzFixture

    @Test("Listens that were sent in any way are listed, newest first, with their details")
    func submittedListens() async throws {
        try await Fixture.run { fixture, _ in
            let info = #"{"duration_ms":142200,"tracknumber":1,"release_mbid":"","nested":{"a":{"b":[1, 2]}},"x":null}"#
            let first = try await fixture.submit(Fixture.body("single", Fixture.listen(1_635_000_000, info: info)))
            #expect(first.status == 200 && first.text == #"{"status":"ok"}"#)
            let twice = Fixture.listen(1_635_000_600, title: "Two")
            #expect(try await fixture.submit(Fixture.body("import", twice, twice, twice)).status == 200)
            let page = try await fixture.send(.get, "/1/user/\(fixture.name)/listens").payload
            let listens = try #require(page["listens"] as? [[String: Any]])
            #expect(listens.map { $0["listened_at"] as? Int } == [1_635_000_600, 1_635_000_000])
            #expect(page["count"] as? Int == 2 && page["user_id"] as? String == fixture.name)
            #expect(page["latest_listen_ts"] as? Int == 1_635_000_600)
            #expect(page["oldest_listen_ts"] as? Int == 1_635_000_000)
            let metadata = try #require(listens[1]["track_metadata"] as? [String: Any])
            let said = try #require(metadata["additional_info"] as? [String: Any])
            #expect(said["tracknumber"] as? Int == 1 && said["duration_ms"] as? Int == 142_200)
            #expect(said["nested.a.b"] as? [Int] == [1, 2] && said["release_mbid"] == nil && said["x"] == nil)
            #expect(said["recording_msid"] as? String == listens[1]["recording_msid"] as? String)
            #expect(try await fixture.send(.get, "/1/user/\(fixture.name)/listen-count").payload["count"] as? Int == 2)

            let own = try await fixture.client.execute(
                uri: "/v1/listening/listens", method: .get, headers: fixture.person)
            #expect(String(buffer: own.body).contains(#""listenedAt":"2021-10-23T14:40:00.000000Z""#))
            #expect(String(buffer: own.body).contains(#""total":2"#))
        }
    }

    @Test(
        "An invalid body is refused with ListenBrainz's words, and nothing of it is stored",
        arguments: [
            ("[]", "Invalid JSON document submitted. Top level of JSON document should be a json object."),
            ("{", "Cannot parse JSON document: "),
            (
                #"{"listen_type":"single","payload":{}}"#,
                "The payload in the JSON document should be a list of listens."
            ),
            (#"{"listen_type":"single","payload":[]}"#, "JSON document does not contain any listens"),
            (#"{"listen_type":"some","payload":[1]}"#, "JSON document requires a valid listen_type key."),
            (
                Fixture.body("single", Fixture.listen(1_635_000_000), Fixture.listen(1_635_000_001)),
                "JSON document contains more than listen for a single/playing_now. It should contain only one."
            ),
            (
                #"{"listen_type":"single","payload":[{"track_metadata":{}}]}"#,
                "JSON document must contain the key listened_at at the top level."
            ),
            (
                #"{"listen_type":"single","payload":[{"listened_at":1635000000,"track_metadata":null}]}"#,
                "JSON document may not have track_metadata with null value."
            ),
            (
                #"{"listen_type":"single","payload":[{"listened_at":1635000000,"track_metadata":{},"x":1}]}"#,
                "JSON document may only contain listened_at and track_metadata top level keys"
            ),
            (
                Fixture.body("playing_now", Fixture.listen(1_635_000_000)),
                "JSON document must not contain listened_at while submitting playing_now."
            ),
            (
                Fixture.body("single", Fixture.listen(100)),
                "Value for key listened_at is too low. listened_at timestamp should be greater than 1033410600 "
                    + "(2002-10-01 00:00:00 UTC)."
            ),
            (Fixture.body("single", Fixture.listen(99_999_999_999)), "Value for key listened_at is too high."),
            (
                Fixture.body("single", #"{"listened_at":1635000000,"track_metadata":{"track_name":"a"}}"#),
                "JSON document does not contain required field track_metadata.artist_name."
            ),
            (
                Fixture.body("single", Fixture.listen(1_635_000_000, title: " ")),
                "field track_metadata.track_name is empty."
            ),
            (
                Fixture.body(
                    "single", #"{"listened_at":1635000000,"track_metadata":{"track_name":["a"],"artist_name":"b"}}"#),
                "track_metadata.track_name must be a single string."
            ),
            (
                Fixture.body("single", Fixture.listen(1_635_000_000, info: #"{"duration":1,"duration_ms":1}"#)),
                "JSON document should not contain both duration and duration_ms."
            ),
            (
                Fixture.body("single", Fixture.listen(1_635_000_000, info: #"{"recording_mbid":"mbz-123"}"#)),
                "recording_mbid MBID format invalid."
            ),
            (
                Fixture.body(
                    "import", Fixture.listen(1_635_000_000),
                    Fixture.listen(1_635_000_300, info: #"{"artist_mbids":["","x"]}"#)),
                "artist_mbids MBID format invalid."
            ),
            (
                Fixture.body("single", Fixture.listen(1_635_000_000, title: #"a\u0000b"#)),
                #"\u0000 is not allowed in a listen."#
            ),
        ])
    func refusedBodies(body: String, text: String) async throws {
        try await Fixture.run { fixture, _ in
            let answer = try await fixture.submit(body)
            #expect(answer.status == 400)
            #expect(answer.error?.hasPrefix(text) == true, "\(answer.text)")
            #expect(try answer.json["code"] as? Int == 400)
            #expect(answer.headers[.accessControlAllowOrigin] == "*")
            #expect(try await fixture.send(.get, "/1/user/\(fixture.name)/listen-count").payload["count"] as? Int == 0)
        }
    }

    @Test("Bodies that are too large, or have too many or too long listens, are refused")
    func sizesOfBodies() async throws {
        try await Fixture.run { fixture, _ in
            let many = (0..<1_001).map { Fixture.listen(1_635_000_000 + $0) }.joined(separator: ",")
            #expect(
                try await fixture.submit(#"{"listen_type":"import","payload":[\#(many)]}"#).error
                    == "Too many listens. You may not submit more than 1000 listens at once.")
            let long = Fixture.listen(1_635_000_000, info: #"{"x":"\#(String(repeating: "x", count: 10_240))"}"#)
            #expect(
                try await fixture.submit(Fixture.body("single", long)).error
                    == "JSON document is too large. Each listens may not be larger than 10240 bytes.")
            let huge = try await fixture.submit(String(repeating: " ", count: 10_240_001))
            #expect(huge.status == 413)
            #expect(huge.error == "Payload too large. Payload cannot exceed 10240000 bytes")
            let most = (0..<1_000).map { Fixture.listen(1_635_000_000 + $0 * 300) }.joined(separator: ",")
            #expect(try await fixture.submit(#"{"listen_type":"import","payload":[\#(most)]}"#).status == 200)
            #expect(
                try await fixture.send(.get, "/1/user/\(fixture.name)/listen-count").payload["count"] as? Int == 1_000)
        }
    }

    @Test("A playing song is shown until its listen is reported, and can be ended")
    func playingNow() async throws {
        try await Fixture.run { fixture, _ in
            let song =
                #"{"track_metadata":{"artist_name":"Ada","track_name":"One","additional_info":{"duration":200}}}"#
            let path = "/1/user/\(fixture.name)/playing-now"
            let answer = try await fixture.send(
                .post, "/1/submit-listens?return_msid=true", Fixture.body("playing_now", song))
            #expect(try UUID(uuidString: #require(answer.json["recording_msid"] as? String)) != nil)
            let shown = try await fixture.send(.get, path, "{}").payload
            #expect(shown["count"] as? Int == 1)
            let recent = try await fixture.client.execute(
                uri: "/v1/listening/recent", method: .get, headers: fixture.person)
            #expect(String(buffer: recent.body).hasPrefix(#"{"playingNow":{"title":"One","artist":"Ada""#))
            _ = try await fixture.submit(Fixture.body("single", Fixture.listen(1_635_000_000)))
            #expect(try await fixture.send(.get, path).payload["count"] as? Int == 0)
            _ = try await fixture.submit(Fixture.body("playing_now", song))
            #expect(try await fixture.send(.post, "/1/playing-now/delete").text == #"{"status":"ok"}"#)
            #expect(try await fixture.send(.get, path).payload["count"] as? Int == 0)
        }
    }

    @Test("Statistics have the forms of ListenBrainz, and are empty without listens")
    func statistics() async throws {
        try await Fixture.run { fixture, _ in
            let path = "/1/stats/user/\(fixture.name)"
            let none = try await fixture.send(.get, "\(path)/artists")
            #expect(none.status == 204 && none.text.isEmpty)
            // A Saturday, at 14:40 and 14:50.
            let listens = [
                Fixture.listen(1_635_000_000), Fixture.listen(1_635_000_600),
                Fixture.listen(1_635_001_200, title: "Two"),
            ].joined(separator: ",")
            _ = try await fixture.submit(#"{"listen_type":"import","payload":[\#(listens)]}"#)
            let artists = try await fixture.send(.get, "\(path)/artists?range=all_time").payload
            #expect(artists["total_artist_count"] as? Int == 1 && artists["count"] as? Int == 1)
            #expect((artists["artists"] as? [[String: Any]])?.first?["listen_count"] as? Int == 3)
            let songs = try await fixture.send(.get, "\(path)/recordings?count=1&offset=1").payload
            #expect((songs["recordings"] as? [[String: Any]])?.map { $0["track_name"] as? String } == ["Two"])
            let days = try await fixture.send(.get, "\(path)/daily-activity").payload
            let saturday = (days["daily_activity"] as? [String: [[String: Any]]])?["Saturday"]
            #expect(saturday?.count == 24 && saturday?[14]["listen_count"] as? Int == 2)
            let activity = try await fixture.send(.get, "\(path)/listening-activity").payload
            let first = (activity["listening_activity"] as? [[String: Any]])?.first
            #expect(first?["time_range"] as? String == "2021" && first?["listen_count"] as? Int == 3)
            #expect(try await fixture.send(.get, "\(path)/releases?range=this_week").status == 204)
            let wrong = try await fixture.send(.get, "\(path)/artists?range=ever")
            #expect(wrong.status == 400 && wrong.error == "Invalid range: ever")
        }
    }

    @Test("Bounds of listens are exclusive, and the lower one alone gives the oldest")
    func boundsOfTime() async throws {
        try await Fixture.run { fixture, _ in
            let times = (0..<6).map { 1_635_000_000 + $0 * 1_000 }
            let listens = times.map { Fixture.listen($0) }.joined(separator: ",")
            _ = try await fixture.submit(#"{"listen_type":"import","payload":[\#(listens)]}"#)
            func shown(_ query: String) async throws -> [Int?] {
                let page = try await fixture.send(.get, "/1/user/\(fixture.name)/listens?\(query)").payload
                return try #require(page["listens"] as? [[String: Any]]).map { $0["listened_at"] as? Int }
            }
            #expect(try await shown("count=2") == [times[5], times[4]])
            #expect(try await shown("min_ts=\(times[1])&count=2") == [times[3], times[2]])
            #expect(try await shown("max_ts=\(times[2])&count=9") == [times[1], times[0]])
            #expect(try await shown("min_ts=\(times[0])&max_ts=\(times[3])") == [times[2], times[1]])
            let wrong = try await fixture.send(.get, "/1/user/\(fixture.name)/listens?min_ts=5&max_ts=5")
            #expect(wrong.status == 400)
        }
    }

    @Test("A listen is deleted by its time and id, and stays deleted; imports only ever move forward")
    func deletedListen() async throws {
        try await Fixture.run { fixture, _ in
            let body = Fixture.body("single", Fixture.listen(1_635_000_000))
            _ = try await fixture.submit(body)
            let page = try await fixture.send(.get, "/1/user/\(fixture.name)/listens").payload
            let msid = try #require((page["listens"] as? [[String: Any]])?.first?["recording_msid"] as? String)
            let deletion = #"{"listened_at":1635000000,"recording_msid":"\#(msid)"}"#
            for _ in 0..<2 {
                #expect(try await fixture.send(.post, "/1/delete-listen", deletion).text == #"{"status":"ok"}"#)
            }
            _ = try await fixture.submit(body)
            #expect(try await fixture.send(.get, "/1/user/\(fixture.name)/listen-count").payload["count"] as? Int == 0)

            for seconds in [500, 900, 700] {
                #expect(try await fixture.send(.post, "/1/latest-import", #"{"ts":\#(seconds)}"#).status == 200)
            }
            let latest = try await fixture.send(.get, "/1/latest-import?user_name=\(fixture.name)")
            #expect(try latest.json["latest_import"] as? Int == 900)
        }
    }

    @Test(
        "Bodies that real programs send are accepted, and invalid ones are refused",
        .enabled(if: RecordedPayloads.listens.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
    func recordedBodies() async throws {
        try await Fixture.run { fixture, _ in
            let lines = try RecordedPayloads.listens.data("submit_listens_bodies.jsonl").split(separator: 0x0A)
            #expect(lines.count > 5)
            for line in lines {
                let record = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
                let client = try #require(record["client"] as? String)
                let data = try JSONSerialization.data(withJSONObject: try #require(record["body"]))
                var text = String(decoding: data, as: UTF8.self)
                // Placeholders of test suites, where real programs send ids of MusicBrainz.
                text.replace(/mbz-[0-9]+/, with: "b1a9c0e9-d987-4042-ae91-78d6a3267d69")
                // The one with every field has two durations, and the time 0.
                let isWrong = client.contains("INVALID") || client.contains("every field")
                let answer = try await fixture.submit(text)
                #expect(answer.status == (isWrong ? 400 : 200), "\(client): \(answer.text)")
            }
        }
    }
}
