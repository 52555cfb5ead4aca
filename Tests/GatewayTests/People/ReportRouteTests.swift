import Foundation
import HTTPTypes
import HummingbirdTesting
import Model
import Storage
import Testing
import Visibility

@testable import Gateway

@Suite("Reports in the API")
struct ReportRouteTests {
    private func report(_ text: String, in people: PeopleFixture) async throws -> TestResponse {
        let body = try JSONSerialization.data(withJSONObject: ["text": text])
        return try await people.send(
            .post, "/v1/users/bea/report", as: "ada", body: String(decoding: body, as: UTF8.self))
    }

    @Test("Administrators read the text and the profile as it was; others read nothing, and no file has them")
    func reading() async throws {
        try await PeopleFixture.run(["ada", "bea", "root", "chief"], administrators: ["root", "chief"]) { people in
            let id = try people.id(of: "bea")
            func setBio(_ bio: String) async throws {
                try await people.gateway.database.write {
                    try $0.run("UPDATE users SET bio = \(bio) WHERE id = \(id)")
                }
            }
            try await setBio("I am unkind to everybody")
            #expect(try await report("Quite unpleasant words", in: people).status == .accepted)
            try await setBio("I am nice")
            let found = try #require(try await people.items("/v1/admin/reports", as: "root").first)
            #expect(found["text"] as? String == "Quite unpleasant words" && found["isReadable"] as? Bool == true)
            #expect(found["reporter"] as? String == "ada" && found["subject"] as? String == "bea")
            let profile = try #require(found["profile"] as? [String: Any])
            #expect(profile["bio"] as? String == "I am unkind to everybody" && profile["username"] as? String == "bea")
            #expect(try await people.send(.get, "/v1/admin/reports", as: "ada").status == .forbidden)
            let path = people.gateway.database.path
            for suffix in ["", "-wal"] {
                let bytes = FileManager.default.contents(atPath: path + suffix) ?? Data()
                #expect(bytes.range(of: Data("Quite unpleasant".utf8)) == nil, "\(suffix)")
            }
        }
    }

    @Test("A decision is one of two words; suspending makes the person invisible, and the text is gone")
    func decisions() async throws {
        try await PeopleFixture.run(["ada", "bea", "root"], administrators: ["root"]) { people in
            #expect(try await report("rude", in: people).status == .accepted)
            let found = try #require(try await people.items("/v1/admin/reports", as: "root").first)
            let path = "/v1/admin/reports/\(try #require(found["id"] as? String))/decision"
            func decide(_ body: String, _ path: String, as name: String) async throws -> TestResponse {
                try await people.send(.post, path, as: name, body: body)
            }
            for body in ["{}", #"{"decision":"erase"}"#, #"{"decision":1}"#, #"{"decision":"nothing","why":"x"}"#] {
                #expect(try await decide(body, path, as: "root").status == .unprocessableContent, "\(body)")
            }
            let suspend = #"{"decision":"suspend"}"#
            #expect(try await decide(suspend, path, as: "ada").status == .forbidden)
            for id in [UUIDv7.next(), "1", "%00"] {
                let unknown = try await decide(suspend, "/v1/admin/reports/\(id)/decision", as: "root")
                #expect(unknown.status == .notFound, "\(id)")
            }
            for _ in 0..<2 { #expect(try await decide(suspend, path, as: "root").status == .noContent) }
            #expect(try await people.follow("bea", as: "ada").status == .notFound)
            let other = try await decide(#"{"decision":"nothing"}"#, path, as: "root")
            #expect(other.status == .conflict)
            #expect(try other.problem.code == "alreadyDecided")
            #expect(try await people.items("/v1/admin/reports", as: "root").isEmpty)
            let decided = try #require(
                try await people.items("/v1/admin/reports?state=decided", as: "root").first)
            #expect(decided["decision"] as? String == "suspend" && decided["text"] is NSNull)
            #expect(
                try await people.send(.get, "/v1/admin/reports?state=x", as: "root").status == .unprocessableContent)
        }
    }

