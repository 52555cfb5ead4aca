import Contracts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Model
import Shares
import Storage
import Testing

@testable import Gateway

@Suite("Opening shared songs")
struct ShareOpeningTests {
    private static func places(
        _ id: String, as name: String, _ people: PeopleFixture
    ) async throws -> (library: String?, sources: [[String: Any]]) {
        let answer = try await people.json("/v1/shares/\(id)/song", as: name)
        return (answer["library"] as? String, try #require(answer["sources"] as? [[String: Any]]))
    }

    @Test("The receiver gets the song of their own library, and links to both services")
    func places() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            let id = try await people.share(as: "ada")
            // The same song under another id of Spotify.
            let own = try await people.saveTrack(id: "0VjIjW4GlUZAMYd2vXMi3b", of: "bea")
            let ofBea = try await Self.places(id, as: "bea", people)
            #expect(ofBea.library == own)
            let ofCleo = try await Self.places(id, as: "cleo", people)
            #expect(ofCleo.library == nil)
            #expect(ofCleo.sources.map { $0["source"] as? String } == ["appleMusic", "spotify"])
            #expect(ofCleo.sources.map { $0["isSearch"] as? Bool } == [true, false])
            let search = try #require(ofCleo.sources[0]["url"] as? String)
            #expect(search.hasPrefix("https://music.apple.com/us/search?term=R%C3%B6yksopp%20Eple"))
            #expect(try await people.gateway.count("SELECT 1 FROM jobs") == 0, "nobody's connection is used for cleo")
        }
    }

    @Test("A connected service is asked once for everybody, in the background, and its answer is used then")
    func matching() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            // A song without an id at a service.
            let listens = """
                {"listen_type":"import","payload":[{"listened_at":1700000000,"track_metadata":{"artist_name":"Röyksopp",
                "track_name":"Sparks"}}]}
                """
            #expect(try await people.send(.post, "/1/submit-listens", as: "ada", body: listens).status == .ok)
            let listen = try #require(
                try await people.items("/v1/listening/listens", as: "ada").first?["id"] as? String)
            let made = try await people.put(1, #"{"song":{"listenId":"\#(listen)"}}"#, as: "ada")
            let id = try #require(try made.jsonObject["id"] as? String)
            for name in ["bea", "cleo"] {
                let userID = try people.id(of: name)
                try await people.gateway.database.connectSpotify(userID: userID, scopes: "")
                for _ in 0..<2 {
                    let places = try await Self.places(id, as: name, people)
                    #expect(places.sources.allSatisfy { $0["isSearch"] as? Bool == true })
                }
            }
            let jobs = try await people.gateway.database.read { reader in
                try reader.map("SELECT kind, user_id, payload, priority FROM jobs") { row in
                    let priority: Int = try row["priority"]
                    #expect(priority < JobPriority.interactive)
                    return "\(try row["kind"] as String) \(try row["user_id"] as String)"
                }
            }
            #expect(jobs == ["shares.match \(SystemUser.id)"])
            // A search that ended without an answer is not repeated for the same person at once.
            try await people.gateway.database.write { try $0.run("DELETE FROM jobs") }
            _ = try await Self.places(id, as: "bea", people)
            #expect(try await people.gateway.count("SELECT 1 FROM jobs") == 0)
            _ = try await Self.places(id, as: "cleo", people)
            #expect(try await people.gateway.count("SELECT 1 FROM jobs") == 1)
            try await people.gateway.database.write { transaction in
                let content: Int64 = try #require(try transaction.row("SELECT key FROM share_contents")?["key"])
                try transaction.shares.store(
                    ShareMatch(item: PeopleFixture.spotifyID), of: content, at: .spotify, country: "", now: .now())
            }
            let found = try await Self.places(id, as: "cleo", people)
            #expect(found.sources[1]["sourceId"] as? String == PeopleFixture.spotifyID)
            #expect(found.sources[1]["isSearch"] as? Bool == false)
            // The share itself shows only what the sender's sources said.
            let share = try await people.json("/v1/shares/\(id)", as: "cleo")
            #expect(((share["song"] as? [String: Any])?["sources"] as? [Any])?.isEmpty == true)
        }
    }

    @Test("Apple Music's ids are those of one country, and another one is asked for its own")
    func countries() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            let song = try #require(
                ShareSong(
                    title: "Eple", artists: ["Röyksopp"], apple: ShareSong.AppleID("1440851428", country: "no")))
            let draft = ShareDraft(
                clientID: PeopleFixture.clientID(1), song: .track(LibraryID(key: 1)), message: nil)
            let ada = try people.id(of: "ada")
            let outcome = try await people.gateway.database.write {
                try $0.shares.share(draft, showing: song, by: ada, zone: nil, now: .now())
            }
            guard case .made(let id) = outcome else {
                Issue.record("the draft is new")
                return
            }
            for (name, country, isSearch) in [("bea", "no", false), ("cleo", "cz", true)] {
                let userID = try people.id(of: name)
                try await people.gateway.database.connectAppleMusic(userID: userID, country: country)
                let apple = try #require(try await Self.places(id.text, as: name, people).sources.first)
                #expect(apple["isSearch"] as? Bool == isSearch, "\(name)")
                #expect((apple["url"] as? String)?.contains("/\(country)/") == true)
            }
            let payloads = try await people.gateway.database.read { reader in
                try reader.map("SELECT payload FROM jobs") { try $0["payload"] as String }
            }
            #expect(payloads.count == 1 && payloads[0].contains(#""country":"cz""#))
        }
    }
}
