import Foundation
import Testing

@testable import ConcertsCommands

@Suite("Results of several pages")
struct SearchReportTests {
    @Test("The result has the shows of all pages, in order")
    func showsOfAllPages() throws {
        let report = try SearchReport(pages: [
            try SearchPages.page(items: [SearchPages.item(["artistName": "A"])], nextCursor: "1.x.x.a"),
            try SearchPages.page(items: [SearchPages.item(["artistName": "B"])], nextCursor: nil),
        ])
        #expect(report.shows.map(\.artistName) == ["A", "B"])
        #expect(report.status.state == .complete)
    }

    @Test("The JSON document keeps every field, even unknown ones, and has no next page")
    func fieldsOfTheDocument() throws {
        let report = try SearchReport(pages: [
            try SearchPages.page(items: [SearchPages.item(["id": "a", "mood": "happy"])], nextCursor: "1.x.x.a"),
            try SearchPages.page(items: [SearchPages.item(["id": "b"])], nextCursor: nil, more: ["weather": "fine"]),
        ])
        let text = try report.document()
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let items = try #require(document["items"] as? [[String: Any]])
        #expect(items.map { $0["id"] as? String } == ["a", "b"])
        #expect(items[0]["mood"] as? String == "happy")
        #expect(items[0]["venueAddress"] is NSNull)
        #expect(document["weather"] as? String == "fine")
        #expect(document["nextCursor"] is NSNull)
        #expect((document["progress"] as? [String: Int]) == ["done": 1, "total": 1])
    }

    @Test("A cursor is escaped as an address requires")
    func escapedCursor() {
        #expect(
            ConcertSearchAPI.path(of: "s", cursor: "1.x.x.a+b&c", includesCancelled: true)
                == "/v1/concert-searches/s?limit=200&include=cancelled&cursor=1.x.x.a%2Bb%26c")
        #expect(
            ConcertSearchAPI.path(of: "s", cursor: nil, includesCancelled: false) == "/v1/concert-searches/s?limit=200")
    }
}
