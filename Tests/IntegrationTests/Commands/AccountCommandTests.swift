import Foundation
import NIOHTTP1
import TestProcesses
import TestSupport
import Testing

@Suite("backline user, token, open, artists and permits", .timeLimit(.minutes(20)))
struct AccountCommandTests {
    private struct Users: Decodable {
        struct User: Decodable {
            var name: String
            var isAdmin: Bool
            var state: String
        }

        var items: [User]
    }

    private struct Tokens: Decodable {
        struct Token: Decodable {
            var id: String
            var user: String
            var name: String
            var lastUsedAt: String?
        }

        var items: [Token]
    }

    private struct Secret: Decodable {
        var token: String
    }

    @Test("Users are added, listed, made administrators, and removed with all of their rows")
    func lifeOfUsers() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser("ada")
            let bob = try await installation.backline("user", "add", "bob", "--admin", "--json")
            #expect(try bob.decode(Secret.self).token.hasPrefix("bl_"))
            #expect(try await installation.backline("user", "add", "ada").status == 1)
            var list: Users = try await installation.backline("user", "list", "--json").decode()
            #expect(list.items.map(\.name) == ["ada", "bob"] && list.items.map(\.isAdmin) == [false, true])
            #expect(try await installation.backline("user", "set", "ada", "--admin").status == 0)
            list = try await installation.backline("user", "list", "--json").decode()
            #expect(list.items.map(\.isAdmin) == [true, true])
            #expect(list.items.map(\.state) == ["active", "active"])
            try await eventually("her new rights to take effect") {
                try await ada.send(.PUT, "/v1/admin/accounts/bob/suspension").status == 204
            }
            list = try await installation.backline("user", "list", "--json").decode()
            #expect(list.items.map(\.state) == ["active", "suspended"])
            let table = try await installation.backline("user", "list").output
            #expect(table.filter { $0.contains("suspended") }.map { $0.hasPrefix("bob") } == [true])
            #expect(try await ada.send(.DELETE, "/v1/admin/accounts/bob/suspension").status == 204)

