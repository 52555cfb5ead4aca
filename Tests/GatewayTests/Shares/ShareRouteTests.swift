import Foundation
import HTTPTypes
import HummingbirdTesting
import Model
import Shares
import Storage
import Testing
import Visibility

@testable import Gateway

@Suite("Routes of shares")
struct ShareRouteTests {
    private static let body = #"{"song":{"libraryTrackId":"%"},"message":"For long\nevenings"}"#

    @Test("A share has an id of its own, and the same request again is answered with it")
    func sharing() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            let track = try await people.saveTrack(of: "ada")
            let body = Self.body.replacing("%", with: track)
            let made = try await people.put(1, body, as: "ada")
            #expect(made.status == .created)
            let share = try made.jsonObject
            let id = try #require(share["id"] as? String)
            #expect(share["clientId"] as? String == PeopleFixture.clientID(1) && share["isMine"] as? Bool == true)
            #expect(share["message"] as? String == "For long\nevenings")
            let song = try #require(share["song"] as? [String: Any])
            #expect(song["title"] as? String == "Eple" && song["artists"] as? [String] == ["Röyksopp"])
            let sources = try #require(song["sources"] as? [[String: Any]])
            #expect(sources.compactMap { $0["sourceId"] as? String } == [PeopleFixture.spotifyID])

            let again = try await people.put(1, body, as: "ada")
            #expect(again.status == .ok)
            #expect(try again.jsonObject["id"] as? String == id)
            let other = try await people.put(1, body.replacing("evenings", with: "nights"), as: "ada")
            #expect(other.status == .conflict)
            #expect(try other.problem.code == "otherShare")

            // Others see it without the client's id.
            let seen = try await people.json("/v1/shares/\(id)", as: "bea")
            #expect(seen["clientId"] == nil && seen["isMine"] as? Bool == false)
            #expect((seen["sender"] as? [String: Any])?["username"] as? String == "ada")
            #expect(try await people.items("/v1/users/ada/shares", as: "bea").count == 1)
            #expect(try await people.items("/v1/me/shares", as: "ada").count == 1)

