import Foundation
import HTTPTypes
import HummingbirdTesting
import Model
import Storage
import Testing
import Visibility

@testable import Gateway

@Suite("Routes of messages")
struct MessageRouteTests {
    @Test("A message arrives, the same request again is answered with it, and deleting leaves its place")
    func sending() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            try await people.befriend("ada", "bea")
            let thread = try await people.thread("bea", as: "ada")
            let sent = try await people.write(1, "For long\nevenings", in: thread, as: "ada")
            #expect(sent.status == .created)
            let message = try sent.jsonObject
            let id = try #require(message["id"] as? String)
            #expect(message["clientId"] as? String == PeopleFixture.clientID(1) && message["isMine"] as? Bool == true)
            #expect(message["text"] as? String == "For long\nevenings" && message["state"] as? String == "shown")
            let again = try await people.write(1, "For long\nevenings", in: thread, as: "ada")
            #expect(again.status == .ok)
            #expect(try again.jsonObject["id"] as? String == id)
            let other = try await people.write(1, "Other", in: thread, as: "ada")
            #expect(other.status == .conflict)
            #expect(try other.problem.code == "otherMessage")

            let list = try await people.items("/v1/threads", as: "bea")
            #expect(list.count == 1 && list.first?["unread"] as? Int == 1 && list.first?["state"] as? String == "open")
            #expect((list.first?["person"] as? [String: Any])?["username"] as? String == "ada")
            let seen = try await people.items("/v1/threads/\(thread)/messages", as: "bea")
            #expect(seen.map { $0["text"] as? String } == ["For long\nevenings"])
            #expect(seen.first?["clientId"] as? String == nil)
            let unread = try await people.json("/v1/threads/unread", as: "bea")
            #expect(unread["messages"] as? Int == 1 && unread["requests"] as? Int == 0)
            let number = try #require(message["number"] as? Int)
            let mark = try await people.send(
                .put, "/v1/threads/\(thread)/read-mark", as: "bea", body: #"{"number":\#(number)}"#)
            #expect(try mark.jsonObject["unread"] as? Int == 0)

            // Nobody else knows of the thread.
            for path in ["/v1/threads/\(thread)", "/v1/threads/\(thread)/messages"] {
                #expect(try await people.send(.get, path, as: "cleo").status == .notFound, "\(path)")
            }
            #expect(try await people.write(1, "Hello", in: thread, as: "cleo").status == .notFound)
            let path = "/v1/threads/\(thread)/messages/\(id)"
            #expect(try await people.send(.delete, path, as: "bea").status == .notFound)
            #expect(try await people.send(.delete, path, as: "ada").status == .noContent)
            let left = try await people.items("/v1/threads/\(thread)/messages", as: "bea")
            #expect(left.first?["state"] as? String == "deleted" && left.first?["text"] as? String == nil)
            let late = try await people.write(1, "For long\nevenings", in: thread, as: "ada")
            #expect(late.status == .ok)
            #expect(try late.jsonObject["state"] as? String == "deleted")
        }
    }

    @Test("A message without text and song, with an unknown field, or under another id than a UUID is refused")
    func refusals() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            let thread = try await people.thread("bea", as: "ada")
            let path = "/v1/threads/\(thread)/messages/\(PeopleFixture.clientID(1))"
            let long = String(repeating: "x", count: 2_001)
            let bodies = [
                "{}", #"{"text":" \n"}"#, #"{"text":"\#(long)"}"#, #"{"text":1}"#, #"{"words":"Hello"}"#,
                #"{"text":"Hello","song":{}}"#, #"{"text":"\u0000"}"#,
            ]
            for body in bodies {
                let refused = try await people.send(.put, path, as: "ada", body: body)
                #expect(refused.status == .unprocessableContent, "\(body)")
            }
            #expect(try await people.gateway.count("SELECT 1 FROM messages") == 0)
            let named = try await people.send(
                .put, "/v1/threads/\(thread)/messages/1", as: "ada", body: #"{"text":"Hello"}"#)
            #expect(named.status == .unprocessableContent)
            for name in ["nobody", "%00", "ada"] {
                let opened = try await people.send(.put, "/v1/users/\(name)/thread", as: "ada")
                #expect(opened.status == (name == "ada" ? .conflict : .notFound), "\(name)")
            }
        }
    }

    @Test("A song that is sent is in the thread and in the recipient's feed, as long as the two can reach each other")
    func songs() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            try await people.befriend("ada", "bea")
            let track = try await people.saveTrack(of: "ada")
            let thread = try await people.thread("bea", as: "ada")
            let sent = try await people.send(
                .put, "/v1/threads/\(thread)/messages/\(PeopleFixture.clientID(1))", as: "ada",
                body: #"{"song":{"libraryTrackId":"\#(track)"},"text":"Listen"}"#)
            #expect(sent.status == .created)
            let song = try #require(try sent.jsonObject["song"] as? [String: Any])
            #expect(song["title"] as? String == "Eple" && song["artists"] as? [String] == ["Röyksopp"])
            let feed = try await people.items("/v1/feed", as: "bea").filter { $0["kind"] as? String == "sentSong" }
            let item = try #require(feed.first?["sentSong"] as? [String: Any])
            #expect((item["person"] as? [String: Any])?["username"] as? String == "ada")
            #expect((item["message"] as? [String: Any])?["text"] as? String == "Listen")
            let titles = try await people.items("/v1/notifications", as: "bea").compactMap { $0["title"] as? String }
            #expect(titles.contains("ada sent you a song") && !titles.contains { $0.contains("Eple") })
            #expect(try await people.send(.put, "/v1/users/ada/block", as: "bea").status == .noContent)
            let rest = try await people.items("/v1/feed", as: "bea").filter { $0["kind"] as? String == "sentSong" }
            #expect(rest.isEmpty)
            #expect(try await people.items("/v1/threads", as: "bea").isEmpty)
            #expect(try await people.items("/v1/threads?state=blocked", as: "bea").count == 1)
            let closed = try await people.json("/v1/threads/\(thread)", as: "ada")
            #expect(closed["state"] as? String == "closed" && closed["person"] as? [String: Any] == nil)
        }
    }

    @Test("A request is accepted or declined, and settings decide who may ask")
    func requests() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            let thread = try await people.thread("bea", as: "ada")
            #expect(try await people.write(1, "May I?", in: thread, as: "ada").status == .created)
            let waiting = try await people.write(2, "Hello?", in: thread, as: "ada")
            #expect(try waiting.problem.code == "requestPending")
            let request = try #require(try await people.items("/v1/me/message-requests", as: "bea").first)
            #expect(request["last"] as? [String: Any] == nil && request["state"] as? String == "request")
            let answer = "/v1/me/message-requests/\(thread)"
            #expect(try await people.send(.put, answer, as: "ada").status == .notFound)
            for _ in 0..<2 { #expect(try await people.send(.put, answer, as: "bea").status == .noContent) }
            #expect(try await people.write(2, "Hello", in: thread, as: "ada").status == .created)
            let settings = try await people.send(
                .put, "/v1/me/message-settings", as: "bea", body: #"{"policy":"mutual"}"#)
            let chosen = try settings.jsonObject
            #expect(chosen["policy"] as? String == "mutual" && chosen["showsReadMarks"] as? Bool == false)
            for body in [#"{"policy":"nobody"}"#, #"{"showsReadMarks":1}"#, #"{"policy":null}"#] {
                let wrong = try await people.send(.put, "/v1/me/message-settings", as: "bea", body: body)
                #expect(wrong.status == .unprocessableContent, "\(body)")
            }
        }
    }

    @Test("A profile says what a message to its person leads to, and who refuses is no recipient")
    func writing() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            func choose(_ policy: String) async throws {
                let chosen = try await people.send(
                    .put, "/v1/me/message-settings", as: "bea", body: #"{"policy":"\#(policy)"}"#)
                #expect(chosen.status == .ok)
            }
            func writing(to name: String) async throws -> String? {
                try await people.json("/v1/users/\(name)", as: "ada")["writing"] as? String
            }
            func recipients() async throws -> [String?] {
                try await people.items("/v1/me/recipients", as: "ada").map { $0["writing"] as? String }
            }
            #expect(try await writing(to: "ada") == nil, "nobody writes to themself")
            try await people.follow("bea", as: "ada")
            #expect(try await writing(to: "bea") == "request")
            #expect(try await recipients() == ["request"])
            try await choose("followed")
            #expect(try await writing(to: "bea") == "refused")
            #expect(try await recipients().isEmpty)
            #expect(try await people.items("/v1/me/recipients?q=be", as: "ada").isEmpty)
            // The thread that the page opens says the same, and changes nothing about it.
            let thread = try await people.thread("bea", as: "ada")
            #expect(try await people.json("/v1/threads/\(thread)", as: "ada")["writing"] as? String == "refused")
            #expect(try await writing(to: "bea") == "refused")
            try await choose("anybody")
            #expect(try await people.write(1, "May I?", in: thread, as: "ada").status == .created)
            #expect(try await writing(to: "bea") == "waiting")
            #expect(try await recipients() == ["waiting"])
            try await people.follow("ada", as: "bea")
            #expect(try await writing(to: "bea") == "free")
            #expect(try await recipients() == ["free"])
        }
    }

    @Test("Changes have threads and messages in the order of their numbers, and a deletion without the text")
    func changes() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            try await people.befriend("ada", "bea")
            let thread = try await people.thread("bea", as: "ada")
            let start = try await people.changes(of: "bea")
            let ids = try await (1...3).asyncMap { number in
                try #require(
                    try await people.write(number, "Text \(number)", in: thread, as: "ada").jsonObject["id"] as? String)
            }
            let after = try await people.changes(of: "bea", since: start.end)
            #expect(after.lines.filter { $0["kind"] as? String == "message" }.map { $0["id"] as? String } == ids)
            #expect(after.lines.filter { $0["kind"] as? String == "thread" }.count == 1)
            let path = "/v1/threads/\(thread)/messages/\(ids[1])"
            #expect(try await people.send(.delete, path, as: "ada").status == .noContent)
            let rest = try await people.changes(of: "bea", since: after.end)
            let item = try #require(
                rest.lines.first { $0["kind"] as? String == "message" }?["item"] as? [String: Any])
            #expect(item["id"] as? String == ids[1] && item["state"] as? String == "deleted")
        }
    }

    @Test("Changes have the thread when the other person is suspended, and a request of somebody suspended as gone")
    func suspension() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            let thread = try await people.thread("bea", as: "ada")
            #expect(try await people.write(1, "May I?", in: thread, as: "ada").status == .created)
            #expect(try await people.write(1, "Of course", in: thread, as: "bea").status == .created)
            let request = try await people.thread("cleo", as: "bea")
            #expect(try await people.write(2, "May I?", in: request, as: "bea").status == .created)
            let (ada, cleo) = (try await people.changes(of: "ada"), try await people.changes(of: "cleo"))
            let bea = try people.id(of: "bea")
            try await people.gateway.database.write { _ = try $0.visibility.suspend(userID: bea) }
            let closed = try await people.changes(of: "ada", since: ada.end)
            #expect(closed.lines.count == 1)
            let item = try #require(closed.lines.first?["item"] as? [String: Any])
            #expect(item["state"] as? String == "closed" && item["person"] is NSNull)
            #expect(item["resetSeq"] as? Int == closed.lines.first?["seq"] as? Int)
            let gone = try await people.changes(of: "cleo", since: cleo.end)
            #expect(gone.lines.count == 1 && gone.lines.first?["gone"] as? Bool == true)
            #expect(gone.lines.first?["id"] as? String == request)
            try await people.gateway.database.write { _ = try $0.visibility.reinstate(userID: bea) }
            let open = try await people.changes(of: "ada", since: closed.end)
            #expect((open.lines.first?["item"] as? [String: Any])?["state"] as? String == "open")
            let back = try await people.changes(of: "cleo", since: gone.end)
            #expect((back.lines.first?["item"] as? [String: Any])?["state"] as? String == "request")
        }
    }

    @Test("A reported message is copied for the administrators, stays when it is deleted, and is added to open reports")
    func reports() async throws {
        try await PeopleFixture.run(["ada", "bea", "root"], administrators: ["root"]) { people in
            try await people.befriend("ada", "bea")
            let thread = try await people.thread("bea", as: "ada")
            var ids: [String] = []
            for number in 1...2 {
                let sent = try await people.write(number, "Threat \(number)", in: thread, as: "ada")
                ids.append(try #require(try sent.jsonObject["id"] as? String))
            }
            func report(_ id: String, as name: String) async throws -> TestResponse {
                try await people.send(
                    .post, "/v1/threads/\(thread)/messages/\(id)/report", as: name, body: #"{"text":"Rude"}"#)
            }
            #expect(try await report(ids[0], as: "ada").status == .notFound, "nobody reports themself")
            // Also of somebody whose profile is closed by now.
            try await people.setVisibility(.private, of: "ada")
            for id in ids { #expect(try await report(id, as: "bea").status == .accepted) }
            let path = "/v1/threads/\(thread)/messages/\(ids[0])"
            #expect(try await people.send(.delete, path, as: "ada").status == .noContent)
            let found = try await people.items("/v1/admin/reports", as: "root")
            let messages = try #require(found.first?["messages"] as? [[String: Any]])
            #expect(found.count == 1 && messages.map { $0["text"] as? String } == ["Threat 1", "Threat 2"])
        }
    }

    @Test("An export has what the person has written, and nothing of the other one or of who has only opened a thread")
    func export() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            try await people.befriend("ada", "bea")
            let opened = try await people.thread("ada", as: "cleo")
            let thread = try await people.thread("bea", as: "ada")
            #expect(try await people.write(1, "Mine", in: thread, as: "ada").status == .created)
            #expect(try await people.write(1, "Theirs", in: thread, as: "bea").status == .created)
            let archive = try await people.json("/v1/me/export", as: "ada")
            let messages = try #require(archive["messages"] as? [[String: Any]])
            #expect(messages.count == 1 && messages.first?["threadId"] as? String == thread)
            #expect((messages.first?["content"] as? [String: Any])?["text"] as? String == "Mine")
            let threads = try #require(archive["messageThreads"] as? [[String: Any]])
            #expect(threads.first?["username"] as? String == "bea")
            let whole = try JSONSerialization.data(withJSONObject: archive)
            for text in ["Theirs", opened] { #expect(!String(decoding: whole, as: UTF8.self).contains(text)) }
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ make: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await make(element)) }
        return values
    }
}
