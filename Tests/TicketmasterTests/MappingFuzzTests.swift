import Foundation
import Model
import TestSupport
import Testing
import Ticketmaster
import Upstream

@Suite("Damaged answers", .timeLimit(.minutes(5)))
struct MappingFuzzTests {
    /// An event with all members that Ticketmaster documents and Backline reads.
    private static let event = #"""
        {"id": "e1", "name": "Air", "type": "event", "url": "https://www.ticketmaster.com/e1", "locale": "en-us",
         "images": [{"ratio": "16_9", "url": "https://s1.ticketm.net/a.jpg", "width": 1024, "height": 576}],
         "sales": {"public": {"startDateTime": "2026-01-01T10:00:00Z", "endDateTime": "2026-12-01T10:00:00Z"}},
         "dates": {"start": {"localDate": "2026-12-01", "localTime": "20:00:00", "dateTime": "2026-12-01T19:00:00Z",
                             "dateTBA": false, "timeTBA": false, "noSpecificTime": false},
                   "timezone": "Europe/Prague", "status": {"code": "onsale"}},
         "classifications": [{"primary": true, "segment": {"id": "KZFzniwnSyZfZ7v7nJ", "name": "Music"},
                              "genre": {"name": "Rock"}, "subGenre": {"name": "Pop"}}],
         "priceRanges": [{"type": "standard", "currency": "EUR", "min": 30.5, "max": 80}],
         "_embedded": {"venues": [{"id": "v1", "name": "Palace", "city": {"name": "Prague"}, "postalCode": "11000",
                                   "country": {"name": "Czech Republic", "countryCode": "CZ"},
                                   "state": {"stateCode": "10"},
                                   "address": {"line1": "Street 1"}, "timezone": "Europe/Prague",
                                   "location": {"longitude": "14.42", "latitude": "50.08"}}],
                       "attractions": [{"id": "a1", "name": "Air", "url": "https://www.ticketmaster.com/a1",
                                        "externalLinks": {
                                            "spotify": [
                                                {"url": "https://open.spotify.com/artist/1P6U1dCeHxPui5pIrGmndZ"}],
                                            "musicbrainz": [{"id": "cb67438a-7f50-4f2b-a6f1-2bb2729fd538"}]},
                                        "upcomingEvents": {"_total": 3}}]}}
        """#

    private static func seeds() throws -> [Data] {
        let page = Data(UpstreamResponse.events(event, event.replacing("\"e1\"", with: "\"e2\"")).body)
        guard RecordedPayloads.ticketmaster.areAvailable else { return [page] }
        let recorded = ["us_events_2023_first3of20.json", "ticketpy_event_search.json", "empty_page.json"]
        return [page] + (try recorded.map { try RecordedPayloads.ticketmaster.data($0) })
    }

    /// Expects events that can be stored, or an error that blames the upstream.
    private func check(_ response: UpstreamResponse) async throws {
        do {
            let result = try await ScriptedUpstream(response).client().events(keyword: "Air")
            #expect(result.page.skippedItems >= 0)
            for event in result.events {
                #expect(!event.id.isEmpty && !event.name.isEmpty)
                #expect(try ConcertEvent(storage: event.encodedForStorage()) == event)
                for url in [event.ticketURL, event.imageURL].compactMap(\.self) { #expect(url.hasPrefix("https://")) }
            }
        } catch {
            #expect(error is TicketmasterError)
        }
    }

    @Test("Missing, duplicate or mistyped values invalidate at most their event", arguments: Fuzzing.seeds())
    func damagedValues(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        for data in try Self.seeds() {
            let original = try JSONSerialization.jsonObject(with: data)
            for _ in 0..<Fuzzing.rounds(100, long: 300) {
                var value = original
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    value = random.damagedEvent(in: value) ?? random.damaged(json: value)
                }
                let bytes = try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
                try await check(
                    UpstreamResponse(status: 200, headers: ["content-type": "application/json"], body: Array(bytes)))
            }
        }
    }

    @Test("Missing, duplicate or changed bytes result in an answer or an error", arguments: Fuzzing.seeds())
    func damagedBytes(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        for data in try Self.seeds() {
            for _ in 0..<Fuzzing.rounds(70, long: 200) {
                let body = random.damaged(Array(data))
                try await check(
                    UpstreamResponse(status: 200, headers: ["content-type": "application/json"], body: body))
            }
        }
    }
}

extension SeededRandom {
    /// A copy of a page with one of its events damaged; `nil` when it has none, and sometimes at random.
    fileprivate mutating func damagedEvent(in page: Any) -> Any? {
        guard Int.random(in: 0...3, using: &self) > 0, var page = page as? [String: Any],
            var embedded = page["_embedded"] as? [String: Any], var events = embedded["events"] as? [Any],
            let place = events.indices.randomElement(using: &self)
        else { return nil }
        events[place] = damaged(json: events[place])
        embedded["events"] = events
        page["_embedded"] = embedded
        return page
    }
}
