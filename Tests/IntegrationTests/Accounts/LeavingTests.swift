import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("Leaving with followers, requests, reports and blends", .timeLimit(.minutes(30)))
struct LeavingTests {
    private struct Blend: Decodable, Sendable {
        struct Item: Decodable, Sendable {
            var attribution: String
            var reason: String
        }
        struct Failure: Decodable, Sendable {
            var code: String
        }

        var state: String
        var with: String?
        var tracks: [Item]?
        var error: Failure?
    }

    private struct Report: Decodable, Sendable {
        struct Profile: Decodable, Sendable {
            var username: String
        }

        var id: String
        var reporter: String?
        var subject: String?
        var text: String?
        var profile: Profile?
    }

    private struct Name: Decodable, Sendable {
        var username: String
    }

    @Test("Nobody sees who leaves from the first transaction on, and the gateway may be killed at each later one")
    func killedAtEachStep() async throws {
        try await LibraryInstallation.run { library in
            let leaving = try await LeavingInstallation.make(in: library)
            let base = leaving.base
            let (ada, bea, cleo) = (leaving.ada, try leaving.other("bea"), try leaving.other("cleo"))
            try await expectVisible(leaving)
            // Bea's device is offline from here on.
            let mark = try await position(of: bea)

            // Cleo and Ada are online, with a gateway that dies after the first transaction.
            try await leaving.killGateway()
            let dying = try await base.startGateway(environment: LeavingInstallation.dying)
            let online = try await EventStream.open(cleo)
            let own = try await EventStream.open(ada)
            let position = try #require(online.position)
            // The answer is lost with the gateway.
            _ = try? await ada.leave(as: leaving.username)
            #expect(try await dying.waitForEnd() == .killed(signal: SIGKILL))
            try await eventually("the ends of the streams") { online.hasEnded && own.hasEnded }

            // The steps are refused, so that everything between Ada and the others is still there.
            let (first, last) = (["follow_requests", "blend_partners"], ["follows", "blocks"])
            try await leaving.hold(first + last)
            try await base.startGateway()
            let again = try await EventStream.open(cleo, lastEventID: position)
            for kind in ["itemsOf", "person"] {
                try await again.first("the end of Ada for her follower") { event in
                    event.name == "gone" && event.json == .object(["kind": .string(kind), "id": .string(leaving.id)])
                }
            }
            try await expectInvisible(leaving)
            #expect(try await leaving.tables(with: leaving.id).contains("erasures"))
            again.close()
            try await leaving.killGateway()

            var deaths = 0
            func dieWhile(_ goesOn: () async throws -> Bool) async throws {
                while try await goesOn() { deaths += try await leaving.startDyingGateway() ? 1 : 0 }
            }
            // The requests, reports and blends.
            try await leaving.release(first)
            try await dieWhile { try await !leaving.tables(with: leaving.id).isDisjoint(with: ["blend_partners"]) }
            // The library and the listens, whose many steps have tests of their own.
            try await base.startGateway()
            try await eventually("the library and the listens to go") {
                try await leaving.tables(with: leaving.id).isDisjoint(with: ["libraries", "listen_histories"])
            }
            try await leaving.killGateway()
            // The follows and blocks, and the end.
            try await leaving.release(last)
            try await dieWhile { try await !leaving.isErased() }
            #expect(deaths >= 8, "\(deaths) deaths")

            try await base.startGateway()
            try await expectInvisible(leaving)
            try await expectGone(leaving, since: mark)
            try await expectRemains(leaving)
        }
    }

    // MARK: Before

