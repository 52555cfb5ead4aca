import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Shows that change at the simulated Ticketmaster")
struct SimulatedShowTests {
    private static func simulator() -> TicketmasterSimulator {
        TicketmasterSimulator(
            catalog: SimulatedAnswers.catalog,
            configuration: TicketmasterConfiguration(today: SimulatedAnswers.today, latency: .zero))
    }

    @Test("A show is announced, put on sale, moved and cancelled on command, and answers have it as it is then")
    func commands() throws {
        let simulator = Self.simulator()
        let before = simulator.shows(of: "Coldplay").count
        let announced = try #require(
            try simulator.carryOut([
                ShowCommand(.announce, artist: "Coldplay", city: "Prague", inDays: 40, isOnSale: false)
            ]).first)
        #expect(announced.artist == "Coldplay" && announced.status == "offsale")
        #expect(announced.date == (SimulatedAnswers.today + 40).description)
        #expect(simulator.shows(of: "Coldplay").count == before + 1)
        func event() throws -> [String: Any] {
            let answers = SimulatedAnswers(catalog: simulator.catalog)
            let page = try answers.json("events.json", ["keyword": "Coldplay", "size": "200"])
            let events = page.path("_embedded", "events") as? [[String: Any]] ?? []
            return try #require(events.first { $0["id"] as? String == announced.id })
        }
        #expect(try event().path("dates", "status", "code") as? String == "offsale")
        #expect(
            try event().path("sales", "public", "startDateTime") as? String
                == "\(SimulatedAnswers.today + 30)T09:00:00Z")
        let changes = try simulator.carryOut([
            ShowCommand(.putOnSale, id: announced.id),
            ShowCommand(.move, id: announced.id, city: "Brno", inDays: 50, minute: 1_140),
        ])
        #expect(changes.map(\.status) == ["onsale", "rescheduled"])
        #expect(try event().path("dates", "start", "localTime") as? String == "19:00:00")
        #expect(
            try event().path("dates", "initialStartDate", "localDate") as? String
                == (SimulatedAnswers.today + 40).description)
        _ = try simulator.carryOut([ShowCommand(.cancel, id: announced.id)])
        #expect(try event().path("dates", "status", "code") as? String == "cancelled")
    }

    @Test(
        "A command can choose a city in which no seed has shows",
        arguments: [
            ("Lord Howe Island", "Australia/Lord_Howe"), ("Casablanca", "Africa/Casablanca"),
            ("Kathmandu", "Asia/Kathmandu"),
        ])
    func distantCities(city: String, zone: String) throws {
        let simulator = Self.simulator()
        let show = try #require(
            try simulator.carryOut([ShowCommand(.announce, artist: "Coldplay", city: city, inDays: 40)]).first)
        let answers = SimulatedAnswers(catalog: simulator.catalog)
        let page = try answers.json("events.json", ["keyword": "Coldplay", "size": "200"])
        let events = page.path("_embedded", "events") as? [[String: Any]] ?? []
        let event = try #require(events.first { $0["id"] as? String == show.id })
        #expect(event.path("dates", "timezone") as? String == zone)
        #expect(
            !SimulatedAnswers.catalog.events.contains { event in
                SimulatedAnswers.catalog.venues[Int(event.venue)].timezone == zone
            })
    }

    @Test(
        "A command that cannot be carried out changes nothing",
        arguments: [
            ShowCommand(.cancel), ShowCommand(.cancel, id: "unknown"), ShowCommand(.announce, artist: "Nobody at all"),
            ShowCommand(.announce, artist: "Coldplay", city: "Atlantis"),
            ShowCommand(.announce, artist: "Coldplay", inDays: -1), ShowCommand(.announce, inDays: .max),
            ShowCommand(.announce, artist: "Coldplay", minute: 1_440),
        ])
    func refusals(command: ShowCommand) {
        let simulator = Self.simulator()
        let valid = ShowCommand(.announce, artist: "Coldplay")
        #expect(throws: InvalidSetting.self) { try simulator.carryOut([valid, command]) }
        #expect(simulator.catalog.events.count == SimulatedAnswers.catalog.events.count)
    }

    @Test("As the date moves, the same things happen in every simulator with the seed, and past shows disappear")
    func date() throws {
        let (simulator, other) = (Self.simulator(), Self.simulator())
        let happened = try simulator.advance(by: 12)
        #expect(try other.advance(by: 5) + other.advance(by: 7) == happened)
        #expect(simulator.date == SimulatedAnswers.today + 12)
        #expect(Set(happened.map(\.status)).isSuperset(of: ["onsale", "offsale", "rescheduled", "cancelled"]))
        #expect(happened.count > 12 * 3)
        let date = simulator.date
        #expect(simulator.catalog.events.allSatisfy { event in (event.endDay ?? event.day).map { $0 >= date } ?? true })
        #expect(Set(simulator.catalog.events.map(\.id)).count == simulator.catalog.events.count)
        #expect(throws: InvalidSetting.self) { try simulator.advance(by: 0) }
    }

    @Test("The commands are routes")
    func routes() async throws {
        try await withSimulator { server in
            let announced = try await server.send(
                "POST", "/_sim/shows", body: #"{"action": "announce", "artist": "Coldplay", "city": "Prague"}"#)
            #expect(announced.status == 200)
            let shows = try await server.send("GET", "/_sim/shows?artist=Coldplay")
            #expect(shows.status == 200 && shows.text.contains("simG"))
            #expect(try await server.send("GET", "/_sim/shows").status == 400)
            let unknown = try await server.send("POST", "/_sim/shows", body: #"{"action": "cancel", "id": "x"}"#)
            #expect(unknown.status == 400)
            #expect(try await server.send("POST", "/_sim/date", body: #"{"days": 2}"#).status == 200)
            #expect(try await server.send("GET", "/_sim/date").text.contains("\"date\""))
        }
    }
}
