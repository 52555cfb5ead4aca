import Foundation
import Testing

@testable import UpstreamSimulator

/// A simulator without a server, which tests call directly; its limits are high.
struct SimulatedAnswers {
    static let today = LocalDay("2026-11-20") ?? LocalDay(daysSince1970: 0)

    /// The catalog is shared because it never changes and every test would otherwise make its own.
    static let catalog = TicketmasterCatalog(seed: 1, today: today)

    let simulator: TicketmasterSimulator

    init(
        catalog: TicketmasterCatalog = Self.catalog,
        limits: TrafficLimits = TrafficLimits(perSecond: 1_000_000, dailyQuota: 1_000_000)
    ) {
        simulator = TicketmasterSimulator(
            catalog: catalog, configuration: TicketmasterConfiguration(latency: .zero, limits: limits))
    }

    /// The answer to `events.json?keyword=…`; the key is added.
    func answer(_ path: String, _ parameters: [String: String] = [:]) -> Answer {
        var components = URLComponents()
        components.path = "/discovery/v2/" + path
        components.queryItems = [URLQueryItem(name: "apikey", value: "demo-key")]
        components.queryItems? += parameters.sorted { $0.key < $1.key }.map {
            URLQueryItem(name: $0.key, value: $0.value)
        }
        // A plus sign means a space in a query; URLComponents leaves it as it is.
        let line = (components.string ?? "").replacingOccurrences(of: "+", with: "%2B")
        return simulator.answer(simulator.arrive(line))
    }

    /// The parsed body of a 200.
    func json(_ path: String, _ parameters: [String: String] = [:]) throws -> [String: Any] {
        let answer = answer(path, parameters)
        try #require(answer.status == 200, "\(path) \(parameters): \(answer.body.prefix(300))")
        return try #require(JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
    }

    /// The events of one page: by default up to 200, in all locales, including TBA.
    func events(_ parameters: [String: String]) throws -> [[String: Any]] {
        let wide = ["size": "200", "locale": "*", "includeTBA": "yes", "includeTBD": "yes"]
        let page = try json("events.json", wide.merging(parameters) { _, given in given })
        return page.path("_embedded", "events") as? [[String: Any]] ?? []
    }

    func attractions(_ parameters: [String: String]) throws -> [[String: Any]] {
        let page = try json("attractions.json", ["size": "200"].merging(parameters) { _, given in given })
        return page.path("_embedded", "attractions") as? [[String: Any]] ?? []
    }
}

extension [String: Any] {
    /// The member at the end of a path of objects.
    func path(_ keys: String...) -> Any? {
        keys.reduce(self as Any?) { value, key in (value as? [String: Any])?[key] }
    }

    var name: String { self["name"] as? String ?? "" }
    var id: String { self["id"] as? String ?? "" }
    var localDate: String? { path("dates", "start", "localDate") as? String }
    var localTime: String? { path("dates", "start", "localTime") as? String }
    var status: String? { path("dates", "status", "code") as? String }
    var venue: [String: Any] { (path("_embedded", "venues") as? [[String: Any]])?.first ?? [:] }
    var embeddedAttractions: [[String: Any]] { path("_embedded", "attractions") as? [[String: Any]] ?? [] }
    var segment: String? { (self["classifications"] as? [[String: Any]])?.first?.path("segment", "name") as? String }
}