            let job = try await ada.submit(Echo.job(1))
            #expect(try await installation.backline("user", "remove", "ada").status == 64, "nobody can be asked")
            #expect(try await ada.job(job.id).state == "queued")
            let removed = try await installation.backline("user", "remove", "ada", "--yes", "--json")
            #expect(removed.status == 0)
            #expect(try removed.json["cancelledJobs"] == 1)
            try await eventually("her token to be refused") { try await ada.get("/v1/jobs").status == 401 }
            #expect(try await installation.backline("user", "remove", "ada", "--yes").status == 1)
            // Her name is held until it is released, and the key is not in the database's file.
            #expect(try await installation.backline("user", "add", "ada").status == 1)
            #expect(try await installation.backline("user", "release-name", "ada").status == 0)
            #expect(try await installation.backline("user", "release-name", "ada").status == 1)
            #expect(try await installation.backline("user", "add", "ada").status == 0)
            for name in ["Ada", "a", "ada lovelace", "suggestions"] {
                #expect(try await installation.backline("user", "add", name).status == 1, "\(name)")
            }
        }
    }

    @Test("An invitation from the command line makes one account")
    func invitation() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let invited = try await installation.backline("user", "invite")
            let parts = try #require(invited.output.first).split(separator: "#")
            #expect(parts.count == 2 && parts[0] == "\(installation.visitor.baseURL)/invitation")
            let body = #"{"code":"\#(parts[1])","username":"ada"}"#
            #expect(try await installation.visitor.post("/v1/session/invitation", body).status == 200)
            #expect(try await installation.visitor.post("/v1/session/invitation", body).status == 401)
            let list: Users = try await installation.backline("user", "list", "--json").decode()
            #expect(list.items.map(\.name) == ["ada"])
        }
    }

    @Test("A second token works until it is revoked, and lists never show a secret")
    func severalTokens() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser("ada")
            let added = try await installation.backline("token", "add", "ada", "phone", "--json")
            var phone = installation.visitor
            phone.token = try added.decode(Secret.self).token
            #expect(try await phone.get("/v1/jobs").status == 200)
            let listed = try await installation.backline("token", "list", "ada", "--json")
            let tokens: Tokens = try listed.decode()
            #expect(tokens.items.map(\.name) == ["first", "phone"])
            let everybodys = try await installation.backline("token", "list")
            for text in [listed.text, everybodys.text] {
                #expect(!text.contains("bl_") && text.contains(tokens.items[1].id))
            }
            let revoked = try await installation.backline("token", "revoke", tokens.items[1].id)
            #expect(revoked.status == 0)
            try await eventually("the token to be refused") { try await phone.get("/v1/jobs").status == 401 }
            #expect(try await ada.get("/v1/jobs").status == 200)
            #expect(try await installation.backline("token", "revoke", tokens.items[1].id).status == 1)
            #expect(try await installation.backline("token", "list", "nobody").status == 1)
        }
    }

    @Test("A link signs in once, and without a terminal no browser is opened")
    func signInLink() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            _ = try await installation.addUser("ada")
            let opened = try await installation.backline("open", "--browser", environment: ["DISPLAY": ":0"])
            #expect(opened.status == 0 && opened.errors.joined().contains("No browser"))
            let link = try #require(opened.output.first)
            let parts = link.split(separator: "#")
            #expect(parts.count == 2 && parts[0] == "\(installation.visitor.baseURL)/sign-in")
            let body = #"{"link":"\#(parts[1])"}"#
            #expect(try await installation.visitor.post("/v1/session", body).status == 200)
            #expect(try await installation.visitor.post("/v1/session", body).status != 200)
            _ = try await installation.addUser("bob")
            #expect(try await installation.backline("open").status == 64, "whose?")
            let named = try await installation.backline("open", "bob", "--json")
            #expect(try named.json["user"] == "bob")
            #expect(try await installation.backline("open", "nobody").status == 1)
        }
    }

    @Test("The list of artists is changed by name and rank")
    func listOfArtists() async throws {
        struct List: Decodable {
            struct Artist: Decodable { var name: String }
            var artists: [Artist]
        }
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser("ada")
            func names(_ result: CommandResult) throws -> [String] {
                #expect(result.status == 0, "\(result.errors)")
                return try result.decode(List.self).artists.map(\.name)
            }
            let added = try await installation.backline("artists", "add", "Coldplay", "Die Ärzte", "--json", as: ada)
            #expect(try names(added) == ["Coldplay", "Die Ärzte"])
            let first = try await installation.backline("artists", "add", "Adele", "--rank", "1", "--json", as: ada)
            #expect(try names(first) == ["Adele", "Coldplay", "Die Ärzte"])
            let moved = try await installation.backline("artists", "move", "die arzte", "1", "--json", as: ada)
            #expect(try names(moved) == ["Die Ärzte", "Adele", "Coldplay"])
            let removed = try await installation.backline("artists", "remove", "2", "3", "--json", as: ada)
            #expect(try names(removed) == ["Die Ärzte"])
            let twice = try await installation.backline("artists", "add", "DIE ARZTE", as: ada)
            #expect(twice.status == 1 && !twice.errors.isEmpty)
            #expect(try await installation.backline("artists", "move", "Muse", "1", as: ada).status == 1)
            #expect(try await installation.backline("artists", "list", as: ada).text.contains("1 of 20"))
        }
    }

    @Test("Permits are shown after a worker's first call, without the key")
    func shownPermits() async throws {
        struct Page: Decodable {
            struct Item: Decodable {
                var provider: String
                var credential: String
                var slots: Int
                var free: Int
                var busy: Int
            }
            var items: [Item]
        }
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let search = try await concerts.base.backline("search", "Coldplay", "--json", as: ada)
            #expect(search.status == 0, "\(search.errors)")
            let result = try await concerts.base.backline("permits", "--json")
            let item = try #require(try result.decode(Page.self).items.first)
            #expect(item.provider == "ticketmaster" && item.slots == 40 && item.free + item.busy == 40)
            #expect(!result.text.contains(Simulator.key) && !item.credential.isEmpty)
            #expect(try await concerts.base.backline("permits").text.contains("40 in 1 s"))
        }
    }
}
