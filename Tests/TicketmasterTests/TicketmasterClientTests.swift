import Foundation
import Model
import TestSupport
import Testing
import Ticketmaster
import Upstream

@Suite("Calls to Ticketmaster")
struct TicketmasterClientTests {
    private static let emptyPage = UpstreamResponse.json(
        #"{"page": {"size": 200, "totalElements": 0, "totalPages": 0, "number": 0}}"#)

    @Test("Every call requests all locales and has the key only as a secret")
    func secretsStayApart() async throws {
        let upstream = ScriptedUpstream(Self.emptyPage)
        let client = upstream.client()
        _ = try await client.events(keyword: "AC/DC")
        _ = try await client.events(
            TicketmasterEventQuery(.attractions(["K8vZ91713wV", "k8vz91713wv"])), page: 2, size: 100)
        _ = try await client.attractions(keyword: "ABBA")

        for request in upstream.requests {
            #expect(request.value("locale") == "*")
            #expect(request.secretQuery.map(\.name) == ["apikey"])
            #expect(request.secretQuery.first?.value.reveal() == "secret-key")
            #expect(!request.query.contains { $0.value.contains("secret-key") })
            #expect(!request.path.contains("secret-key"))
        }
        #expect(upstream.requests.map(\.path) == ["/events.json", "/events.json", "/attractions.json"])
        #expect(upstream.requests[0].value("keyword") == "AC/DC")
        #expect(upstream.requests[0].value("size") == "200")
        #expect(upstream.requests[1].value("attractionId") == "K8vZ91713wV,k8vz91713wv")
        #expect(upstream.requests[1].value("page") == "2")
    }

    @Test("A search around a point sends a geohash and kilometers")
    func nearAPoint() async throws {
        let upstream = ScriptedUpstream(Self.emptyPage)
        let point = try #require(GeoPoint(latitude: 57.64911, longitude: 10.40744))
        _ = try await upstream.client().events(TicketmasterEventQuery(.near(point, radiusKm: 50)))
        let request = try #require(upstream.requests.first)
        // The example of the geohash's Wikipedia article.
        #expect(request.value("geoPoint") == "u4pruydqq")
        #expect(request.value("radius") == "50")
        #expect(request.value("unit") == "km")
        _ = try await upstream.client().events(TicketmasterEventQuery(.city("Praha", countryCode: "CZ")))
        #expect(upstream.requests[1].value("city") == "Praha")
        #expect(upstream.requests[1].value("countryCode") == "CZ")
    }

    @Test("A window of dates is written without fractions")
    func windowFormat() async throws {
        let upstream = ScriptedUpstream(Self.emptyPage)
        let window = TicketmasterDateWindow(
            start: Timestamp(rfc3339: "2026-11-20T22:15:42.987Z"), end: Timestamp(rfc3339: "2027-01-01T00:00:00Z"))
        _ = try await upstream.client().events(TicketmasterEventQuery(.attractions(["a"]), window: window))
        #expect(upstream.requests.first?.value("startDateTime") == "2026-11-20T22:15:42Z")
        #expect(upstream.requests.first?.value("endDateTime") == "2027-01-01T00:00:00Z")
    }

    @Test("Without a key nothing is sent", arguments: [nil, ""])
    func missingKey(key: String?) async throws {
        let upstream = ScriptedUpstream(Self.emptyPage)
        await #expect(throws: TicketmasterError.keyMissing) {
            try await upstream.client(key: key).events(keyword: "Air")
        }
        #expect(upstream.requests.isEmpty)
    }

    @Test("An empty page is valid; totals and quota are read")
    func emptyPage() async throws {
        var answer = Self.emptyPage
        answer.headers["rate-limit"] = "5000"
        answer.headers["rate-limit-available"] = "4711"
        answer.headers["rate-limit-reset"] = "1795300000123"
        let page = try await ScriptedUpstream(answer).client().events(keyword: "nobody").page
        #expect(page.totalElements == 0)
        #expect(page.rateLimit.available == 4711)
        #expect(page.rateLimit.resetsAt == Timestamp(microseconds: 1_795_300_000_123_000))
    }

    @Test(
        "Documents that are not a page are refused",
        arguments: [
            #"{"_embedded": {"events": [{"id": "a", "na"#, "", "[]", "{}", "null", #"{"_embedded": {"events": {}}}"#,
            #"{"fault": {"faultstring": "something", "detail": {"errorcode": "x"}}}"#,
        ])
    func documentsThatAreNotPages(body: String) async throws {
        let error = await #expect(throws: TicketmasterError.self) {
            try await ScriptedUpstream(.json(body)).client().events(keyword: "Air")
        }
        guard case .invalidResponse = error else {
            Issue.record("expected invalidResponse, found \(String(describing: error))")
            return
        }
    }

    @Test("A success with a content type other than JSON is refused")
    func otherContentTypes() async throws {
        let page = UpstreamResponse(
            status: 200, headers: ["content-type": "text/html; charset=utf-8"], body: Self.emptyPage.body)
        await #expect(throws: TicketmasterError.invalidResponse(reason: "it is not JSON")) {
            try await ScriptedUpstream(page).client().events(keyword: "Air")
        }
    }

    @Test("Malformed and null items are skipped and counted")
    func lenientItems() async throws {
        let answer = UpstreamResponse.events(
            "null", #""text""#, #"{"name": "no id"}"#, #"{"id": ""}"#, #"{"id": "nameless"}"#,
            #"{"id": "t", "name": "Test", "test": true}"#,
            """
            {"id": "aZ1", "name": " Air ", "url": 7, "images": {"not": "a list"}, "dates": "soon",
             "classifications": [null, 3], "_embedded": {"venues": [null, {"name": "Lucerna", "city": "x"}],
             "attractions": [null, {"id": "K1"}, {"id": "K2", "name": "Air", "images": [null, {"url": null}]}]}}
            """, total: 7)
        let result = try await ScriptedUpstream(answer).client().events(keyword: "Air")
        #expect(result.events.map(\.id) == ["aZ1"])
        #expect(result.events.first?.name == "Air")
        #expect(result.events.first?.venue?.name == "Lucerna")
        #expect(result.events.first?.attractions.map(\.id) == ["K2"])
        #expect(result.page.skippedItems == 5)
        #expect(result.page.testItems == 1)
        #expect(result.attractions.map(\.id) == ["K2"])
    }

    @Test("Errors of the closure are thrown unchanged")
    func transportErrors() async throws {
        let client = TicketmasterClient(key: Secret("k")) { _ in throw UpstreamError.timedOut }
        await #expect(throws: UpstreamError.timedOut) { try await client.events(keyword: "Air") }
    }
}
