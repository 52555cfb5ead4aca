import Foundation
import Model
import TestSupport
import Testing
import Ticketmaster
import Upstream

@Suite(
    "Recorded payloads",
    .enabled(if: RecordedPayloads.ticketmaster.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
struct RecordedPayloadTests {
    @Test("Three events from 2023 have their ids, dates, places and prices")
    func usEvents() async throws {
        let answer = UpstreamResponse.json(try RecordedPayloads.ticketmaster.data("us_events_2023_first3of20.json"))
        let query = TicketmasterEventQuery(.city("Brisbane", countryCode: nil))
        let result = try await ScriptedUpstream(answer).client().events(query, size: 20)

        #expect(result.events.map(\.id) == ["G5vGZ9PR3nIUC", "G5vGZ9cUKx8cX", "G5vGZ9Er9p0Pa"])
        #expect(result.events.map { $0.localDate?.description } == ["2023-09-11", "2023-09-11", "2023-09-13"])
        #expect(result.events.map { $0.localTime?.description } == ["19:00:00", "18:00:00", "19:00:00"])
        #expect(result.events.allSatisfy { $0.kind == .show && $0.status == .onsale && $0.segment == "Music" })
        #expect(
            result.events.map { $0.attractions.map(\.name) } == [
                ["Morgan Evans"], ["Soweto Gospel Choir", "Brisbane Festival"], ["Extreme", "Living Colour"],
            ])
        let first = try #require(result.events.first)
        #expect(first.priceRange == ConcertEvent.PriceRange(minimum: 77.69, maximum: 88.34, currency: "AUD"))
        #expect(first.venue?.city == "Brisbane")
        #expect(first.venue?.stateCode == "QLD")
        #expect(first.venue?.address == "312-318 Brunswick Street")
        #expect(first.venue?.location == GeoPoint(latitude: -27.457971, longitude: 153.034553))
        #expect(first.imageURL?.hasSuffix("_RETINA_PORTRAIT_16_9.jpg") == true)
        #expect(result.page.skippedItems == 0)
        #expect(result.page.totalElements == 130)
        #expect(TicketmasterPaging(after: result.page).pages == Array(1...6))

        let extreme = try #require(result.attractions.first { $0.name == "Extreme" })
        #expect(extreme.spotifyIDs == ["6w7j5wQ5AI5OQYlcM15s2L"])
        #expect(extreme.musicBrainzIDs == ["6031b2df-faef-493f-a79c-891095b1df97"])
        #expect(extreme.upcomingEventCount == 12)
        let choir = try #require(result.attractions.first { $0.name == "Soweto Gospel Choir" })
        #expect(choir.spotifyIDs == ["6mMaqfhEcPjrR2FEKWVpOl"])
    }

    @Test("A search page from 2016 without prices or a time is read")
    func ticketpySearch() async throws {
        let answer = UpstreamResponse.json(try RecordedPayloads.ticketmaster.data("ticketpy_event_search.json"))
        let result = try await ScriptedUpstream(answer).client().events(keyword: "golf", size: 1)
        let event = try #require(result.events.first)
        #expect(event.id == "vvG1VZKS5pr1qy")
        #expect(event.localDate == LocalDate("2016-03-06"))
        #expect(event.localTime == nil)
        #expect(event.timeTBA)
        #expect(event.priceRange == nil)
        #expect(event.status == .offsale)
        // The recording has an http address.
        #expect(event.ticketURL == "https://ticketmaster.com/event/0E0050681F51BA4C")
        #expect(TicketmasterPaging(after: result.page).needsSplit)
    }

    @Test("A single event is decoded like an item of a page")
    func ticketpyEvent() async throws {
        let event = String(decoding: try RecordedPayloads.ticketmaster.data("ticketpy_event.json"), as: UTF8.self)
        let result = try await ScriptedUpstream(.events(event)).client().events(keyword: "Radiohead")
        let radiohead = try #require(result.events.first)
        #expect(radiohead.id == "G5diZfkn0B-bh")
        #expect(radiohead.attractions.map(\.id) == ["K8vZ91713wV"])
        #expect(radiohead.venue?.name == "Madison Square Garden")
        #expect(radiohead.localTime == LocalTime("19:30"))
        #expect(radiohead.priceRange == ConcertEvent.PriceRange(minimum: 80, maximum: 80, currency: "USD"))
        #expect(radiohead.imageURL?.hasPrefix("https://") == true)
        #expect(try ConcertEvent(storage: radiohead.encodedForStorage()) == radiohead)
    }

    @Test("An empty page from 2022 has no events")
    func emptyPage() async throws {
        let answer = UpstreamResponse.json(try RecordedPayloads.ticketmaster.data("empty_page.json"))
        let result = try await ScriptedUpstream(answer).client().events(keyword: "nobody", page: 1, size: 10)
        #expect(result.events.isEmpty)
        #expect(result.page.totalPages == 0)
        #expect(TicketmasterPaging(after: result.page).pages.isEmpty)
    }

    @Test("Attractions from 2016 have their names without letters")
    func attractionsFrom2016() async throws {
        let recording = try Recording.first(in: "sdkjs_attractions_first4of20_nock.json")
        let result = try await ScriptedUpstream(recording.response).client().attractions(keyword: "!", size: 20)
        #expect(result.attractions.count == 4)
        #expect(result.attractions.first?.name == "!!!")
        #expect(result.attractions.first?.id == "K8vZ9175BhV")
        #expect(result.attractions.first?.segment == "Music")
        #expect(result.page.skippedItems == 0)
        #expect(result.page.totalElements == 170_867)
    }

    @Test("The recorded 404 is notFound")
    func notFound() async throws {
        let recording = try Recording.first(in: "sdkjs_event_404_nock.json")
        await #expect(throws: TicketmasterError.notFound) {
            try await ScriptedUpstream(recording.response).client().events(keyword: "unknown")
        }
    }
}

/// An answer in the format of the nock library.
private struct Recording {
    var response: UpstreamResponse

    static func first(in file: String) throws -> Recording {
        let list = try #require(
            try JSONSerialization.jsonObject(with: try RecordedPayloads.ticketmaster.data(file)) as? [[String: Any]])
        let entry = try #require(list.first)
        let headers = try #require(entry["headers"] as? [String: String])
        let body = try JSONSerialization.data(withJSONObject: try #require(entry["response"]))
        return Recording(
            response: UpstreamResponse(
                status: try #require(entry["status"] as? Int),
                headers: Dictionary(uniqueKeysWithValues: headers.map { ($0.key.lowercased(), $0.value) }),
                body: Array(body)))
    }
}
