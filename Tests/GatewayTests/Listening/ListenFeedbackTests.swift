import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Gateway

@Suite("Feedback of the ListenBrainz API", .timeLimit(.minutes(5)))
struct ListenFeedbackTests {
    private typealias Fixture = ListenBrainzFixture

    private static let mbid = "b1a9c0e9-d987-4042-ae91-78d6a3267d69"
    private static let msid = "7f8a4a2c-1c7c-4d5c-8f4e-0a8b6d6e5f01"

    private func give(_ body: String, _ fixture: Fixture) async throws -> Fixture.Answer {
        try await fixture.send(.post, "/1/feedback/recording-feedback", body)
    }

    private func items(_ query: String, _ fixture: Fixture) async throws -> [[String: Any]] {
        let answer = try await fixture.send(.get, "/1/feedback/user/\(fixture.name)/get-feedback\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(try answer.json["feedback"] as? [[String: Any]])
    }

    /// Sends a listen of each title, and returns their ids.
    private func listened(_ titles: [String], _ fixture: Fixture) async throws -> [String: String] {
        for (number, title) in titles.enumerated() {
            let listen = Fixture.listen(1_635_000_000 + number * 300, title: title)
            #expect(try await fixture.submit(Fixture.body("single", listen)).status == 200)
        }
        let page = try await fixture.send(.get, "/1/user/\(fixture.name)/listens").payload
        return try #require(page["listens"] as? [[String: Any]]).reduce(into: [:]) { ids, listen in
            let title = (listen["track_metadata"] as? [String: Any])?["track_name"] as? String ?? ""
            ids[title] = listen["recording_msid"] as? String
        }
    }

    private func own(_ path: String, _ fixture: Fixture, _ method: HTTPRequest.Method = .get) async throws
        -> TestResponse
    {
        try await fixture.client.execute(uri: path, method: method, headers: fixture.person)
    }