            for _ in 0..<2 {
                #expect(try await people.send(.delete, "/v1/shares/\(id)", as: "ada").status == .noContent)
            }
            #expect(try await people.send(.get, "/v1/shares/\(id)", as: "bea").status == .notFound)
            let gone = try await people.put(1, body, as: "ada")
            #expect(gone.status == .ok)
            let answer = try gone.jsonObject
            #expect(answer["id"] as? String == id && answer["gone"] as? Bool == true && answer["song"] == nil)
        }
    }

    @Test("An Idempotency-Key stands for the same share, and without one every request is a new share")
    func keys() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            let track = try await people.saveTrack(of: "ada")
            let body = #"{"song":{"libraryTrackId":"\#(track)"}}"#
            func post(_ key: String?) async throws -> TestResponse {
                var headers = try people.headers(of: "ada")
                headers[.idempotencyKey] = key
                return try await people.client.execute(
                    uri: "/v1/shares", method: .post, headers: headers, body: .init(string: body))
            }
            let first = try await post("k")
            let second = try await post("k")
            #expect(first.status == .created && second.status == .ok)
            #expect(try first.jsonObject["id"] as? String == second.jsonObject["id"] as? String)
            #expect(UUIDv7.isWellFormed(try #require(try first.jsonObject["clientId"] as? String)))
            for _ in 0..<2 { #expect(try await post(nil).status == .created) }
            #expect(try await post(String(repeating: "k", count: 201)).status == .unprocessableContent)
            #expect(try await people.items("/v1/me/shares", as: "ada").count == 3)
        }
    }

    @Test("A song is taken from where it was found, and ids and codes that a client sent are not")
    func songs() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            // A listen whose program says anything.
            let listens = """
                {"listen_type":"import","payload":[{"listened_at":1700000000,"track_metadata":{"artist_name":"Röyksopp",
                "track_name":"Sparks","additional_info":{"isrc":"NOBHR0100099","spotify_id":
                "https://open.spotify.com/track/\(PeopleFixture.spotifyID)"}}}]}
                """
            #expect(try await people.send(.post, "/1/submit-listens", as: "ada", body: listens).status == .ok)
            let listen = try #require(
                try await people.items("/v1/listening/listens", as: "ada").first?["id"] as? String)
            let made = try await people.put(1, #"{"song":{"listenId":"\#(listen)"}}"#, as: "ada")
            #expect(made.status == .created)
            let song = try #require(try made.jsonObject["song"] as? [String: Any])
            #expect(song["title"] as? String == "Sparks" && song["isrc"] is NSNull)
            #expect((song["sources"] as? [Any])?.isEmpty == true)

            // What Spotify has answered before, without asking it again.
            let id = try people.id(of: "bea")
            try await people.gateway.database.connectSpotify(userID: id, scopes: "")
            try await people.storeTrack("Poor Leno")
            let ofCatalog = #"{"song":{"source":"spotify","sourceId":"\#(PeopleFixture.spotifyID)"}}"#
            let catalog = try await people.put(1, ofCatalog, as: "bea")
            #expect(catalog.status == .created)
            let found = try #require(try catalog.jsonObject["song"] as? [String: Any])
            #expect(found["title"] as? String == "Poor Leno" && found["isrc"] as? String == "NOBHR0100010")
            #expect((found["sources"] as? [Any])?.count == 1)

            // A message in stacks of marks.
            let stacked = #"{"song":{"listenId":"\#(listen)"},"message":"e\u0301\u0301\u0301\u0301!\u200b"}"#
            let written = try await people.put(3, stacked, as: "ada")
            #expect(try written.jsonObject["message"] as? String == "e\u{301}\u{301}!")

            // Another one's share.
            let share = try #require(try catalog.jsonObject["id"] as? String)
            let shared = try await people.put(2, #"{"song":{"shareId":"\#(share)"}}"#, as: "ada")
            #expect(shared.status == .created)
            #expect(try await people.gateway.count("SELECT 1 FROM share_contents") == 2)
        }
    }

    @Test(
        "What is wrong with a request is said with its field",
        arguments: [
            (#"{}"#, "$"), (#"{"song":{}}"#, "$.song"), (#"{"song":null}"#, "$"), (#"{"song":"Eple"}"#, "$.song"),
            (#"{"song":{"libraryTrackId":"x"}}"#, "$.song.libraryTrackId"),
            (#"{"song":{"libraryTrackId":"x","listenId":"y"}}"#, "$.song"),
            (#"{"song":{"source":"spotify"}}"#, "$.song"),
            (#"{"song":{"source":"napster","sourceId":"1"}}"#, "$.song.source"),
            (#"{"song":{"source":"spotify","sourceId":"\u0000"}}"#, "$.song.sourceId"),
            (#"{"song":{"source":"appleMusic","sourceId":"../1"}}"#, "$.song.sourceId"),
            (#"{"song":{"listId":"1","itemId":"2"}}"#, "$.song.itemId"),
            (#"{"song":{"title":"Eple"}}"#, "$.song.title"),
            (#"{"song":{"source":"appleMusic","sourceId":"1"},"message":"a\u0000b"}"#, "$.message"),
            (#"{"song":{"source":"appleMusic","sourceId":"1"},"message":7}"#, "$.message"),
        ])
    func badInput(body: String, field: String) async throws {
        try await PeopleFixture.run(["ada"]) { people in
            let response = try await people.put(1, body, as: "ada")
            #expect(response.status == .unprocessableContent)
            #expect(try response.jsonObject["field"] as? String == field)
            #expect(try await people.gateway.count("SELECT 1 FROM shares") == 0)
        }
    }

    @Test("An id that cannot be one is answered like one that nothing has")
    func unknownIDs() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            func answer(_ song: String) async throws -> String {
                let refused = try await people.put(1, #"{"song":{\#(song)}}"#, as: "ada")
                #expect(refused.status == .unprocessableContent, "\(song)")
                return String(buffer: refused.body)
            }
            // Well formed, and another person's.
            let id = try await people.saveTrack(of: "bea")
            for member in ["libraryTrackId", "listenId", "shareId", "messageId"] {
                let unknown = try await answer(#""\#(member)":"\#(id)""#)
                for malformed in ["x", "", id.uppercased() + "0"] {
                    #expect(try await answer(#""\#(member)":"\#(malformed)""#) == unknown, "\(member): \(malformed)")
                }
            }
            let listed = try await answer(#""listId":"\#(id)","itemId":"\#(id)""#)
            #expect(try await answer(#""listId":"1","itemId":"2""#) == listed)
        }
    }

    @Test("A message that is too long names the limit and its length, and half of a surrogate pair is no JSON")
    func longMessages() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            let track = try await people.saveTrack(of: "ada")
            func share(_ number: Int, _ message: String) async throws -> TestResponse {
                try await people.put(
                    number, #"{"song":{"libraryTrackId":"\#(track)"},"message":"\#(message)"}"#, as: "ada")
            }
            let longest = String(repeating: "🎵", count: 1_000)
            #expect(try await share(1, longest).status == .created)
            let refused = try await share(2, longest + "!")
            #expect(refused.status == .unprocessableContent)
            let detail = try refused.problem.detail
            #expect(detail.contains("1001 characters") && detail.contains("at most 1000"))
            #expect(try await share(3, #"\ud83c"#).status == .badRequest)
            let unknown = try await people.put(
                4, #"{"song":{"libraryTrackId":"0199f3a2-0000-7000-8000-000000000001"}}"#, as: "ada")
            #expect(unknown.status == .unprocessableContent)
            #expect(try await people.put(5, #"{"song":{"shareId":"\#(UUIDv7.next())"}}"#, as: "ada").status != .created)
            for id in ["x", "%00", "0199F3A2"] {
                let malformed = try await people.send(
                    .put, "/v1/shares/\(id)", as: "ada", body: #"{"song":{"libraryTrackId":"\#(track)"}}"#)
                #expect(malformed.status == .unprocessableContent, "\(id)")
            }
        }
    }

    @Test("Shares that one may not see, and those that never were, are answered alike")
    func alike() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo", "dora"]) { people in
            let hidden = try await people.share(1, as: "bea")
            try await people.setVisibility(.private, of: "bea")
            let blocked = try await people.share(1, as: "cleo")
            #expect(try await people.send(.put, "/v1/users/ada/block", as: "cleo").status == .noContent)
            let takenBack = try await people.share(1, as: "dora")
            #expect(try await people.send(.delete, "/v1/shares/\(takenBack)", as: "dora").status == .noContent)
            for (method, path, body) in [
                (.get, "", nil), (.delete, "", nil), (.put, "/reaction", #"{"reaction":"heart"}"#),
                (.delete, "/reaction", nil), (.put, "/thanks", nil), (.get, "/reactions", nil), (.get, "/song", nil),
                (.get, "/links", nil), (.post, "/links", "{}"),
            ] as [(HTTPRequest.Method, String, String?)] {
                var answers: Set<String> = []
                for id in [hidden, blocked, takenBack, UUIDv7.next(), "x", "%00"] {
                    let response = try await people.send(method, "/v1/shares/\(id)\(path)", as: "ada", body: body)
                    #expect(response.status == .notFound, "\(method) \(path) \(id)")
                    answers.insert(String(buffer: response.body))
                }
                #expect(answers.count == 1, "\(method) \(path)")
            }
            for name in ["bea", "cleo", "nobody", "%00"] {
                #expect(try await people.send(.get, "/v1/users/\(name)/shares", as: "ada").status == .notFound)
            }
        }
    }
}
