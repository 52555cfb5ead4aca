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

    /// Runs `body` with what looks cities up within 30 km and stores the answers.
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
                    let lookup = NearbyLookup(source: source.source, database: database, cityNames: names)
                    let result = try await lookup.run(payload)
                    try await database.write { try result.store(payload, jobID: "job", in: $0) }
                    return result
                }, database)
        }
    }

    private static let nearby = ConcertSource.Found.events(["near": ["K1"]])

    @Test("A city is where most of its venues are, which is remembered for its next lookup")
    func point() async throws {
        try await withLookups { lookUp, _ in
            let source = ScriptedSource { call in
                call.hasPrefix("near")
                    ? Self.nearby
                    : .events(at: ["a": Self.point, "b": nil, "c": Self.far, "d": Self.point])
            }
            let first = try await lookUp("Brno", source)
            #expect(source.calls == ["city Brno", "near 50.5,14.25 30 km"])
            #expect(first.answer.coverage == .complete && first.answer.warningCode == nil)
            #expect(first.answer.subjectKey == "nearby:brno:30" && first.answer.events.map(\.id) == ["near"])
            #expect(first.learnedPoint == .some(Self.point))
            let second = try await lookUp("Brno", source)
            #expect(source.calls.dropFirst(2) == ["near 50.5,14.25 30 km"])
            #expect(second.answer.coverage == .complete && second.learnedPoint == nil)
        }
    }

    @Test("After a month a city is found anew")
    func aged() async throws {
        try await withLookups { lookUp, database in
            let source = ScriptedSource { call in
                call.hasPrefix("near") ? Self.nearby : .events(at: ["a": Self.point])
            }
            _ = try await lookUp("Brno", source)
            for (days, isBelieved) in [(29, true), (31, false)] {
                let then = Timestamp.now().advanced(by: .seconds(-days * 86_400))
                try await database.write { try $0.execute("UPDATE concert_cities SET checked_at = \(then)") }
                let before = source.calls.count
                _ = try await lookUp("Brno", source)
                #expect(source.calls.dropFirst(before).contains("city Brno") == !isBelieved, "\(days) days")
            }
        }
    }

    @Test("A city that its name does not bring is asked for by three of its other names at most")
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
            // A gap goes before the remark that the radius was not kept.
            #expect(result.answer.gap == .ofOne && result.answer.events.count == 4)
        }
    }

    @Test("Without a venue that says where it is, the city itself is the answer, with a remark")
    func noPoint() async throws {
        try await withLookups { lookUp, _ in
            let source = ScriptedSource { _ in .events(at: ["a": nil]) }
            let result = try await lookUp("Brno", source)
            #expect(source.calls == ["city Brno"])
            #expect(result.answer.coverage == .complete && result.answer.events.map(\.id) == ["a"])
            #expect(result.answer.warningCode == .radiusIgnored)
            #expect(result.learnedPoint == .some(nil))
            // The next one may know better.
            _ = try await lookUp("Brno", source)
            #expect(source.calls == ["city Brno", "city Brno"])
        }
    }

    @Test("When the area cannot be asked for, what the city's name brought stands with a gap")
    func areaFails() async throws {
        try await withLookups { lookUp, _ in
            let source = ScriptedSource { call in
                if call.hasPrefix("near") { throw ProviderFailure.ofAll }
                return .events(at: ["a": Self.point])
            }
            let result = try await lookUp("Brno", source)
            #expect(result.answer.coverage == .partial && result.answer.gap == .ofAll)
            #expect(result.answer.events.map(\.id) == ["a"] && result.learnedPoint == .some(Self.point))
            // With the point known there is nothing to fall back on.
            let next = try await lookUp("Brno", source)
            #expect(next.answer.coverage == .failed && next.answer.gap == .ofAll && next.learnedPoint == nil)
        }
    }

    @Test("Trouble with the city's name is an answer; with another name only if nothing is known by then")
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

    @Test("Being cancelled is no answer, whichever call meets it", arguments: ["city Brno", "near 50.5,14.25 30 km"])
    func cancellation(call: String) async throws {
        try await withLookups { lookUp, _ in
            let source = ScriptedSource { present in
                if present == call { throw CancellationError() }
                return .events(at: ["a": Self.point])
            }
            await #expect(throws: CancellationError.self) { _ = try await lookUp("Brno", source) }
        }
    }
}
