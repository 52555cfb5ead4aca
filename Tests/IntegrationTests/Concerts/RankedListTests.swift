import Foundation
import NIOHTTP1
import TestProcesses
import Testing

@Suite("The ranked list", .timeLimit(.minutes(20)))
struct RankedListTests {
    @Test("Adding, moving and removing artists leaves no gaps in the ranks and keeps their ids")
    func changesOfTheList() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            #expect(try await ada.artistList() == ArtistListView(artists: [], capacity: 20))

            let added = try await ada.post("/v1/artists", #"{"name":"  Coldplay "}"#)
            #expect(added.status == 201)
            let coldplay: ArtistListView.Artist = try added.decode()
            #expect(added.header("Location") == "/v1/artists/\(coldplay.id)")
            #expect(coldplay.name == "Coldplay" && coldplay.rank == 1)
            for body in [#"{"name":"Adele"}"#, #"{"name":"Мумий Тролль"}"#, #"{"name":"Muse","rank":1}"#] {
                #expect(try await ada.post("/v1/artists", body).status == 201)
            }
            var list = try await ada.artistList()
            #expect(list.names == ["Muse", "Coldplay", "Adele", "Мумий Тролль"])
            #expect(list.artists.map(\.rank) == [1, 2, 3, 4])

            let moved = try await ada.post("/v1/artists/\(coldplay.id)/move", #"{"to":4}"#)
            #expect(moved.status == 200)
            #expect(try moved.decode(ArtistListView.self).names == ["Muse", "Adele", "Мумий Тролль", "Coldplay"])
            let muse = list.artists[0]
            #expect(try await ada.send(.DELETE, "/v1/artists/\(muse.id)").status == 204)
            list = try await ada.artistList()
            #expect(list.names == ["Adele", "Мумий Тролль", "Coldplay"])
            #expect(list.artists.map(\.rank) == [1, 2, 3])
            #expect(list.artists[2].id == coldplay.id)

            // An artist that stays keeps the id, even when spelled differently.
            let replaced = try await ada.rank(["COLDPLAY", "Björk", "Adele"])
            #expect(replaced.names == ["COLDPLAY", "Björk", "Adele"])
            #expect(replaced.artists[0].id == coldplay.id)
            #expect(replaced.artists[2].id == list.artists[0].id)
            #expect(try await ada.artistList() == replaced)
            #expect(try await ada.rank([]).artists.isEmpty)
        }
    }

    @Test("The response of GET can be sent with PUT; a rank that contradicts the order is refused")
    func sentBack() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            try await ada.rank(["Muse", "Adele"])
            let answer = try await ada.get("/v1/artists")
            let again = try await ada.put("/v1/artists", String(decoding: answer.body, as: UTF8.self))
            #expect(again.status == 200 && again.body == answer.body)
            let refused = try await ada.put("/v1/artists", #"{"artists":["Muse",{"name":"Adele","rank":1}]}"#)
            #expect(refused.status == 422)
            #expect(try refused.problem.field == "$.artists[1].rank")
            #expect(try await ada.get("/v1/artists").body == answer.body)
        }
    }

    @Test("All simultaneous changes are kept")
    func simultaneousChanges() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for n in 0..<30 {
                    group.addTask { try await ada.post("/v1/artists", #"{"name":"Artist \#(n)"}"#).status }
                }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 } as [Int: Int]
            }
            #expect(statuses == [201: 20, 409: 10])
            let list = try await ada.artistList()
            #expect(list.artists.map(\.rank) == Array(1...20))
            #expect(Set(list.names).count == 20)
        }
    }

    /// An invalid change of the list.
    private struct Wrong: Sendable {
        var method: HTTPMethod = .POST
        var path = "/v1/artists"
        var body: String
        var status = 422
        var code: String
        var field: String?
    }

    @Test("Invalid requests are refused with the name of the field")
    func refusedRequests() async throws {
        let long = String(repeating: "ž", count: 5_000)
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let list = try await ada.rank(["Coldplay", "Adele"])
            let move = "/v1/artists/\(list.artists[0].id)/move"
            let nowhere = "/v1/artists/01900000-0000-7000-8000-000000000000/move"
            let refusals = [
                Wrong(body: "{}", code: "invalidField", field: "$"),
                Wrong(body: #"{"name":7}"#, code: "invalidField", field: "$.name"),
                Wrong(body: #"{"name":["A"]}"#, code: "invalidField", field: "$.name"),
                Wrong(body: #"{"name":"\#(long)"}"#, code: "invalidField", field: "$.name"),
                Wrong(body: #"{"name":"   "}"#, code: "nameEmpty", field: "$.name"),
                Wrong(body: #"{"name":""}"#, code: "nameEmpty", field: "$.name"),
                Wrong(body: #"{"name":"A\u0007B"}"#, code: "nameHasControlCharacter", field: "$.name"),
                Wrong(body: #"{"name":"A\nB"}"#, code: "nameHasControlCharacter", field: "$.name"),
                Wrong(body: #"{"name":"A","rank":0}"#, code: "invalidField", field: "$.rank"),
                Wrong(body: #"{"name":"A","rank":"1"}"#, code: "invalidField", field: "$.rank"),
                Wrong(body: #"{"name":"A","rank":20}"#, code: "invalidPosition", field: "$.name"),
                Wrong(body: #"{"name":"A","colour":1}"#, code: "invalidField", field: "$.colour"),
                Wrong(body: "{", status: 400, code: "invalidJSON"),
                Wrong(method: .PUT, body: "[]", code: "invalidField", field: "$"),
                Wrong(method: .PUT, body: "{}", code: "invalidField", field: "$"),
                Wrong(method: .PUT, body: #"{"artists":"A"}"#, code: "invalidField", field: "$.artists"),
                Wrong(method: .PUT, body: #"{"artists":["A",1]}"#, code: "invalidField", field: "$.artists[1]"),
                Wrong(method: .PUT, body: #"{"artists":[{}]}"#, code: "invalidField", field: "$.artists[0]"),
                Wrong(
                    method: .PUT, body: APIClient.body(artists: (0...20).map { "A\($0)" }), code: "invalidField",
                    field: "$.artists"),
                Wrong(path: move, body: "{}", code: "invalidField", field: "$"),
                Wrong(path: move, body: #"{"to":0}"#, code: "invalidField", field: "$.to"),
                Wrong(path: move, body: #"{"to":21}"#, code: "invalidField", field: "$.to"),
                Wrong(path: move, body: #"{"to":3}"#, code: "invalidPosition", field: "$.to"),
                Wrong(path: nowhere, body: #"{"to":1}"#, status: 404, code: "notFound"),
                Wrong(path: "/v1/artists/x/move", body: #"{"to":1}"#, status: 404, code: "notFound"),
                Wrong(method: .DELETE, path: "/v1/artists/x", body: "", status: 404, code: "notFound"),
            ]
            for wrong in refusals {
                let response = try await ada.send(wrong.method, wrong.path, body: Array(wrong.body.utf8))
                let what = "\(wrong.method) \(wrong.path) \(wrong.body.prefix(60)): \(response.status) \(response.text)"
                #expect(response.status == wrong.status, "\(what)")
                let problem = try response.problem
                #expect(problem.code == wrong.code, "\(what)")
                #expect(problem.field == wrong.field, "\(what)")
                #expect(!problem.detail.isEmpty && problem.detail.count < 400, "\(what)")
            }
            #expect(try await ada.artistList() == list)
        }
    }
}
