import Foundation
import TestSupport
import Testing

@testable import UpstreamSimulator

private let recorded = RecordedPayloads.ticketmaster

/// Compares the simulator's answers with the recordings: the same members with the same types.
@Suite(
    "Members of the simulator's answers",
    .enabled(if: recorded.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
struct ShapeTests {
    /// Details of venues and links that Backline does not read; the simulator leaves them out.
    private static let unread = [
        ".markets", ".dmas", ".boxOfficeInfo", ".parkingDetail", ".accessibleSeatingDetail", ".generalInfo", ".ada",
        "venues[].images", ".moshtix", ".ticketweb", ".tmr", ".ticketnet", ".mfx-nl", ".templated",
        ".ageRuleDescription",
    ]

    /// Members that later reports describe but these recordings do not show.
    private static let later = [
        ".aliases", ".distance", ".units", "dates.end", "dates.initialStartDate", "promoter.name", "presales",
        "doorsTimes",
        // The recorded page has no next or no previous page.
        "_links.prev", "_links.last", "_links.first",
    ]

    private let answers = SimulatedAnswers()

    private func simulatedEvents() throws -> Shape {
        var shape = Shape()
        for page in 0..<3 {
            shape.add(try answers.json("events.json", ["size": "200", "page": String(page), "locale": "*"]))
        }
        for keyword in ["Metallica", "Hans Zimmer"] {
            shape.add(try answers.json("events.json", ["keyword": keyword, "size": "200"]))
        }
        return shape
    }

    private func compare(_ recorded: Shape, with simulated: Shape, exceptions: [String]) {
        for (path, kinds) in recorded.leaves where !exceptions.contains(where: path.contains) {
            guard let found = simulated.leaves[path] else {
                Issue.record("\(path) is missing")
                continue
            }
            #expect(found == kinds, "\(path)")
        }
    }

    @Test(
        "Every member of recorded events that Backline reads exists",
        arguments: [
            "us_events_2023_first3of20.json", "ticketpy_event_search.json",
        ])
    func shapeOfEvents(file: String) throws {
        compare(Shape(try recorded.json(file)), with: try simulatedEvents(), exceptions: Self.unread)
    }

    @Test("Events have no member that no recording and no report has")
    func nothingInvented() throws {
        var known = Shape(try recorded.json("us_events_2023_first3of20.json"))
        known.add(try recorded.json("ticketpy_event_search.json"))
        compare(try simulatedEvents(), with: known, exceptions: Self.later)
    }

    @Test("A single event has the members of the recorded one")
    func shapeOfAnEvent() throws {
        var simulated = Shape()
        for event in try answers.events(["city": "New York"]) {
            simulated.add(try answers.json("events/\(event.id).json"))
        }
        compare(Shape(try recorded.json("ticketpy_event.json")), with: simulated, exceptions: Self.unread)
    }

    @Test("Attractions have the members of the recorded ones")
    func shapeOfAttractions() throws {
        let exchange = try #require(
            (try recorded.json("sdkjs_attractions_first4of20_nock.json") as? [[String: Any]])?.first)
        let simulated = Shape(try answers.json("attractions.json", ["size": "200", "page": "0"]))
        compare(Shape(try #require(exchange["response"])), with: simulated, exceptions: Self.unread)
    }

    @Test("An empty page and a 404 have the members of the recorded ones")
    func emptyAndNotFound() throws {
        let empty = try answers.json(
            "events.json", ["keyword": "Nobody's Tambourine", "size": "10", "page": "1", "sort": "date,asc"])
        let recordedEmpty = Shape(try recorded.json("empty_page.json"))
        #expect(Shape(empty).leaves == recordedEmpty.leaves)

        let exchange = try #require((try recorded.json("sdkjs_event_404_nock.json") as? [[String: Any]])?.first)
        let refusal = answers.answer("events/unknown-id.json")
        let body = try JSONSerialization.jsonObject(with: Data(refusal.body.utf8))
        #expect(Shape(body).leaves == Shape(try #require(exchange["response"])).leaves)
        #expect(refusal.status == exchange["status"] as? Int)
    }
}
