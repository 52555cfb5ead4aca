import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Fault rules")
struct FaultRulesTests {
    private func rule(_ json: String) throws -> FaultRule {
        try JSONDecoder().decode(FaultRule.self, from: Data(json.utf8))
    }

    @Test("A rule applies as often as its `times` says, and then the next one applies")
    func numberOfTimes() {
        var book = FaultRules()
        book.add([FaultRule(fault: .html, times: 2), FaultRule(fault: .drop)])
        let target = RequestTarget("/discovery/v2/events.json")
        #expect((0..<4).map { _ in book.apply(target)?.fault } == [.html, .html, .drop, .drop])
        #expect(book.entries.map(\.struck) == [2, 2])
    }

    @Test("All members of a match must match")
    func matchedMembers() {
        let match = FaultRule.Match(path: "events", keyword: "adele", attractionId: nil)
        #expect(match.agrees(with: RequestTarget("/discovery/v2/events.json?keyword=Adele")))
        #expect(!match.agrees(with: RequestTarget("/discovery/v2/attractions.json?keyword=Adele")))
        #expect(!match.agrees(with: RequestTarget("/discovery/v2/events.json?keyword=Adele+Live")))
        let attraction = FaultRule.Match(attractionId: "K1")
        #expect(attraction.agrees(with: RequestTarget("/discovery/v2/events.json?attractionId=K0,K1")))
        #expect(attraction.agrees(with: RequestTarget("/discovery/v2/attractions/K1.json")))
        #expect(!attraction.agrees(with: RequestTarget("/discovery/v2/events.json?attractionId=K0")))
    }

    @Test("times is a number, the word unlimited, or absent")
    func decodedTimes() throws {
        #expect(try rule(#"{"fault":"status503","times":3,"retryAfter":2}"#).times == 3)
        #expect(try rule(#"{"fault":"drop","times":"unlimited"}"#).times == nil)
        #expect(try rule(#"{"fault":"drop"}"#) == FaultRule(fault: .drop))
        #expect(throws: DecodingError.self) { try rule(#"{"fault":"drop","times":"twice"}"#) }
        #expect(throws: DecodingError.self) { try rule(#"{"fault":"earthquake"}"#) }
    }
}
