import Foundation
import HummingbirdTesting
import Model
import Storage
import Testing

@testable import Gateway

@Suite("Songs of messages, sent on and shared")
struct SentSongRouteTests {
    /// Three friends, of whom Ada has sent Bea a song that no service has given.
    private static func run(
        _ body: @escaping @Sendable (PeopleFixture, _ thread: String, _ messageID: String) async throws -> Void
    ) async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            try await people.befriend("ada", "bea")
            try await people.befriend("bea", "cleo")
            let listen = try await people.listen(to: "Eple", of: "ada")
            let thread = try await people.thread("bea", as: "ada")
            let sent = try await people.sendSong(1, #"{"listenId":"\#(listen)"}"#, in: thread, as: "ada")
            #expect(sent.status == .created)
            try await body(people, thread, try #require(try sent.jsonObject["id"] as? String))
        }
    }

    @Test("Both people of a thread send on and share a song that no service has given, as it was sent")
    func sendingOn() async throws {
        try await Self.run { people, thread, message in
            let song = #"{"messageId":"\#(message)"}"#
            let other = try await people.thread("cleo", as: "bea")
            let sent = try await people.sendSong(1, song, in: other, as: "bea")
            #expect(sent.status == .created)
            let found = try #require(try sent.jsonObject["song"] as? [String: Any])
            #expect(found["title"] as? String == "Eple" && found["artists"] as? [String] == ["Röyksopp"])
            #expect((found["sources"] as? [Any])?.isEmpty == true)
            for name in ["ada", "bea"] {
                let shared = try await people.put(2, #"{"song":\#(song)}"#, as: name)
                #expect(shared.status == .created)
                #expect((try shared.jsonObject["song"] as? [String: Any])?["title"] as? String == "Eple")
            }
            // The same message again needs no song, which is gone by now.
            let path = "/v1/threads/\(thread)/messages/\(message)"
            #expect(try await people.send(.delete, path, as: "ada").status == .noContent)
            #expect(try await people.sendSong(1, song, in: other, as: "bea").status == .ok)
            #expect(try await people.put(2, #"{"song":\#(song)}"#, as: "bea").status == .ok)
            // Who got it on has it still.
            let received = try #require(try sent.jsonObject["id"] as? String)
            let back = try await people.sendSong(1, #"{"messageId":"\#(received)"}"#, in: other, as: "cleo")
            #expect(back.status == .created)
        }
    }

    @Test("A message of others, without a song, that was deleted or is hidden by a block is like one that nobody sent")
    func unknown() async throws {
        try await Self.run { people, thread, message in
            let other = try await people.thread("cleo", as: "bea")
            let text = try await people.write(2, "No song", in: thread, as: "ada")
            func answers(_ id: String, as name: String) async throws -> [String] {
                let song = #"{"messageId":"\#(id)"}"#
                let refused = [
                    try await people.sendSong(7, song, in: other, as: name),
                    try await people.put(7, #"{"song":\#(song)}"#, as: name),
                ]
                for answer in refused { #expect(answer.status == .unprocessableContent, "\(name): \(id)") }
                return refused.map { String(buffer: $0.body) }
            }
            let guessed = NumberedID(number: 1_000_000, milliseconds: 1_790_000_000_000).text
            let unknown = try await answers(guessed, as: "bea")
            #expect(unknown[0].contains("$.song.messageId"))
            for malformed in ["x", "", thread] { #expect(try await answers(malformed, as: "bea") == unknown) }
            #expect(try await answers(message, as: "cleo") == unknown, "somebody else's")
            #expect(
                try await answers(try #require(try text.jsonObject["id"] as? String), as: "bea") == unknown,
                "without a song")
            #expect(try await people.send(.put, "/v1/users/bea/block", as: "ada").status == .noContent)
            #expect(try await answers(message, as: "bea") == unknown, "of somebody who has blocked the person")
            #expect(try await people.send(.delete, "/v1/users/bea/block", as: "ada").status == .noContent)
            let path = "/v1/threads/\(thread)/messages/\(message)"
            #expect(try await people.send(.delete, path, as: "ada").status == .noContent)
            #expect(try await answers(message, as: "bea") == unknown, "deleted")
            #expect(try await people.gateway.count("SELECT 1 FROM shares") == 0)
        }
    }
}
