import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Paging in the simulator")
struct PagingTests {
    private let answers = SimulatedAnswers()

    @Test("An empty result and a page past the end have no _embedded and a total of 0")
    func emptyPages() throws {
        for parameters in [["keyword": "Nobody's Tambourine"], ["keyword": "Adele", "page": "40"]] {
            let page = try answers.json("events.json", parameters)
            #expect(page["_embedded"] == nil)
            #expect(page.path("page", "totalElements") as? Int == 0)
            #expect(page.path("page", "totalPages") as? Int == 0)
            #expect(page.path("page", "number") as? Int == Int(parameters["page"] ?? "0"))
            #expect(page.path("_links", "self", "href") != nil)
        }
    }

    @Test("A page has 20 entries by default, and at most 200")
    func sizesOfPages() throws {
        let page = try answers.json("events.json", ["city": "Brno"])
        #expect((page.path("_embedded", "events") as? [Any])?.count == 20)
        #expect(page.path("page", "size") as? Int == 20)
        #expect(try answers.events(["size": "200"]).count == 200)
    }

    @Test("Links are relative and contain the parameters, but never the key")
    func relativeLinks() throws {
        let page = try answers.json("events.json", ["city": "Brno", "page": "1", "size": "10"])
        let links = try #require(page["_links"] as? [String: [String: Any]])
        #expect(links.keys.sorted() == ["first", "last", "next", "prev", "self"])
        for link in links.values.compactMap({ $0["href"] as? String }) {
            #expect(link.hasPrefix("/discovery/v2/events.json?"))
            #expect(link.contains("city=Brno"))
            #expect(!link.contains("apikey") && !link.contains("demo-key"))
        }
        #expect((links["next"]?["href"] as? String)?.contains("page=2&size=10") == true)
    }

    @Test("An offset of exactly 1,000 is served, and a larger one is not")
    func deepestOffset() throws {
        #expect(try answers.events(["size": "200", "page": "5"]).count == 200)
        #expect(try answers.events(["size": "20", "page": "50"]).count == 20)
        for (size, page) in [("200", "6"), ("20", "51"), ("1", "1001")] {
            let answer = answers.answer("events.json", ["size": size, "page": page])
            #expect(answer.status == 400)
            #expect(answer.body.contains(#""code":"DIS1035""#))
        }
    }

    @Test("An offset that reaches the cap on totals has another code and status")
    func capOnTotals() {
        let answer = answers.answer("events.json", ["size": "20", "page": "499"])
        #expect(answer.body.contains(#""code":"DIS1024""#))
        #expect(answer.body.contains(#""status":"400","#))
    }

    @Test("Attractions and venues page by the same rules", arguments: ["attractions.json", "venues.json"])
    func otherLists(path: String) throws {
        let page = try answers.json(path, ["size": "5"])
        #expect((page.path("_embedded", String(path.dropLast(5))) as? [Any])?.count == 5)
        #expect(answers.answer(path, ["size": "201"]).status == 400)
    }
}
