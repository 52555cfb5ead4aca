import Foundation
import NIOHTTP1
import TestProcesses
import Testing

@Suite("Concert searches that are refused", .timeLimit(.minutes(20)))
struct ConcertRefusalTests {
    @Test("Too many artists, no artist, invalid names and duplicates are refused with the field's name")
    func refusedBodies() async throws {
        let long = String(repeating: "x", count: 5_000)
        let refusals: [(body: String, status: Int, code: String, field: String?)] = [
            (APIClient.body(artists: (1...21).map { "A\($0)" }), 422, "invalidField", "$.artists"),
            (#"{"artists":[]}"#, 422, "invalidField", "$.artists"),
            (#"{"artists":[1,2]}"#, 422, "invalidField", "$.artists[0]"),
            (#"{"artists":["A",null]}"#, 422, "invalidField", "$.artists[1]"),
            (#"{"artists":[["A"]]}"#, 422, "invalidField", "$.artists[0]"),
            (#"{"artists":{"name":"A"}}"#, 422, "invalidField", "$.artists"),
            (#"{"artists":"A"}"#, 422, "invalidField", "$.artists"),
            (#"{"artists":7}"#, 422, "invalidField", "$.artists"),
            (#"{"artists":["A","\#(long)"]}"#, 422, "invalidField", "$.artists[1]"),
            (#"{"artists":["A"," "]}"#, 422, "nameEmpty", "$.artists"),
            (#"{"artists":["A",""]}"#, 422, "nameEmpty", "$.artists"),
            (#"{"artists":["A\u0007"]}"#, 422, "nameHasControlCharacter", "$.artists"),
            (#"{"artists":["The Killers","Adele","killers"]}"#, 422, "duplicateArtist", "$.artists"),
            (#"{"artists":["A"],"homeCity":7}"#, 422, "invalidField", "$.homeCity"),
            (#"{"artists":["A"],"homeCity":""}"#, 422, "invalidField", "$.homeCity"),
            (#"{"artists":["A"],"homeCity":"?!"}"#, 422, "invalidField", "$.homeCity"),
            (#"{"artists":["A"],"homeCity":"\#(long)"}"#, 422, "invalidField", "$.homeCity"),
            (#"{"artist":["A"]}"#, 422, "invalidField", "$.artist"),
            (#"["A"]"#, 422, "invalidField", "$"),
            (#"{"artists":["A"]"#, 400, "invalidJSON", nil),
            // The ranked list is also empty.
            ("{}", 422, "noArtists", "$.artists"),
            ("", 422, "noArtists", "$.artists"),
            (#"{"artists":null}"#, 422, "noArtists", "$.artists"),
        ]
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            for (body, status, code, field) in refusals {
                let response = try await ada.post("/v1/concert-searches", body)
                let what = "\(body.prefix(60)): \(response.status) \(response.text)"
                #expect(response.status == status, "\(what)")
                let problem = try response.problem
                #expect(problem.code == code, "\(what)")
                #expect(problem.field == field, "\(what)")
                #expect(!problem.detail.isEmpty && problem.detail.count < 400, "\(what)")
            }
            // The refused requests left no jobs.
            #expect(try await installation.storedJobs().isEmpty)
            // A name with the maximum length is accepted.
            let longest = String(repeating: "ž", count: 200)
            #expect(try await ada.post("/v1/concert-searches", APIClient.body(artists: [longest])).status == 202)
        }
    }

    @Test("Invalid limits, cursors and cities are refused")
    func refusedParameters() async throws {
        let long = String(repeating: "x", count: 300)
        let wrong: [(query: String, field: String)] = [
            ("limit=0", "limit"), ("limit=201", "limit"), ("limit=x", "limit"), ("limit=-1", "limit"),
            ("cursor=x", "cursor"), ("cursor=1.2", "cursor"), ("cursor=a.b.c.d", "cursor"),
            ("include=everything", "include"), ("include=", "include"),
        ]
        let nearby: [(query: String, field: String)] = [
            ("", "city"), ("city=", "city"), ("city=%20", "city"), ("city=!!", "city"), ("city=\(long)", "city"),
            ("city=Prague&radius=0", "radius"), ("city=Prague&radius=501", "radius"),
            ("city=Prague&radius=-5", "radius"), ("city=Prague&radius=ten", "radius"),
            ("city=Prague&radius=1.5", "radius"), ("city=Prague&radius=", "radius"),
            ("city=Prague&limit=500", "limit"), ("city=Prague&cursor=x", "cursor"),
        ]
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            let id = try await ada.beginSearch(["Coldplay"])
            let requests =
                wrong.map { ("/v1/concert-searches/\(id)?\($0.query)", $0.field) }
                + nearby.map { ("/v1/concerts/nearby?\($0.query)", $0.field) }
            for (path, field) in requests {
                let response = try await ada.get(path)
                #expect(response.status == 422, "\(path): \(response.status) \(response.text)")
                let problem = try response.problem
                #expect(problem.code == "invalidParameter" && problem.field == field, "\(path): \(response.text)")
            }
            #expect(try await installation.storedJobs().count == 1)
        }
    }

    @Test("Another user's search answers 404, as unknown and malformed ids do")
    func otherUsers() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser("ada")
            let bob = try await concerts.addUser("bob")
            try await ada.rank(["Coldplay", "Adele"])
            let done = try #require(try await ada.search(homeCity: "Prague").id)
            // The search has stored the artists' pictures.
            let list = try await ada.artistList()
            try await concerts.stopWorkers()
            let running = try await ada.beginSearch(["Muse"])
            let stream = try await EventStream.open(bob, lastEventID: "0")

            #expect(try await bob.artistList().artists.isEmpty)
            let requests =
                [done, running, "x", "%00", String(repeating: "a", count: 4_000)].flatMap { id in
                    [
                        (HTTPMethod.GET, "/v1/concert-searches/\(id)"), (.POST, "/v1/concert-searches/\(id)/cancel"),
                        (.POST, "/v1/concert-searches/\(id)/retry"),
                    ]
                } + [
                    (.DELETE, "/v1/artists/\(list.artists[0].id)"), (.POST, "/v1/artists/\(list.artists[0].id)/move"),
                ]
            for (method, path) in requests {
                let body = path.hasSuffix("/move") ? Array(#"{"to":2}"#.utf8) : nil
                let response = try await bob.send(method, path, body: body)
                #expect(response.status == 404, "\(method) \(path): \(response.status) \(response.text)")
                #expect(try response.problem.code == "notFound", "\(method) \(path)")
                let visitor = try await concerts.base.visitor.send(method, path, body: body)
                #expect(visitor.status == 401, "\(method) \(path)")
            }
            // The lookups are jobs of the system, which no user sees.
            #expect(try await bob.allJobs().isEmpty)
            #expect(try await ada.allJobs().isEmpty)
            for job in try await concerts.base.storedJobs().keys {
                #expect(try await ada.get("/v1/jobs/\(job)").status == 404)
                #expect(try await ada.post("/v1/jobs/\(job)/cancel").status == 404)
            }
            #expect(try await ada.artistList() == list)
            #expect(try await ada.search(id: running).isRunning)
            #expect(stream.events.isEmpty)
            stream.close()
        }
    }

    @Test("Lookups cannot be submitted as jobs")
    func directJobs() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            for kind in ["concerts.lookup", "concerts.nearby"] {
                let response = try await ada.post("/v1/jobs", #"{"kind":"\#(kind)","payload":{"artists":[]}}"#)
                #expect((400..<500).contains(response.status), "\(kind): \(response.status) \(response.text)")
            }
            #expect(try await installation.storedJobs().isEmpty)
        }
    }
}
