import Foundation
import HummingbirdTesting
import Testing

@testable import Gateway

/// Threads and messages of people.
extension PeopleFixture {
    /// Two people who follow each other.
    func befriend(_ one: String, _ other: String) async throws {
        try await follow(other, as: one)
        try await follow(one, as: other)
    }

    func thread(_ other: String, as name: String) async throws -> String {
        let opened = try await send(.put, "/v1/users/\(other)/thread", as: name)
        return try #require(try opened.jsonObject["id"] as? String)
    }

    func write(
        _ number: Int, _ text: String, in thread: String, as name: String
    ) async throws -> TestResponse {
        let body = try JSONSerialization.data(withJSONObject: ["text": text])
        return try await sendMessage(number, String(decoding: body, as: UTF8.self), in: thread, as: name)
    }

    /// - Parameter song: as the API names it.
    func sendSong(_ number: Int, _ song: String, in thread: String, as name: String) async throws -> TestResponse {
        try await sendMessage(number, #"{"song":\#(song)}"#, in: thread, as: name)
    }

    private func sendMessage(
        _ number: Int, _ body: String, in thread: String, as name: String
    ) async throws -> TestResponse {
        try await send(
            .put, "/v1/threads/\(thread)/messages/\(Self.clientID(number))", as: name, body: body)
    }

    /// Reports that a person has listened to a song, of which Backline then knows the title and the artist only.
    ///
    /// - Returns: the id of the listen.
    func listen(to title: String, of name: String) async throws -> String {
        let listens = """
            {"listen_type":"import","payload":[{"listened_at":1700000000,"track_metadata":{"artist_name":"Röyksopp",
            "track_name":"\(title)"}}]}
            """
        #expect(try await send(.post, "/1/submit-listens", as: name, body: listens).status == .ok)
        return try #require(try await items("/v1/listening/listens", as: name).first?["id"] as? String)
    }

    /// The changes of threads and messages after a position, and the end.
    func changes(
        of name: String, since: String? = nil
    ) async throws -> (lines: [[String: Any]], end: String) {
        let path = "/v1/changes?kinds=message,thread" + (since.map { "&since=\($0)" } ?? "")
        let answer = try await send(.get, path, as: name)
        let lines = try String(buffer: answer.body).split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        return (lines.filter { $0["id"] != nil }, try #require(lines.last?["since"] as? String))
    }
}