    /// Everybody sees what the test expects to disappear.
    private func expectVisible(_ leaving: LeavingInstallation) async throws {
        let (bea, root) = (try leaving.other("bea"), try leaving.other("root"))
        for path in ["/v1/me/following", "/v1/me/followers"] {
            #expect(try await cards(path, bea) == [leaving.id], "\(path)")
        }
        #expect(try await cards("/v1/users?q=\(leaving.username)", bea) == [leaving.id])
        #expect(try await cards("/v1/me/blocked", leaving.other("fay")) == [leaving.id])
        #expect(try await names("/v1/ai/blend-partners", bea) == [leaving.username])
        #expect(try await names("/v1/ai/blend-partners", leaving.other("cleo")) == [leaving.username])
        let reports: LeavingInstallation.Page<Report> = try await root.get("/v1/admin/reports").decode()
        #expect(reports.items.filter { $0.subject == leaving.username }.count == 2)
        #expect(reports.items.filter { $0.reporter == leaving.username }.count == 1)
        let finished: Blend = try await bea.get("/v1/ai/blends/\(leaving.blends.finished)").decode()
        #expect(finished.with == leaving.username && finished.tracks?.count == 20)
        #expect(try await leaving.tables(with: leaving.words[2]).count >= 2)
        if let picture = leaving.picture { #expect(try await bea.get(picture).status == 200) }
    }

    // MARK: From the first transaction on

    private func expectInvisible(_ leaving: LeavingInstallation) async throws {
        #expect(try await leaving.ada.get("/v1/me").status == 401)
        for (name, person) in leaving.others.sorted(by: { $0.key < $1.key }) {
            for username in [leaving.username, leaving.formerUsername] {
                #expect(try await person.get("/v1/users/\(username)").status == 404, "\(name)")
                #expect(try await person.send(.PUT, "/v1/users/\(username)/follow").status == 404, "\(name)")
            }
            let lists = ["following", "followers", "blocked", "follow-requests"].map { "/v1/me/\($0)" }
            for path in lists + ["/v1/users", "/v1/users?q=\(leaving.username)", "/v1/users/suggestions"] {
                let response = try await person.get(path)
                #expect(response.status == 200, "\(name), \(path)")
                for word in leaving.words + [leaving.id] {
                    #expect(!contains(response, word), "\(name), \(path)")
                }
            }
            #expect(try await names("/v1/ai/blend-partners", person) == [], "\(name)")
            let blends = try await person.get("/v1/ai/blends")
            for word in leaving.words { #expect(!contains(blends, word), "\(name)") }
            if let picture = leaving.picture { #expect(try await person.get(picture).status == 404, "\(name)") }
        }
        let root = try leaving.other("root")
        let reports: LeavingInstallation.Page<Report> = try await root.get("/v1/admin/reports").decode()
        // Reports of her keep their sealed copies, and the one by her stays. Neither names her account.
        #expect(reports.items.count == 3 && reports.items.allSatisfy { $0.text?.contains(leaving.words[2]) == true })
        #expect(reports.items.filter { $0.profile?.username == leaving.username }.count == 2)
        #expect(!reports.items.contains { [$0.reporter, $0.subject].contains(leaving.username) })
        let accounts = try await root.get("/v1/admin/accounts")
        for word in leaving.words { #expect(!contains(accounts, word)) }
    }

    private func contains(_ response: APIResponse, _ word: String) -> Bool {
        String(decoding: response.body, as: UTF8.self).contains(word)
    }

    // MARK: Afterwards

    /// The offline device and those online learn it, her names are held, and the blends are separated.
    private func expectGone(_ leaving: LeavingInstallation, since mark: String) async throws {
        let (bea, cleo) = (try leaving.other("bea"), try leaving.other("cleo"))
        let lines = try await changes(of: bea, since: mark)
        #expect(lines.last?["end"] != nil)
        let gone = lines.filter { $0["id"] == .string(leaving.id) }
        #expect(gone.allSatisfy { $0["gone"] == .bool(true) }, "\(gone)")
        #expect(gone.compactMap { $0["kind"]?.text } == ["itemsOf", "person"], "\(gone)")
        // Who knows nothing is told nothing of her.
        let all = try await changes(of: leaving.other("dora"), since: nil)
        #expect(!all.contains { $0["id"] == .string(leaving.id) })
        let profile = try await bea.get("/v1/users/bea").decode(JSON.self)
        #expect(profile["counts"] == .object(["followers": 0, "following": 0]))
        for username in [leaving.username, leaving.formerUsername] {
            let wanted = try await cleo.send(
                .PATCH, "/v1/me", body: Array(JSON.object(["username": .string(username)]).encoded.utf8))
            #expect(wanted.status == 409)
            #expect(try wanted.problem.code == "usernameTaken")
        }

        let finished: Blend = try await bea.get("/v1/ai/blends/\(leaving.blends.finished)").decode()
        #expect(finished.state == "complete" && finished.with == nil && finished.tracks?.count == 20)
        let begun: Blend = try await bea.get("/v1/ai/blends/\(leaving.blends.begun)").decode()
        #expect(begun.state == "failed" && begun.with == nil && begun.error?.code == "notAgreed", "\(begun)")
        // The worker finds nothing to do.
        _ = try await leaving.base.startWorker(.ai)
        try await eventually("the job of the blend to end") {
            try await leaving.base.withDatabase { database in
                try await database.read {
                    try $0.row("SELECT 1 FROM jobs WHERE kind = 'curation.make' AND finished_at IS NULL") == nil
                }
            }
        }
        #expect(try await bea.get("/v1/ai/blends/\(leaving.blends.begun)").decode(Blend.self).state == "failed")
    }

    /// Nothing is found but the id in what is gone for others, and the sealed reports.
    private func expectRemains(_ leaving: LeavingInstallation) async throws {
        try await eventually("the log to be truncated") {
            try await leaving.base.withDatabase { database in
                try await database.read { try !$0.cleaningState().isDue }
            }
        }
        for word in leaving.words {
            #expect(try await leaving.tables(with: word) == [], "\(word)")
            #expect(!leaving.isAnywhere(word), "\(word)")
        }
        #expect(try await leaving.tables(with: leaving.id) == ["gone_items"])
        let sealed = try await leaving.base.withDatabase { database in
            try await database.read { reader in
                try reader.row("SELECT COUNT(*) AS count FROM reports WHERE sealed IS NOT NULL")?["count"] ?? 0
            }
        }
        #expect(sealed == 3)
        // The decision deletes the copies.
        let root = try leaving.other("root")
        let reports: LeavingInstallation.Page<Report> = try await root.get("/v1/admin/reports").decode()
        for report in reports.items {
            let path = "/v1/admin/reports/\(report.id)/decision"
            #expect(try await root.post(path, #"{"decision":"nothing"}"#).status == 204)
        }
        let decided: LeavingInstallation.Page<Report> = try await root.get("/v1/admin/reports?state=decided").decode()
        #expect(decided.items.count == 3 && decided.items.allSatisfy { $0.text == nil && $0.profile == nil })
    }

    // MARK: Reading

    private func cards(_ path: String, _ person: APIClient) async throws -> [String] {
        try await person.get(path).decode(LeavingInstallation.Page<LeavingInstallation.Card>.self).items.map(\.id)
    }

    private func names(_ path: String, _ person: APIClient) async throws -> [String] {
        try await person.get(path).decode(LeavingInstallation.Page<Name>.self).items.map(\.username)
    }

    private func position(of person: APIClient) async throws -> String {
        try #require(try await changes(of: person, since: nil).last?["since"]?.text)
    }

    private func changes(of person: APIClient, since: String?) async throws -> [JSON] {
        let response = try await person.get("/v1/changes" + (since.map { "?since=\($0)" } ?? ""))
        return try String(decoding: response.body, as: UTF8.self).split(separator: "\n").map {
            try JSONDecoder().decode(JSON.self, from: Data($0.utf8))
        }
    }
}
