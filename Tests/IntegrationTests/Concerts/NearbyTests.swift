import Foundation
import TestProcesses
import Testing

@Suite("Concerts nearby", .timeLimit(.minutes(20)))
struct NearbyTests {
    @Test("A city's concerts are not looked up again while they are fresh, and the city's point is stored")
    func freshAnswers() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser("ada")
            let bob = try await concerts.addUser("bob")
            let path = "/v1/concerts/nearby?city=London&limit=200"
            let begun = try await ada.get(path)
            #expect(begun.status == 202)
            let id = try #require(try begun.decode(SearchView.self).id)
            #expect(begun.header("Location") == "/v1/concert-searches/\(id)")
            let search = try await ada.endOfSearch(id)
            #expect(search.state == "complete" && search.warnings.isEmpty)
            let shows = try await ada.shows(ofSearch: id)
            #expect(shows.count > 10)
            #expect(shows == shows.sorted(by: ConcertView.isBefore))
            #expect(shows.allSatisfy { $0.countryCode == "GB" && $0.artistRank == nil && !$0.artistName.isEmpty })
            #expect(shows.allSatisfy { $0.isHomeCity == ($0.city == "London") })
            let asked = try await concerts.upstream.arrivals()
            #expect(asked.first?.contains("city=London") == true)
            #expect(asked.dropFirst().allSatisfy { $0.contains("geoPoint=gcp") && $0.contains("unit=km") }, "\(asked)")

            // The answer is the same for any person and spelling.
            for (person, path) in [
                (ada, path), (bob, path), (bob, "/v1/concerts/nearby?city=%20LONDON&radius=50&limit=200"),
                (bob, "/v1/concerts/nearby?city=Londres&limit=200"),
            ] {
                let fresh = try await person.get(path)
                #expect(fresh.status == 200, "\(path)")
                let answer: SearchView = try fresh.decode()
                #expect(answer.id == nil && answer.state == "complete" && answer.items == Array(shows.prefix(200)))
                let tag = try #require(fresh.header("ETag"))
                #expect(try await person.get(path, headers: ["If-None-Match": tag]).status == 304)
            }
            #expect(try await concerts.upstream.arrivals() == asked)

            // The point is still used when the concerts are stale.
            try await concerts.age(byHours: 7)
            let later = try await ada.concertsNearby(path)
            #expect(later.status == 200)
            #expect(try later.decode(SearchView.self).items == Array(shows.prefix(200)))
            let askedLater = try await concerts.upstream.arrivals().dropFirst(asked.count)
            #expect(!askedLater.isEmpty && askedLater.allSatisfy { $0.contains("geoPoint=") })
            let point = try await concerts.point(ofCity: "london")
            #expect(abs((point?.latitude ?? 0) - 51.5074) < 0.05 && abs((point?.longitude ?? 0) + 0.1278) < 0.05)

