import Foundation
import HTTPTypes
import Model
import Synchronization
import Testing

@testable import Gateway
@testable import ListeningHTTP

/// Values that no player sends.
@Suite("Extreme values of the ListenBrainz API", .timeLimit(.minutes(5)))
struct ListenBrainzExtremeTests {
    private typealias Fixture = ListenBrainzFixture

    /// The numbers as they are written in JSON.
    private static let numbers = [
        "\(Int.min)", "\(Int.max)", #""\#(Int.min)""#, #""\#(Int.max)""#, "1e400", "-1e400", "1e308", "1e18", "-9.3e18",
        "0.5", #""""#, "99999999999999999999",
    ]

    @Test("Whole numbers of any size are refused or left out, and the gateway keeps running", arguments: numbers)
    func extremeIntegers(number: String) async throws {
        try await Fixture.run { fixture, _ in
            let deletion =
                #"{"listened_at":\#(number),"recording_msid":"b1a9c0e9-d987-8042-ae91-78d6a3267d69"}"#
            #expect([200, 400].contains(try await fixture.send(.post, "/1/delete-listen", deletion).status))
            #expect(
                [200, 400].contains(try await fixture.send(.post, "/1/latest-import", #"{"ts":\#(number)}"#).status))
            let song = #"{"artist_name":"a","track_name":"b"}"#
            let time = #"{"listened_at":\#(number),"track_metadata":\#(song)}"#
            #expect(try await fixture.submit(Fixture.body("single", time)).status == 400)
            for name in ["duration", "duration_ms"] {
                let listen = Fixture.listen(1_635_000_000, info: #"{"\#(name)":\#(number)}"#)
                #expect(try await fixture.submit(Fixture.body("single", listen)).status == 400, "\(name)")
            }
            let played = Fixture.listen(
                1_635_000_000, info: #"{"duration_played":\#(number),"tracknumber":\#(number)}"#)
            let taken = try await fixture.submit(Fixture.body("single", played))
            #expect(taken.status == 200, "\(taken.text)")
            let text = number.replacing("\"", with: "")
            for name in ["min_ts", "max_ts", "count"] {
                let answer = try await fixture.send(.get, "/1/user/\(fixture.name)/listens?\(name)=\(text)")
                #expect([200, 400].contains(answer.status), "\(name)")
            }
            for name in ["count", "offset"] {
                let answer = try await fixture.send(.get, "/1/stats/user/\(fixture.name)/artists?\(name)=\(text)")
                #expect([200, 204, 400].contains(answer.status), "\(name)")
            }
        }
    }

    /// A listen of a few kilobytes that nested names would make a thousand times as large.
    private static func nested(name: Int, leaves: Int) -> String {
        let inner = (0..<leaves).map { #""\#($0)":1"# }.joined(separator: ",")
        let outer = (0..<leaves).map { #""o\#($0)":{\#(inner)}"# }.joined(separator: ",")
        return Fixture.listen(1_635_000_000, info: #"{"\#(String(repeating: "k", count: name))":{\#(outer)}}"#)
    }

    @Test(
        "Nested objects that would become large are refused, and their memory is bounded before that",
        arguments: [
            (nested(name: 900, leaves: 12), "may not be longer than 500 bytes"),
            (nested(name: 400, leaves: 14), "may not be larger than 65536 bytes"),
            (nested(name: 1, leaves: 20), "may not have more than 256 members"),
        ])
    func nestedObjects(listen: String, text: String) async throws {
        #expect(listen.utf8.count < 10_240)
        try await Fixture.run { fixture, _ in
            let answer = try await fixture.submit(Fixture.body("single", listen))
            #expect(answer.status == 400 && answer.error?.contains(text) == true, "\(answer.text)")
        }
    }

    @Test("Each listen has its own bound: short ones do not make room for a long one")
    func eachListen() async throws {
        try await Fixture.run { fixture, _ in
            let short = (0..<20).map { Fixture.listen(1_635_000_000 + $0 * 300) }
            let long = Fixture.listen(1_635_010_000, info: #"{"x":"\#(String(repeating: "x", count: 10_240))"}"#)
            let body = #"{"listen_type":"import","payload":[\#((short + [long]).joined(separator: ","))]}"#
            let answer = try await fixture.submit(body)
            #expect(answer.error == "JSON document is too large. Each listens may not be larger than 10240 bytes.")
        }
    }

    @Test("Names are cut, and text that is too long to be an id is left out")
    func longTexts() async throws {
        try await Fixture.run { fixture, _ in
            let long = String(repeating: "ä", count: 2_000)
            let info = #"{"isrc":"\#(long)","submission_client":"\#(String(repeating: "c", count: 900))"}"#
            let listen = Fixture.listen(1_635_000_000, title: long, info: info)
            #expect(try await fixture.submit(Fixture.body("single", listen)).status == 200)
            let page = try await fixture.client.execute(
                uri: "/v1/listening/listens", method: .get, headers: fixture.person)
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(page.body.readableBytesView)) as? [String: Any])
            let shown = try #require((json["items"] as? [[String: Any]])?.first)
            #expect((shown["title"] as? String)?.utf8.count == 2_000 + "…".utf8.count)
            #expect((shown["client"] as? String)?.utf8.count == 100)
        }
    }

    @Test("The last of more than ten thousand listens of one second is deleted, too")
    func deletionInCrowd() async throws {
        try await Fixture.run { fixture, _ in
            for thousand in 0..<11 {
                let listens = (0..<1_000).map {
                    Fixture.listen(1_635_000_000, title: "Song \(thousand) \($0)", artist: "Artist \(thousand) \($0)")
                }
                let body = #"{"listen_type":"import","payload":[\#(listens.joined(separator: ","))]}"#
                #expect(try await fixture.submit(body).status == 200)
            }
            func newest() async throws -> String? {
                let page = try await fixture.send(.get, "/1/user/\(fixture.name)/listens?count=1").payload
                return (page["listens"] as? [[String: Any]])?.first?["recording_msid"] as? String
            }
            let msid = try #require(try await newest())
            let deletion = #"{"listened_at":1635000000,"recording_msid":"\#(msid)"}"#
            #expect(try await fixture.send(.post, "/1/delete-listen", deletion).text == #"{"status":"ok"}"#)
            #expect(try await newest() != msid)
            let count = try await fixture.send(.get, "/1/user/\(fixture.name)/listen-count").payload["count"] as? Int
            #expect(count == 10_999)
        }
    }

    @Test("Beyond a quota, listens are answered with 503 and the key of the quota, and earlier ones stay")
    func quotaOfListens() async throws {
        try await Fixture.run(quotas: Quotas(listens: 2)) { fixture, _ in
            let listens = (0..<3).map { Fixture.listen(1_635_000_000 + $0 * 300) }
            let two = try await fixture.submit(Fixture.body("import", listens[0], listens[1]))
            #expect(two.status == 200)
            let third = try await fixture.submit(Fixture.body("single", listens[2]))
            #expect(third.status == 503)
            #expect(third.error?.hasPrefix("quotas.listens allows each person 2 listens") == true, "\(third.text)")
            // The remedy is given once, and the time after which to send the listens again.
            #expect(third.text.split(separator: "Remove a source").count == 2 && third.headers[.retryAfter] == "600")
            // A listen that is already known does not count.
            #expect(try await fixture.submit(Fixture.body("import", listens[0], listens[1])).status == 200)
            #expect(try await fixture.send(.get, "/1/user/\(fixture.name)/listen-count").payload["count"] as? Int == 2)
            let me = try await fixture.client.execute(uri: "/v1/me", method: .get, headers: fixture.person)
            #expect(String(buffer: me.body).contains(#""listens":{"used":2,"limit":2}"#))
        }
    }

    @Test("The limit counts listens, in windows of ten seconds")
    func rateOfListens() {
        let now = Mutex(Timestamp(microseconds: 1_700_000_000_000_000))
        let rate = ListenRate(limit: 1_000) { now.withLock { $0 } }
        #expect(rate.count("ada").remaining == 999)
        #expect(rate.count("ada", 999).remaining == 0)
        #expect(rate.count("ada", 500).remaining == -500)
        #expect(rate.count("bob", 1_000).remaining == 0)
        now.withLock { $0 = $0.advanced(by: .seconds(10)) }
        #expect(rate.count("ada").remaining == 999)
    }

    @Test("The number of services whose imports are recorded is bounded")
    func numberOfServices() async throws {
        try await Fixture.run { fixture, _ in
            func note(_ service: String) async throws -> Int {
                try await fixture.send(.post, "/1/latest-import", #"{"ts":5,"service":"\#(service)"}"#).status
            }
            for number in 0..<100 { #expect(try await note("service \(number)") == 200) }
            let another = try await note("another")
            #expect(another == 400)
            #expect(try await note("service 7") == 200)
        }
    }
}
