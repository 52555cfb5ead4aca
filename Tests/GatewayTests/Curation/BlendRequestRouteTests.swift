import Accounts
import Curation
import Foundation
import HTTPTypes
import HummingbirdTesting
import Model
import NIOCore
import Storage
import Testing
import Visibility

@testable import Gateway

@Suite("Requests for blends", .timeLimit(.minutes(5)))
struct BlendRequestRouteTests {
    private typealias Object = [String: Any]

    /// Somebody with a library, who asks others for blends.
    private struct Asker {
        let gateway: TestGateway
        let client: any TestClientProtocol
        let ada: LibraryPerson

        func send(
            _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, as headers: HTTPFields? = nil
        ) async throws -> TestResponse {
            try await client.execute(
                uri: path, method: method, headers: headers ?? ada.headers, body: body.map { ByteBuffer(string: $0) })
        }

        func ask(_ name: String, as headers: HTTPFields? = nil) async throws -> TestResponse {
            try await send(.post, "/v1/ai/blends", #"{"with":"\#(name)","size":10,"seed":1}"#, as: headers)
        }

        func answer(_ answer: String, to name: String, as headers: HTTPFields? = nil) async throws -> TestResponse {
            try await send(.put, "/v1/ai/blend-partners/\(name)", #"{"answer":"\#(answer)"}"#, as: headers)
        }

        func items(_ path: String, as headers: HTTPFields? = nil) async throws -> [[String: Any]] {
            try #require(try await send(.get, path, as: headers).object["items"] as? [[String: Any]])
        }

        func partners(as headers: HTTPFields? = nil) async throws -> [String] {
            try await items("/v1/ai/blend-partners", as: headers).map { "\($0["username"] ?? "") \($0["state"] ?? "")" }
        }

        /// The lines of `GET /v1/changes` about partners since a position, each as `ID NAME STATE` or `ID gone`, and the
        /// next position.
        func changes(since: String?, as headers: HTTPFields? = nil) async throws -> (lines: [String], next: String) {
            let query = since.map { "&since=\($0)" } ?? ""
            let answer = try await send(.get, "/v1/changes?kinds=blendPartner\(query)", as: headers)
            let objects = try String(buffer: answer.body).split(separator: "\n").map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
            let lines = objects.dropLast().map { line in
                let item = line["item"] as? [String: Any]
                let state = item.map { "\($0["username"] ?? "") \($0["state"] ?? "")" } ?? "gone"
                #expect(item.map { $0["id"] as? String == line["id"] as? String } ?? (line["gone"] as? Bool == true))
                return "\(line["id"] ?? "") \(state)"
            }
            return (lines, try #require(objects.last?["since"] as? String))
        }

        func write(_ body: @escaping @Sendable (WriteTransaction) throws -> Void) async throws {
            try await gateway.database.write { try body($0) }
        }
    }

    private func run(_ body: @escaping @Sendable (Asker) async throws -> Void) async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            try await gateway.withClient { client in
                try await body(Asker(gateway: gateway, client: client, ada: ada))
            }
        }
    }

