import Contracts
import Model
import Storage
import TestSupport
import Testing

@testable import Concerts

@Suite("Lookups around a city")
struct NearbyLookupTests {
    private static let point = GeoPoint(latitude: 50.5, longitude: 14.25)
    private static let far = GeoPoint(latitude: -33.5, longitude: 151.25)

    private let names: CityNames

    init() throws {
        names = try CityNames().extended(by: Array("Cologne | Köln | Koeln | Keulen | Colonia".utf8), origin: "test")
    }

    /// Runs `body` with a function that looks up a city within 30 km and stores the answer.
    private func withLookups(
        _ body: (@escaping (_ city: String, ScriptedSource) async throws -> NearbyLookup.Result, Database) async throws
            -> Void
    ) async throws {
        try await withDatabase { database, _ in
            try await body(
                { [names] city, source in
                    let cityKey = names.key(for: city) ?? ""
                    let payload = NearbyLookupPayload(
                        key: "nearby:\(cityKey):30", city: city, cityKey: cityKey, radiusKm: 30)
                    let lookup = NearbyLookup(source: source, database: database, cityNames: names)
                    let result = try await lookup.run(payload)
                    try await database.write { try result.store(payload, jobID: "job", in: $0) }
                    return result
                }, database)
        }
    }

    private static let nearby = ConcertQueryResult.events(["near": ["K1"]])

    @Test("A city's point is the median of its venues, and is stored for the next lookup")
    func pointOfACity() async throws {
        try await withLookups { lookUp, _ in
            let source = ScriptedSource { call in
                call.hasPrefix("near")
                    ? Self.nearby
                    : .events(at: ["a": Self.point, "b": nil, "c": Self.far, "d": Self.point])
            }
            let first = try await lookUp("Brno", source)
            #expect(source.calls == ["city Brno", "near 50.5,14.25 30 km"])
            #expect(first.answer.coverage == .complete && first.answer.warningCode == nil)
            #expect(first.answer.targetKey == "nearby:brno:30" && first.answer.events.map(\.id) == ["near"])
            #expect(first.learnedPoint == .some(Self.point))
            let second = try await lookUp("Brno", source)
            #expect(source.calls.dropFirst(2) == ["near 50.5,14.25 30 km"])
            #expect(second.answer.coverage == .complete && second.learnedPoint == nil)
        }
    }

    @Test("A city's point is computed again after a month")
    func agedPointOfACity() async throws {
        try await withLookups { lookUp, database in
            let source = ScriptedSource { call in
                call.hasPrefix("near") ? Self.nearby : .events(at: ["a": Self.point])
            }
            _ = try await lookUp("Brno", source)
            for (days, isBelieved) in [(29, true), (31, false)] {
                let then = Timestamp.now().advanced(by: .seconds(-days * 86_400))
                try await database.write { try $0.run("UPDATE concert_cities SET checked_at = \(then)") }
                let before = source.calls.count
                _ = try await lookUp("Brno", source)
                #expect(source.calls.dropFirst(before).contains("city Brno") == !isBelieved, "\(days) days")
            }
        }
    }

    @Test("A city without located venues is searched by up to three other names")
    func otherNames() async throws {
        try await withLookups { lookUp, _ in
            let found = ScriptedSource { call in
                switch call {
                case "city köln": .events(at: ["a": nil])
                case "city Cologne": .events(at: ["a": nil, "b": Self.point], gap: .ofOne)
                default: Self.nearby
                }
            }
            let result = try await lookUp("köln", found)
            #expect(result.answer.events.map(\.id) == ["near"])
            #expect(found.calls == ["city köln", "city Cologne", "near 50.5,14.25 30 km"])
        }
        try await withLookups { lookUp, _ in
            let lost = ScriptedSource { call in .events(at: [call: nil], gap: call == "city Koeln" ? .ofOne : nil) }
            let result = try await lookUp("Cologne", lost)
            #expect(lost.calls == ["city Cologne", "city Köln", "city Koeln", "city Keulen"])
            // A gap takes precedence over the warning about the radius.
            #expect(result.answer.gap == .ofOne && result.answer.events.count == 4)
        }
    }

    @Test("Without a located venue, the answer is the city's events, with a warning")
    func noPoint() async throws {
        try await withLookups { lookUp, _ in
            let source = ScriptedSource { _ in .events(at: ["a": nil]) }
            let result = try await lookUp("Brno", source)
            #expect(source.calls == ["city Brno"])
            #expect(result.answer.coverage == .complete && result.answer.events.map(\.id) == ["a"])
            #expect(result.answer.warningCode == .radiusIgnored)
            #expect(result.learnedPoint == .some(nil))
            // The next lookup tries again.
            _ = try await lookUp("Brno", source)
            #expect(source.calls == ["city Brno", "city Brno"])
        }
    }

    @Test("When the call for the area fails, the city's events are a partial answer")
    func areaFails() async throws {
        try await withLookups { lookUp, _ in
            let source = ScriptedSource { call in
                if call.hasPrefix("near") { throw ProviderFailure.ofAll }
                return .events(at: ["a": Self.point])
            }
            let result = try await lookUp("Brno", source)
            #expect(result.answer.coverage == .partial && result.answer.gap == .ofAll)
            #expect(result.answer.events.map(\.id) == ["a"] && result.learnedPoint == .some(Self.point))
            // With a stored point, the city's events are not requested.
            let next = try await lookUp("Brno", source)
            #expect(next.answer.coverage == .failed && next.answer.gap == .ofAll && next.learnedPoint == nil)
        }
    }

    @Test("A failure for the city's name fails the lookup; for another name, only if there are no events yet")
    func cityFails() async throws {
        try await withLookups { lookUp, _ in
            let down = ScriptedSource { _ in throw ProviderFailure(.ticketmaster, .notReached, message: "") }
            let result = try await lookUp("Brno", down)
            #expect(
                result.answer.coverage == .failed
                    && result.answer.gap == ProviderFailure(.ticketmaster, .notReached, message: ""))
            #expect(result.learnedPoint == nil)
            let nothing = ScriptedSource { call in
                if call != "city Cologne" { throw ProviderFailure(.ticketmaster, .rateLimited, message: "") }
                return .events([:])
            }
            let failed = try await lookUp("Cologne", nothing)
            #expect(failed.answer.coverage == .failed)
            let something = ScriptedSource { call in
                if call != "city Cologne" { throw ProviderFailure(.ticketmaster, .rateLimited, message: "") }
                return .events(at: ["a": nil])
            }
            let partial = try await lookUp("Cologne", something)
            #expect(something.calls == ["city Cologne", "city Köln"])
            #expect(
                partial.answer.coverage == .partial
                    && partial.answer.gap == ProviderFailure(.ticketmaster, .rateLimited, message: ""))
        }
    }

    @Test("Cancellation is thrown from every call", arguments: ["city Brno", "near 50.5,14.25 30 km"])
    func cancellationOfEveryCall(call: String) async throws {
        try await withLookups { lookUp, _ in
            let source = ScriptedSource { present in
                if present == call { throw CancellationError() }
                return .events(at: ["a": Self.point])
            }
            await #expect(throws: CancellationError.self) { _ = try await lookUp("Brno", source) }
        }
    }
}