    @Test("The reporter is notified that it was decided, of several reports of a day at once")
    func notifications() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo", "root"], administrators: ["root"]) { people in
            let body = #"{"text":"rude"}"#
            for name in ["bea", "cleo"] {
                #expect(
                    try await people.send(.post, "/v1/users/\(name)/report", as: "ada", body: body).status == .accepted)
            }
            func titles() async throws -> [String] {
                try await people.items("/v1/notifications", as: "ada").compactMap { $0["title"] as? String }
            }
            #expect(try await titles().isEmpty)
            let ids = try await people.items("/v1/admin/reports", as: "root").compactMap { $0["id"] as? String }
            #expect(ids.count == 2)
            for (id, expected) in zip(ids, ["your report", "2 of your reports"]) {
                let decided = try await people.send(
                    .post, "/v1/admin/reports/\(id)/decision", as: "root", body: #"{"decision":"nothing"}"#)
                #expect(decided.status == .noContent)
                #expect(try await titles() == ["An administrator has decided on \(expected)"])
            }
        }
    }

    @Test("A text is needed, has at most a thousand characters, and is kept without what would disturb other text")
    func texts() async throws {
        try await PeopleFixture.run(["ada", "bea", "root"], administrators: ["root"]) { people in
            for body in [
                "{}", #"{"text":1}"#, #"{"text":"  \n "}"#, #"{"text":"\u202e\u200b "}"#,
                #"{"text":"a\u0000b"}"#, #"{"text":"\ud800"}"#,
            ] {
                let refused = try await people.send(.post, "/v1/users/bea/report", as: "ada", body: body)
                #expect([.unprocessableContent, .badRequest].contains(refused.status), "\(body)")
            }
            let long = try await report(String(repeating: "x", count: 1_001), in: people)
            #expect(long.status == .unprocessableContent)
            #expect(try long.problem.detail.contains("1000"))
            let text = String(repeating: "Žluťoučký 🎵 ", count: 40)
            #expect(try await report(text, in: people).status == .accepted)
            let found = try #require(try await people.items("/v1/admin/reports", as: "root").first)
            #expect(found["text"] as? String == text.trimmingCharacters(in: .whitespaces))
            let disturbing = "\u{202E}Ru\u{200B}de" + String(repeating: "\u{301}", count: 8) + "\n👩🏽\u{200D}🚀"
            #expect(try await report(disturbing, in: people).status == .accepted)
            let cleaned = try #require(try await people.items("/v1/admin/reports", as: "root").first)
            #expect(cleaned["text"] as? String == "Rude\u{301}\u{301}\n👩🏽\u{200D}🚀")
        }
    }

    @Test("Reports of one person with other words each time are ten a day; the same one again is answered as before")
    func replacements() async throws {
        try await PeopleFixture.run(["ada", "bea", "root"], administrators: ["root"]) { people in
            for number in 1...10 {
                #expect(try await report("text \(number)", in: people).status == .accepted)
                #expect(try await report("text \(number)", in: people).status == .accepted, "the same again is free")
            }
            let refused = try await report("text 11", in: people)
            #expect(refused.status == .tooManyRequests)
            let detail = try refused.problem.detail
            #expect(detail.hasPrefix("You can report people 10 times a day. You can report somebody again in "))
            #expect(try await report(" text 10\n", in: people).status == .accepted)
            let found = try await people.items("/v1/admin/reports", as: "root")
            #expect(found.map { $0["text"] as? String } == ["text 10"])
        }
    }

    @Test("An export does not name a reported person who has blocked the reporter")
    func exportAfterBlock() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            func exported() async throws -> [[String: Any]] {
                let answer = try await people.send(.get, "/v1/me/export", as: "ada")
                let archive = try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView))
                return try #require((archive as? [String: Any])?["reports"] as? [[String: Any]])
            }
            #expect(try await report("rude", in: people).status == .accepted)
            let before = try #require(try await exported().first)
            #expect(before["username"] as? String == "bea")
            #expect(try await people.send(.put, "/v1/users/ada/block", as: "bea").status == .noContent)
            let after = try #require(try await exported().first)
            #expect(after["username"] as? String == nil && after["id"] as? String == before["id"] as? String)
        }
    }

    @Test("A lost key leaves the reports to decide about, refuses new ones, and returns with the file")
    func lostKey() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo", "root"], administrators: ["root"]) { people in
            #expect(try await report("rude", in: people).status == .accepted)
            let folder = URL(fileURLWithPath: people.gateway.database.path).deletingLastPathComponent()
            let file = folder.appending(path: "messages/messages.key")
            let aside = folder.appending(path: "key-aside")
            try FileManager.default.moveItem(at: file, to: aside)
            let found = try #require(try await people.items("/v1/admin/reports", as: "root").first)
            #expect(
                found["isReadable"] as? Bool == false && found["text"] is NSNull && found["subject"] as? String == "bea"
            )
            let refused = try await people.send(.post, "/v1/users/cleo/report", as: "ada", body: #"{"text":"rude"}"#)
            #expect(refused.status == .serviceUnavailable)
            #expect(try refused.problem.code == "vaultUnavailable")
            try FileManager.default.moveItem(at: aside, to: file)
            let again = try #require(try await people.items("/v1/admin/reports", as: "root").first)
            #expect(again["text"] as? String == "rude")
        }
    }
}