            // Another radius is another area.
            let wider = try await ada.concertsNearby("/v1/concerts/nearby?city=London&radius=300&limit=200")
            #expect(wider.status == 200)
            #expect(try wider.decode(SearchView.self).items?.contains { $0.city == "Manchester" } == true)
        }
    }

    @Test("A link from another site causes no lookup; the site's own pages do")
    func linkFromAnotherSite() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let token = try #require(ada.token)
            let signedIn = try await concerts.base.visitor.post("/v1/session", #"{"token":"\#(token)"}"#)
            var browser = concerts.base.visitor
            browser.cookie = String(try #require(signedIn.header("Set-Cookie")?.split(separator: ";").first))
            let path = "/v1/concerts/nearby?city=London"
            for site in ["cross-site", "same-site", "none", nil] {
                let followed = try await browser.get(path, headers: site.map { ["Sec-Fetch-Site": $0] } ?? [:])
                #expect(try followed.status == 403 && followed.problem.code == "crossOrigin")
            }
            #expect(try await concerts.upstream.arrivals().isEmpty)
            #expect(try await browser.get("/v1/concert-searches").decode(JSON.self)["items"] == .array([]))
            let found = try await browser.get(path, headers: ["Backline-Page": "1", "Prefer": "wait=30"])
            #expect(found.status == 200)
            #expect(try await !concerts.upstream.arrivals().isEmpty)
        }
    }

    @Test("Pages of nearby shows have each show once")
    func pagesOfShows() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let path = "/v1/concerts/nearby?city=New%20York&radius=30"
            _ = try await ada.concertsNearby(path)
            let all: SearchView = try await ada.get(path + "&limit=200").decode()
            var paged: [ConcertView] = []
            var cursor: String?
            repeat {
                let page: SearchView = try await ada.get(
                    path + "&limit=9" + (cursor.map { "&cursor=\(APIClient.escaped($0))" } ?? "")
                ).decode()
                paged += page.items ?? []
                cursor = page.nextCursor
            } while cursor != nil
            #expect(paged.count > 18 && Array(paged.prefix(200)) == all.items)
            #expect(Set(paged.map(\.id)).count == paged.count)
            // Brooklyn is near New York, but is not the home city.
            #expect(paged.contains { $0.city == "Brooklyn" && !$0.isHomeCity })
        }
    }

    @Test(
        "A city is found by any of its names",
        arguments: [("Wien", "AT"), ("Cologne", "DE")])
    func namesOfACity(_ city: String, country: String) async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let response = try await ada.concertsNearby("/v1/concerts/nearby?city=\(city)&limit=200")
            #expect(response.status == 200)
            let answer: SearchView = try response.decode()
            #expect(answer.state == "complete" && answer.warnings.isEmpty, "\(answer.warnings)")
            #expect(answer.items?.contains { $0.countryCode == country && $0.isHomeCity } == true)
            #expect(try await concerts.calls() <= 8)
        }
    }

    @Test("A city without a point is searched only by its name, with a warning")
    func withoutPoint() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let path = "/v1/concerts/nearby?city=Nowhere-upon-Sea"
            let response = try await ada.concertsNearby(path)
            #expect(response.status == 200)
            let first: SearchView = try response.decode()
            for answer in [first, try await ada.search(id: try #require(first.id))] {
                #expect(answer.items == [])
                #expect(answer.warnings.map(\.code) == ["radiusIgnored"])
                #expect(answer.warnings.allSatisfy { $0.artist == nil && !$0.message.isEmpty && !$0.recovery.isEmpty })
            }
        }
    }

    @Test("A search during a running lookup waits for that lookup")
    func joinedLookup() async throws {
        try await ConcertInstallation.run(.init(workers: 0)) { concerts in
            let ada = try await concerts.addUser("ada")
            let bob = try await concerts.addUser("bob")
            let path = "/v1/concerts/nearby?city=Berlin"
            let first: SearchView = try await ada.get(path).decode()
            // The same person gets the same search, another person another search of the same lookup.
            let second: SearchView = try await ada.get(path).decode()
            let others: SearchView = try await bob.get(path).decode()
            #expect(first.id != nil && second.id == first.id && others.id != first.id)
            try await concerts.startWorker()
            let done = try await ada.endOfSearch(try #require(first.id))
            #expect(done.state == "complete" && done.items?.isEmpty == false)
            #expect(try await bob.endOfSearch(try #require(others.id)).items == done.items)
            let asked = try await concerts.upstream.arrivals()
            #expect(asked.count { $0.contains("city=") } == 1)
            #expect(try await concerts.base.storedJobs().count == 1)
        }
    }

    @Test("An area whose lookup fails has a warning, keeps its known shows, and is looked up again")
    func failedLookup() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let path = "/v1/concerts/nearby?city=Dublin&limit=200"
            try await concerts.upstream.injectFault("html")
            let failed: SearchView = try await ada.concertsNearby(path).decode()
            #expect(failed.state == "failed" && failed.items == [])
            #expect(failed.warnings.map(\.code) == ["invalidResponse"])
            let bob = try await concerts.addUser("bob")
            let others: SearchView = try await bob.concertsNearby(path).decode()
            try await concerts.upstream.heal()
            let mended = try await ada.retrySearch(try #require(failed.id))
            #expect(mended.state == "complete" && mended.warnings.isEmpty && mended.items?.isEmpty == false)
            // The stored answer is fresh, so another person's retry causes no call.
            let calls = try await concerts.calls()
            #expect(try await bob.retrySearch(try #require(others.id)).items == mended.items)
            #expect(try await concerts.calls() == calls)

            try await concerts.age(byHours: 7)
            try await concerts.upstream.injectFault("html")
            let later: SearchView = try await ada.concertsNearby(path).decode()
            #expect(later.state == "failed" && later.items == mended.items)
            #expect(later.warnings.map(\.code) == ["invalidResponse"])
        }
    }
}

extension ConcertInstallation {
    /// The stored point of a city.
    fileprivate func point(ofCity key: String) async throws -> (latitude: Double, longitude: Double)? {
        try await base.withDatabase { database in
            try await database.read { reader in
                try reader.row("SELECT latitude, longitude FROM concert_cities WHERE city_key = \(key)").map {
                    (try $0["latitude"], try $0["longitude"])
                }
            }
        }
    }
}
