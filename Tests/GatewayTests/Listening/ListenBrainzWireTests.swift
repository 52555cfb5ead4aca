import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Gateway

/// Values that programs send in a form other than the documented one, and how the ListenBrainz server treats them.
@Suite("Values of the ListenBrainz API in other forms", .timeLimit(.minutes(5)))
struct ListenBrainzWireTests {
    private typealias Fixture = ListenBrainzFixture

    private static let mbid = "b1a9c0e9-d987-4042-ae91-78d6a3267d69"
    private static let compact = mbid.replacing("-", with: "")

    /// Sends a listen, and returns its `additional_info` as the API shows it.
    private func taken(_ listen: String, _ fixture: Fixture) async throws -> [String: Any] {
        let answer = try await fixture.submit(Fixture.body("single", listen))
        #expect(answer.status == 200, "\(answer.text)")
        return try await metadata(fixture)["additional_info"] as? [String: Any] ?? [:]
    }

    private func metadata(_ fixture: Fixture) async throws -> [String: Any] {
        let page = try await fixture.send(.get, "/1/user/\(fixture.name)/listens").payload
        let listens = try #require(page["listens"] as? [[String: Any]])
        return try #require(listens.first?["track_metadata"] as? [String: Any])
    }

    @Test(
        "A value with one clear meaning is accepted in any JSON type",
        arguments: [
            (#"{"duration_ms":"222000.0"}"#, "duration_ms", "222000"),
            (#"{"duration_ms":222000.9}"#, "duration_ms", "222000"),
            (#"{"duration":213.58}"#, "duration", "213"), (#"{"duration":"213.58"}"#, "duration", "213"),
            (#"{"duration":" 31 "}"#, "duration", "31"), (#"{"duration":2.135e2}"#, "duration", "213"),
            (#"{"artist_mbids":"\#(mbid)"}"#, "artist_mbids", #"["\#(mbid)"]"#),
            (#"{"artist_mbids":["", null, " ", "\#(mbid)", false]}"#, "artist_mbids", #"["\#(mbid)"]"#),
            (#"{"work_mbids":["{\#(mbid.uppercased())}","\#(compact)"]}"#, "work_mbids", #"["\#(mbid)","\#(mbid)"]"#),
            (#"{"recording_mbid":["\#(mbid)"]}"#, "recording_mbid", #""\#(mbid)""#),
            (#"{"recording_mbid":"urn:uuid:\#(mbid)"}"#, "recording_mbid", #""\#(mbid)""#),
        ])
    func otherTypes(info: String, name: String, value: String) async throws {
        try await Fixture.run { fixture, _ in
            let said = try await taken(Fixture.listen(1_635_000_000, info: info), fixture)
            let found = try JSONSerialization.data(
                withJSONObject: try #require(said[name]), options: [.fragmentsAllowed, .withoutEscapingSlashes])
            #expect(String(decoding: found, as: UTF8.self) == value)
        }
    }

    @Test("A body may have a byte order mark and any charset, and UTF-16 and compressed bodies are refused by name")
    func encodingsOfBodies() async throws {
        try await Fixture.run { fixture, _ in
            func send(_ body: ByteBuffer, _ name: HTTPField.Name, _ value: String) async throws -> (Int, String) {
                let headers: HTTPFields = [.authorization: "Token \(fixture.token)", name: value]
                let answer = try await fixture.client.execute(
                    uri: "/1/submit-listens", method: .post, headers: headers, body: body)
                return (answer.status.code, String(buffer: answer.body))
            }
            let text = Fixture.body("single", Fixture.listen(1_635_000_000))
            let type = "application/json; charset=ISO-8859-1"
            let marked = try await send(ByteBuffer(string: "\u{FEFF}" + text), .contentType, type)
            #expect(marked == (200, #"{"status":"ok"}"#))
            let wide = try #require(text.data(using: .utf16))
            let refused = try await send(ByteBuffer(bytes: wide), .contentType, type)
            #expect(refused.0 == 400 && refused.1.contains("the text is encoded as UTF-16; send it as UTF-8"))
            let compressed = try await send(ByteBuffer(string: text), .contentEncoding, "gzip")
            #expect(compressed.0 == 415 && compressed.1.contains("'gzip'"))
        }
    }

    @Test(
        "An object without members may be an empty list or nothing, and blank ids are left out",
        arguments: [
            "[]", "null", #""""#, "{}", "false", #"{"artist_mbids":[]}"#, #"{"artist_mbids":["",null]}"#,
            #"{"recording_mbid":" ","track_mbid":null,"work_mbids":""}"#,
        ])
    func emptyInfo(info: String) async throws {
        try await Fixture.run { fixture, _ in
            let said = try await taken(Fixture.listen(1_635_000_000, info: info), fixture)
            #expect(Set(said.keys) == ["recording_msid"], "\(said)")
            let now = Fixture.body(
                "playing_now",
                #"{"track_metadata":{"artist_name":"Ada","track_name":"One","additional_info":\#(info)}}"#)
            #expect(try await fixture.submit(now).status == 200)
            let playing = try await fixture.send(.get, "/1/user/\(fixture.name)/playing-now").payload
            let shown = try #require(
                (playing["listens"] as? [[String: Any]])?.first?["track_metadata"] as? [String: Any])
            #expect((shown["additional_info"] as? [String: Any])?.isEmpty == true, "clients read an object")
        }
    }

    @Test("Times and names may be written in other types, and a list of one listen as that listen")
    func namesAndTimes() async throws {
        try await Fixture.run { fixture, _ in
            let listen = #"""
                {"listened_at":"1635000000.7","track_metadata":{"artist_name":311,"track_name":1979,"release_name":1989}}
                """#
            let answer = try await fixture.submit(#"{"listen_type":"single","payload":\#(listen)}"#)
            #expect(answer.status == 200, "\(answer.text)")
            let page = try await fixture.send(.get, "/1/user/\(fixture.name)/listens").payload
            #expect((page["listens"] as? [[String: Any]])?.first?["listened_at"] as? Int == 1_635_000_000)
            let said = try await metadata(fixture)
            #expect(said["artist_name"] as? String == "311" && said["track_name"] as? String == "1979")
            #expect(said["release_name"] as? String == "1989")
        }
    }

    @Test("Names have one line and no control characters, like those of files")
    func namesOnOneLine() async throws {
        try await Fixture.run { fixture, _ in
            let names = #""artist_name":"Ada\u0007","track_name":"One\r\n  Two","release_name":"\u0001\nLP\n""#
            let listen = #"{"listened_at":1635000000,"track_metadata":{\#(names)}}"#
            let answer = try await fixture.submit(Fixture.body("single", listen))
            #expect(answer.status == 200, "\(answer.text)")
            let said = try await metadata(fixture)
            #expect(said["artist_name"] as? String == "Ada" && said["track_name"] as? String == "One Two")
            #expect(said["release_name"] as? String == "LP")
            let blank = #"{"listened_at":1635000001,"track_metadata":{"artist_name":"Ada","track_name":"\u0001\n"}}"#
            let refused = try await fixture.submit(Fixture.body("single", blank))
            #expect(refused.status == 400 && refused.text.contains("field track_metadata.track_name is empty."))
        }
    }

    @Test("An album without content counts as missing", arguments: ["[]", "null", #"" ""#, "false"])
    func noAlbum(album: String) async throws {
        try await Fixture.run { fixture, _ in
            let names = #""artist_name":"Ada","track_name":"One","release_name":\#(album)"#
            let listen = #"{"listened_at":1635000000,"track_metadata":{\#(names)}}"#
            let answer = try await fixture.submit(Fixture.body("single", listen))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await !metadata(fixture).keys.contains("release_name"))
        }
    }

    @Test(
        "A value without a clear meaning is refused, and the field is named",
        arguments: [
            (#"{"duration_ms":null}"#, "Value for duration_ms is invalid, should be a positive integer."),
            (#"{"duration":null}"#, "Value for duration is invalid, should be a positive integer."),
            (#"{"duration":0.9}"#, "Value for duration is invalid, should be a positive integer."),
            (#"{"duration":"-3"}"#, "Value for duration is invalid, should be a positive integer."),
            (#"{"duration":"3:33"}"#, "Value for duration is invalid, should be a positive integer."),
            (#"{"duration":true}"#, "Value for duration is invalid, should be a positive integer."),
            (#"{"duration":[213]}"#, "Value for duration is invalid, should be a positive integer."),
            (#"{"duration":2073601}"#, "Value for duration is too large, max permitted value is 2073600"),
            (#"{"duration_ms":"2073600001"}"#, "Value for duration_ms is too large, max permitted value is 2073600000"),
            (#"{"duration":1,"duration_ms":null}"#, "JSON document should not contain both duration and duration_ms."),
            (#"{"artist_mbids":[7]}"#, "artist_mbids MBID format invalid."),
            (#"{"artist_mbids":{"0":"\#(mbid)"}}"#, "artist_mbids MBID format invalid."),
            (#"["x"]"#, "track_metadata.additional_info must be a JSON object."),
            ("7", "track_metadata.additional_info must be a JSON object."),
        ])
    func ambiguousValues(info: String, text: String) async throws {
        try await Fixture.run { fixture, _ in
            let answer = try await fixture.submit(Fixture.body("single", Fixture.listen(1_635_000_000, info: info)))
            #expect(answer.status == 400 && answer.error == text, "\(answer.text)")
        }
    }

    @Test("Text that is too long for a token is unknown, and a header of another scheme does not hide the parameter")
    func formsOfTokens() async throws {
        try await Fixture.run { fixture, _ in
            let invalid = #"{"code":200,"message":"Token invalid.","valid":false}"#
            let long = String(repeating: "x", count: 201)
            for header in ["Token \(long)", "token x", "Bearer \(long)"] {
                let checked = try await fixture.send(.get, "/1/validate-token", authorization: header)
                #expect(checked.status == 200 && checked.text == invalid, "\(header.prefix(20))")
                let sent = try await fixture.send(.post, "/1/submit-listens", "{}", authorization: header)
                #expect(sent.status == 401 && sent.error == "Invalid authorization token.", "\(header.prefix(20))")
            }
            let inQuery = try await fixture.send(.get, "/1/validate-token?token=\(long)", isAnonymous: true)
            #expect(inQuery.text == invalid)
            for header in ["Basic YTpi", "Digest a=b", "nonsense"] {
                let valid = try await fixture.send(
                    .get, "/1/validate-token?token=\(fixture.token)", authorization: header)
                #expect(try valid.json["user_name"] as? String == fixture.name, "\(header)")
                let none = try await fixture.send(.get, "/1/validate-token", authorization: header)
                #expect(none.status == 400 && none.error == "You need to provide an Authorization token.", "\(header)")
                let elsewhere = try await fixture.send(
                    .get, "/1/user/\(fixture.name)/listens?token=\(fixture.token)", authorization: header)
                #expect(elsewhere.status == 401, "the parameter counts only for validate-token")
            }
            let extra = try await fixture.send(.get, "/1/validate-token", authorization: "Token \(fixture.token) more")
            #expect(try extra.json["valid"] as? Bool == true)
        }
    }
}
