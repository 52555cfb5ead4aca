import Foundation
import Testing

@testable import UpstreamSimulator

/// Requests on real connections.
@Suite("The simulator's server")
struct ServerTests {
    @Test("A 200 has the rate headers, with a reset in milliseconds; refusals have none")
    func rateHeaders() async throws {
        try await withSimulator { server in
            let served = try await server.events()
            #expect(served.status == 200)
            #expect(served.headers["content-type"] == "application/json;charset=utf-8")
            #expect(served.headers["rate-limit"] == "5000")
            #expect(served.headers["rate-limit-available"] == "4999")
            #expect(served.headers["rate-limit-over"] == "0")
            let reset = try #require(served.headers["rate-limit-reset"].flatMap(Double.init)) / 1_000
            #expect((85_000...86_500).contains(reset - Date().timeIntervalSince1970))
            for path in [
                "events.json?apikey=demo-key&size=201", "events.json?apikey=wrong", "events/no?apikey=demo-key",
            ] {
                let refused = try await server.send("GET", "/discovery/v2/" + path)
                #expect(refused.status >= 400)
                #expect(!refused.headers.keys.contains { $0.hasPrefix("rate-limit") })
            }
            #expect(
                try await server.events().headers["rate-limit-available"] == "4996", "400 and 404 count, 401 does not")
        }
    }

    @Test("Of many simultaneous requests, those beyond the limit are refused")
    func simultaneousRequests() async throws {
        try await withSimulator(limits: TrafficLimits(perSecond: 1)) { server in
            // So many requests that two arrive within a second on any machine.
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<40 { group.addTask { try await server.events().status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let refused = statuses.count { $0 == 429 }
            #expect(refused > 0 && statuses.allSatisfy { $0 == 200 || $0 == 429 })
            #expect(server.counters.spike429 == refused)
            #expect(server.counters.served == 40 - refused)
            #expect(server.counters.largestInOneSecond > 1)
        }
    }

    @Test(
        "Requests wait side by side without delaying each other, and an abandoned one is closed",
        .timeLimit(.minutes(5)))
    func abandonedRequest() async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/faults", body: #"{"fault": "slow", "ms": 600000, "times": 20}"#)
            let waiting = Task {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<20 { group.addTask { try await server.events() } }
                    try await group.waitForAll()
                }
            }
            while server.counters.open < 20 { await Task.yield() }
            #expect(try await server.events().status == 200)
            #expect(server.counters.largestOpen == 21)
            waiting.cancel()
            while server.counters.open > 0 { await Task.yield() }
            _ = await waiting.result
        }
    }

    @Test("gzip is used on request, and the text is the same")
    func compressedAnswers() async throws {
        try await withSimulator { server in
            let plain = try await server.events("size=50&sort=id,asc")
            let packed = try await server.events("size=50&sort=id,asc", headers: ["Accept-Encoding: gzip"])
            #expect(plain.headers["content-encoding"] == nil)
            #expect(packed.headers["content-encoding"] == "gzip")
            #expect(packed.body.count * 4 < plain.body.count)
            #expect(packed.body.starts(with: [0x1f, 0x8b]))
        }
    }

    @Test("Control routes are not counted, and the internal header field of a client is ignored")
    func controlRoutes() async throws {
        try await withSimulator { server in
            _ = try await server.events("keyword=Low", headers: ["upstream-sim-arrival: 77"])
            let counters = try await server.send("GET", "/_sim/counters").json
            #expect(counters?["arrivals"] as? Int == 1)
            #expect(counters?.path("keywords", "Low") as? Int == 1)
            #expect(counters?.path("paths", "/discovery/v2/events.json") as? Int == 1)
            let log = try await server.send("GET", "/_sim/arrivals").text
            #expect(log.contains("/discovery/v2/events.json?keyword=Low") && !log.contains("demo-key"))
            try await server.send("POST", "/_sim/reset")
            #expect(server.counters.arrivals == 0)
        }
    }

    @Test("Settings can be changed while the server runs, and a wrong one is refused")
    func changedSettings() async throws {
        try await withSimulator { server in
            let body = #"{"perSecond": 0, "validKeys": ["demo-key", "other"]}"#
            let answer = try await server.send("POST", "/_sim/config", body: body)
            #expect(answer.json?["perSecond"] as? Int == 0)
            #expect(answer.json?["dailyQuota"] as? Int == 5_000)
            #expect(try await server.events().status == 429)
            #expect(try await server.send("POST", "/_sim/config", body: #"{"perSecond": -1}"#).status == 400)
            #expect(try await server.send("POST", "/_sim/config", body: #"{"perSecond": "all"}"#).status == 400)
        }
    }

    @Test("Names of each kind are listed", arguments: TicketmasterSimulator.ArtistKind.allCases)
    func artistsOfEachKind(kind: TicketmasterSimulator.ArtistKind) async throws {
        try await withSimulator { server in
            let answer = try await server.send("GET", "/_sim/artists?count=8&kind=\(kind.rawValue)")
            let names = try JSONDecoder().decode([String].self, from: answer.body)
            #expect(Set(names).count == 8)
            let rest = try await server.send("GET", "/_sim/artists?count=4&offset=4&kind=\(kind.rawValue)")
            #expect(try JSONDecoder().decode([String].self, from: rest.body) == Array(names.dropFirst(4)))
            #expect(try await server.send("GET", "/_sim/artists?kind=famous").status == 400)
        }
    }

    @Test("The server listens on loopback addresses only")
    func onlyLoopback() {
        for host in ["127.0.0.1", "127.8.8.8", "localhost", "::1"] { #expect(Simulator.isLoopback(host), "\(host)") }
        for host in ["0.0.0.0", "::", "192.168.1.2", "127.0.0.1.example.org", "127.0.0", "example.org", ""] {
            #expect(!Simulator.isLoopback(host), "\(host)")
        }
        let simulator = Simulator(ticketmaster: SimulatedAnswers().simulator)
        #expect(throws: Simulator.NotLoopback.self) { try simulator.application(host: "0.0.0.0") { _ in } }
    }
}