    @Test("Feedback is stored, read in every way that programs use, replaced and withdrawn")
    func lifeOfFeedback() async throws {
        try await Fixture.run { fixture, _ in
            let ids = try await listened(["One", "Two"], fixture)
            let (one, two) = (try #require(ids["One"]), try #require(ids["Two"]))
            for (id, score) in [(one, 1), (two, -1)] {
                let answer = try await give(#"{"recording_msid":"\#(id)","score":\#(score)}"#, fixture)
                #expect(answer.status == 200 && answer.text == #"{"status":"ok"}"#)
                #expect(answer.headers[.accessControlAllowOrigin] == "*")
            }
            let all = try await items("", fixture)
            #expect(all.map { $0["recording_msid"] as? String } == [two, one])
            #expect(all.map { $0["score"] as? Int } == [-1, 1])
            #expect(all.allSatisfy { $0["user_id"] as? String == fixture.name && $0["created"] is Int })
            #expect(all.allSatisfy { $0["track_metadata"] is NSNull && $0["recording_mbid"] is NSNull })
            let loved = try await items("?score=1&metadata=True", fixture)
            #expect(loved.count == 1)
            let metadata = loved.first?["track_metadata"] as? [String: Any]
            #expect(metadata?["track_name"] as? String == "One" && metadata?["artist_name"] as? String == "Ada")
            let page = try await fixture.send(
                .get, "/1/feedback/user/\(fixture.name.uppercased())/get-feedback?count=1&offset=1")
            #expect(try page.json["total_count"] as? Int == 2 && page.json["count"] as? Int == 1)
            #expect(try page.json["offset"] as? Int == 1)

            let asked = [one, Self.msid].joined(separator: ",")
            let path = "/1/feedback/user/\(fixture.name)/get-feedback-for-recordings"
            let answers = [
                try await fixture.send(.get, "\(path)?recording_msids=\(asked)"),
                try await fixture.send(.get, "\(path)?recordings=\(asked)&recording_mbids="),
                try await fixture.send(.post, path, #"{"recording_msids":["\#(one)","\#(Self.msid)"]}"#),
            ]
            for answer in answers {
                let found = try #require(try answer.json["feedback"] as? [[String: Any]])
                #expect(
                    found.map { $0["score"] as? Int } == [1, 0] && found.last?["recording_msid"] as? String == Self.msid
                )
            }
            let ofOne = try await fixture.send(.get, "/1/feedback/recording/\(one)/get-feedback")
            #expect((try ofOne.json["feedback"] as? [[String: Any]])?.map { $0["score"] as? Int } == [1])

            #expect(try await give(#"{"recording_msid":"\#(two)","score":"1"}"#, fixture).status == 200)
            #expect(try await give(#"{"recording_msid":"\#(one)","score":0}"#, fixture).status == 200)
            #expect(try await items("", fixture).map { $0["score"] as? Int } == [1])
        }
    }

    @Test("Feedback by MusicBrainz id is found by that id, and blank ids are left out")
    func feedbackByMusicBrainzID() async throws {
        try await Fixture.run { fixture, _ in
            let body = #"{"recording_mbid":"\#(Self.mbid.uppercased())","recording_msid":"","score":1}"#
            #expect(try await give(body, fixture).status == 200)
            let answer = try await fixture.send(.get, "/1/feedback/recording/\(Self.mbid)/get-feedback-mbid")
            let found = try #require(try answer.json["feedback"] as? [[String: Any]])
            #expect(found.first?["recording_mbid"] as? String == Self.mbid && found.first?["recording_msid"] is NSNull)
            #expect(
                try await fixture.send(.get, "/1/feedback/recording/\(Self.mbid)/get-feedback").json["count"] as? Int
                    == 0
            )
            #expect(try await items("?metadata=true", fixture).first?["track_metadata"] is NSNull)
            let listen = Fixture.listen(1_635_000_000, info: #"{"recording_mbid":"\#(Self.mbid)"}"#)
            _ = try await fixture.submit(Fixture.body("single", listen))
            #expect(
                String(buffer: try await own("/v1/listening/listens", fixture).body).contains(#""feedback":"loved""#))
        }
    }

    @Test("The person sees the feedback in the list and with the listens, and can withdraw it")
    func shownFeedback() async throws {
        try await Fixture.run { fixture, gateway in
            let ids = try await listened(["One", "Two"], fixture)
            _ = try await give(#"{"recording_msid":"\#(try #require(ids["One"]))","score":-1}"#, fixture)
            _ = try await give(#"{"recording_msid":"\#(Self.msid)","score":1}"#, fixture)
            let listens = String(buffer: try await own("/v1/listening/listens", fixture).body)
            #expect(listens.contains(#""feedback":"hated""#) && listens.contains(#""feedback":null"#))
            let response = try await own("/v1/listening/feedback?limit=1", fixture)
            let page = try #require(
                try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any])
            let first = try #require((page["items"] as? [[String: Any]])?.first)
            #expect(page["total"] as? Int == 2 && first["feedback"] as? String == "loved" && first["title"] is NSNull)
            let cursor = try #require(page["nextCursor"] as? String)
            let rest = String(buffer: try await own("/v1/listening/feedback?limit=1&cursor=\(cursor)", fixture).body)
            #expect(rest.contains(#""feedback":"hated""#) && rest.contains(#""title":"One""#))
            let id = try #require(first["id"] as? String)
            let other = try await gateway.authorization("bob")
            let path = "/v1/listening/feedback/\(id)"
            let refused = try await fixture.client.execute(uri: path, method: .delete, headers: other)
            #expect(refused.status == .notFound)
            #expect(try await own(path, fixture, .delete).status == .noContent)
            #expect(try await own(path, fixture, .delete).status == .notFound)
            #expect(try await items("", fixture).count == 1)
            let export = String(buffer: try await own("/v1/me/export", fixture).body)
            #expect(export.contains(#""listenFeedback":[{"#) && export.contains(#""score":-1"#))
        }
    }

    @Test(
        "A wrong request is refused with a reason",
        arguments: [
            ("[]", "Invalid JSON document submitted. Top level of JSON document should be a json object."),
            (
                #"{"score":1}"#,
                "JSON document must contain either recording_msid or recording_mbid, and score top level keys"
            ),
            (
                #"{"recording_msid":"\#(msid)"}"#,
                "JSON document must contain either recording_msid or recording_mbid, and score top level keys"
            ),
            (
                #"{"recording_msid":"\#(msid)","score":1,"note":"x"}"#,
                "JSON document may only contain recording_msid, recording_mbid and score top level keys"
            ),
            (
                #"{"recording_msid":"x","score":1}"#,
                "Invalid JSON document submitted: recording_msid: x is not a valid UUID."
            ),
            (
                #"{"recording_mbid":["\#(mbid)","\#(msid)"],"score":1}"#,
                "Invalid JSON document submitted: recording_mbid: an array is not a valid UUID."
            ),
            (
                #"{"recording_msid":"\#(msid)","score":2}"#,
                "Invalid JSON document submitted: score: Score can have a value of 1, 0 or -1."
            ),
            (
                #"{"recording_msid":"\#(msid)","score":null}"#,
                "Invalid JSON document submitted: score: Score can have a value of 1, 0 or -1."
            ),
        ])
    func refusedRequests(body: String, text: String) async throws {
        try await Fixture.run { fixture, _ in
            let answer = try await give(body, fixture)
            #expect(answer.status == 400 && answer.error == text, "\(answer.text)")
            #expect(try await items("", fixture).isEmpty)
        }
    }

    @Test("Reading follows the same rules for paths, names and numbers as the rest of the API")
    func readingParameters() async throws {
        try await Fixture.run { fixture, _ in
            let path = "/1/feedback/user/\(fixture.name)"
            for (address, status, text) in [
                ("/1/feedback/user/bob/get-feedback", 404, "Cannot find user: bob"),
                ("\(path)/get-feedback?score=7", 400, "Score can have a value of 1 or -1."),
                ("\(path)/get-feedback?count=-1", 400, "'count' should be a non-negative integer"),
                ("\(path)/get-feedback?offset=x", 400, "'offset' should be a non-negative integer"),
                ("\(path)/get-feedback-for-recordings", 400, "No valid recording msid or recording mbid found."),
                ("/1/feedback/recording/x/get-feedback", 400, "x msid format invalid."),
                ("/1/feedback/recording/x/get-feedback-mbid", 400, "x mbid format invalid."),
                ("/1/feedback/nothing", 404, "The requested URL was not found on the server."),
                ("/1/feedback/recording-feedback", 405, "The method is not allowed for the requested URL."),
            ] {
                let answer = try await fixture.send(.get, address)
                #expect(answer.status == status && answer.error == text, "\(address): \(answer.text)")
            }
            #expect(try await fixture.send(.get, "\(path)/get-feedback?count=99999999999999999999").status == 400)
            #expect(try await fixture.send(.get, "\(path)/get-feedback?offset=9223372036854775807").status == 200)
            let anonymous = try await fixture.send(.get, "\(path)/get-feedback", isAnonymous: true)
            #expect(anonymous.status == 401)
        }
    }
}