    /// An answer without what differs between any two requests.
    private func comparable(_ response: TestResponse, _ name: String) throws -> String {
        var object = try response.object
        for member in ["id", "createdAt", "finishedAt", "seq"] { object[member] = nil }
        let text = String(
            decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
        return "\(response.status.code) " + text.replacing(name, with: "NAME")
    }

    @Test("A blank name is refused, and asks nobody", arguments: ["", " ", "\u{3000}\u{A0}"])
    func blankNames(name: String) async throws {
        try await run { asker in
            let refused = try await asker.ask(name)
            #expect(refused.status == .unprocessableContent)
            #expect(try refused.problem.code == "invalidField" && refused.problem.field == "$.with")
            #expect(try await asker.partners() == [])
        }
    }

    @Test("All answers are alike for somebody who is private, suspended or has blocked the asker, and for nobody")
    func hiddenPeople() async throws {
        try await run { asker in
            let userID = asker.ada.userID
            for name in ["private", "suspended", "blocking"] {
                let id = try await LibraryPerson(asker.gateway, name: name).userID
                try await asker.write { transaction in
                    switch name {
                    case "private": try transaction.visibility.setVisibility(.private, userID: id)
                    case "suspended": try transaction.visibility.suspend(userID: id)
                    default:
                        let keys = try [userID, id].compactMap { try transaction.visibility.key(ofUser: $0) }
                        try transaction.visibility.block(keys[0], by: keys[1], now: .now())
                    }
                }
            }
            var answers: [String: Set<String>] = [:]
            func note(_ what: String, _ response: TestResponse, _ name: String) throws {
                answers[what, default: []].insert(try comparable(response, name))
            }
            for name in ["nobody", "private", "suspended", "blocking"] {
                let start = try await asker.changes(since: nil).next
                let asked = try await asker.ask(name)
                #expect(asked.status == .accepted)
                try note("ask", asked, name)
                let path = try #require(asked.headers[.location])
                try note("show", try await asker.send(.get, path), name)
                try note("ask again", try await asker.ask(name), name)
                for answer in ["accept", "decline", "block"] {
                    let refused = try await asker.answer(answer, to: name)
                    #expect(try refused.problem.code == "notAsked")
                    answers[answer, default: []].insert("\(refused.status.code) \(String(buffer: refused.body))")
                }
                #expect(try await asker.partners() == ["\(name) asking"])
                let (lines, next) = try await asker.changes(since: start)
                #expect(lines.count == 1 && lines[0].hasSuffix(" \(name) asking"))
                let ended = try await asker.send(.delete, "/v1/ai/blend-partners/\(name)")
                #expect(ended.status == .noContent)
                try note("show the end", try await asker.send(.get, path), name)
                #expect(try await asker.partners() == [])
                let gone = try await asker.changes(since: next).lines
                #expect(gone == lines.map { $0.replacing("\(name) asking", with: "gone") })
                let again = try await asker.send(.delete, "/v1/ai/blend-partners/\(name)")
                #expect(try again.problem.code == "notAsked")
            }
            for (what, different) in answers { #expect(different.count == 1, "\(what): \(different)") }
        }
    }

    @Test("A partner has an id that stays, and that tells nothing about the person")
    func idsOfPartners() async throws {
        try await run { asker in
            let bea = try await LibraryPerson(asker.gateway, name: "bea")
            _ = try await asker.ask("bea")
            _ = try await asker.ask("nobody")
            let asked = try await asker.items("/v1/ai/blend-partners")
            let ids = asked.compactMap { $0["id"] as? String }
            #expect(ids.count == 2 && ids.allSatisfy(UUIDv7.isWellFormed) && !ids.contains(bea.userID))
            let start = try await asker.changes(since: nil)
            #expect(start.lines.count == 2)
            #expect(try await asker.answer("accept", to: "ada", as: bea.headers).status == .noContent)
            let accepted = try await asker.changes(since: start.next)
            let id = try #require(asked.first { $0["username"] as? String == "bea" }?["id"] as? String)
            #expect(accepted.lines == ["\(id) bea accepted"])
            // The other person's row is another item.
            let theirs = try await asker.items("/v1/ai/blend-partners", as: bea.headers)
            #expect(theirs.count == 1 && theirs[0]["id"] as? String != id)
            // Whoever is suspended is gone for a device that reads again, and the agreement stays.
            try await asker.write { _ = try $0.visibility.suspend(userID: bea.userID) }
            #expect(try await asker.partners() == ["nobody asking"])
            try await asker.write { _ = try $0.visibility.reinstate(userID: bea.userID) }
            #expect(try await asker.partners().contains("bea accepted"))
        }
    }

    @Test("The answer block blocks the person everywhere, and ending it unblocks them")
    func blocks() async throws {
        try await run { asker in
            let bea = try await LibraryPerson(asker.gateway, name: "bea")
            let userID = asker.ada.userID
            func isBlocked() async throws -> Bool {
                try await asker.gateway.database.read { reader in
                    try !reader.visibility.canSee(.existence, of: bea.userID, as: userID)
                }
            }
            _ = try await asker.ask("bea")
            #expect(try await asker.answer("accept", to: "ada", as: bea.headers).status == .noContent)
            let (_, since) = try await asker.changes(since: nil)
            #expect(try await !isBlocked())
            // Twice, as after a lost answer.
            for _ in 0..<2 { #expect(try await asker.answer("block", to: "bea").status == .noContent) }
            #expect(try await isBlocked())
            #expect(try await asker.partners() == [])
            #expect(try await asker.partners(as: bea.headers) == [])
            let gone = try await asker.changes(since: since).lines
            #expect(gone.count == 1 && gone[0].hasSuffix(" gone"))
            #expect(try await asker.ask("bea").problem.code == "notAsked")
            #expect(try await asker.send(.delete, "/v1/ai/blend-partners/bea").status == .noContent)
            #expect(try await !isBlocked())
            #expect(try await asker.ask("bea").status == .accepted)
            #expect(try await asker.partners(as: bea.headers) == ["ada asked"])
        }
    }

    @Test("A blend shows the name that its other person has now, as long as they may be seen")
    func namesOfBlends() async throws {
        try await run { asker in
            let bea = try await LibraryPerson(asker.gateway, name: "bea")
            _ = try await asker.ask("bea")
            #expect(try await asker.answer("accept", to: "ada", as: bea.headers).status == .noContent)
            func shown() async throws -> Set<String> {
                try Set(
                    await asker.items("/v1/ai/blends").map { item in
                        let error = (item["error"] as? Object)?["message"] as? String
                        return [item["with"] as? String, item["title"] as? String, error].compactMap(\.self)
                            .joined(separator: ", ")
                    })
            }
            #expect(try await shown() == ["bea, You and bea"])
            try await asker.write {
                try $0.run("UPDATE users SET name = 'beatrix', name_key = 'beatrix' WHERE id = \(bea.userID)")
            }
            #expect(try await shown() == ["beatrix, You and beatrix"])
            #expect(try await asker.partners() == ["beatrix accepted"])
            try await asker.write { try $0.visibility.setVisibility(.private, userID: bea.userID) }
            #expect(try await shown() == ["You and somebody else"])
            try await asker.write { try $0.visibility.setVisibility(.public, userID: bea.userID) }
            #expect(try await shown() == ["beatrix, You and beatrix"])
            #expect(try await asker.answer("block", to: "ada", as: bea.headers).status == .noContent)
            #expect(
                try await shown() == [
                    "You and somebody else, You and the other person do not both agree to blends."
                ])
        }
    }

    @Test("Whoever asks too many people in a day is told until when, whether they exist or not")
    func dailyLimit() async throws {
        try await run { asker in
            for number in 0..<20 {
                #expect(try await asker.ask("nobody\(number)").status == .accepted)
                #expect(try await asker.send(.delete, "/v1/ai/blend-partners/nobody\(number)").status == .noContent)
            }
            _ = try await LibraryPerson(asker.gateway, name: "bea")
            for name in ["bea", "nobody"] {
                let refused = try await asker.ask(name)
                #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] != nil)
                #expect(try refused.problem.code == "actLimitReached" && refused.problem.field == "with")
                #expect(try refused.object["limit"] as? String == "blendRequestsPerDay")
            }
            #expect(try await asker.partners() == [])
        }
    }
}
