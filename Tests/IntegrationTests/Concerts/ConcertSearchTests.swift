import Foundation
import TestProcesses
import Testing

@Suite("Concert searches", .timeLimit(.minutes(20)))
struct ConcertSearchTests {
    @Test("A search of the ranked list has each show once over all pages, in order, with its extras")
    func rankedList() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let names = [
                "Coldplay", "Imagine Dragons", "The Unbooked Cellists", "Hans Zimmer", "Pink Floyd",
                "The Uncertainty Principle", "Status Quo",
            ]
            try await ada.rank(names)
            let search = try await ada.search(homeCity: "Prague")
            #expect(search.state == "complete")
            #expect(search.warnings.isEmpty)
            #expect(search.progress == .init(done: 7, total: 7))
            #expect(search.coverage.map(\.artist) == names)
            #expect(search.coverage.map(\.rank) == Array(1...7))
            #expect(
                search.coverage.map(\.status)
                    == ["complete", "complete", "notFound", "complete", "complete", "complete", "complete"])

            let id = try #require(search.id)
            let shows = try await ada.shows(ofSearch: id)
            #expect(Set(shows.map(\.id)).count == shows.count)
            #expect(shows == shows.sorted(by: ConcertView.isBefore))
            for limit in [1, 7, 50] {
                let pages = try await ada.pages(ofSearch: id, limit: limit)
                #expect(pages.dropLast().allSatisfy { $0.count == limit }, "pages of \(limit)")
                #expect(pages.flatMap { $0 } == shows, "pages of \(limit)")
            }

            #expect(shows.contains { $0.isHomeCity })
            for show in shows {
                let isPrague = ["Prague", "Praha 1", "Praha 7", "Praha 9"].contains(show.city ?? "")
                #expect(show.isHomeCity == isPrague, "\(show.city ?? "nowhere")")
                #expect(show.artistRank.map { names[$0 - 1] } == show.artistName)
                #expect(show.status != "cancelled")
                #expect(show.localDate == nil || show.localDate?.count == 10)
                #expect(!show.dateTBA || show.localDate == nil)
            }
            let inPrague = try await ada.get("/v1/concert-searches/\(id)?limit=200&city=praha")
            #expect(try inPrague.decode(SearchView.self).items == shows.filter(\.isHomeCity))
            let nowhere = try await ada.get("/v1/concert-searches/\(id)?city=%20")
            #expect(nowhere.status == 422)
            // A matinee and an evening show are two rows.
            let doubles = shows.filter { $0.name == "Hans Zimmer Live" }
            #expect(doubles.map(\.localTime) == ["15:00:00", "20:00:00"])
            #expect(Set(doubles.map(\.localDate)).count == 1)
            // Undated shows are the last ones of their artist.
            let uncertain = shows.filter { $0.artistName == "The Uncertainty Principle" }
            #expect(uncertain.count == 6)
            let dates = uncertain.map(\.localDate)
            #expect(dates.prefix(3).allSatisfy { $0 != nil } && dates.suffix(3) == [nil, nil, nil])
            #expect(Set(shows.filter { $0.artistName == "Coldplay" }.map(\.status)).contains("postponed"))
        }
    }

    @Test("An unknown artist has a complete answer, and is not looked up again")
    func notFound() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let absent = try await concerts.upstream.artists(.absent, count: 3)
            let search = try await ada.search(absent)
            #expect(search.state == "complete" && search.warnings.isEmpty && search.items == [])
            #expect(search.coverage.map(\.status) == ["notFound", "notFound", "notFound"])
            let calls = try await concerts.calls()
            let again = try await ada.search(absent.reversed())
            #expect(again.state == "complete")
            #expect(again.coverage.map(\.status) == ["notFound", "notFound", "notFound"])
            #expect(try await concerts.calls() == calls)
        }
    }

    @Test("Fresh answers cause no call; known attractions share one call")
    func knownArtists() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.popular, count: 20)
            let first = try await ada.search(names)
            let calls = try await concerts.calls()
            #expect(calls == 20)
            let shows = try await ada.shows(ofSearch: try #require(first.id))

            // With fresh answers, the response to the request is the result.
            let response = try await ada.post(
                "/v1/concert-searches", APIClient.body(artists: names), headers: ["Prefer": "wait=30"])
            #expect(response.status == 200)
            #expect(try response.decode(SearchView.self).state == "complete")
            let fresh = try await ada.shows(ofSearch: try #require(try response.decode(SearchView.self).id))
            #expect(fresh == shows)
            #expect(try await concerts.calls() == calls)

            try await concerts.age(byHours: 7)
            let later = try await ada.search(names)
            #expect(later.state == "complete")
            let made = try await concerts.upstream.arrivals().dropFirst(calls)
            #expect((1...2).contains(made.count))
            #expect(made.allSatisfy { $0.contains("attractionId=") })
            // A call by keyword and a call by ids find the same shows.
            #expect(try await ada.shows(ofSearch: try #require(later.id)) == shows)
        }
    }

    @Test("A waiting request is answered with the ended search, or with its progress at the deadline")
    func waitingRequest() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let response = try await ada.post(
                "/v1/concert-searches", #"{"artists":["Coldplay"]}"#, headers: ["Prefer": "wait=30"])
            let search: SearchView = try response.decode()
            #expect(response.status == 200)
            #expect(response.header("Preference-Applied") == "wait=30")
            #expect(response.header("Location") == "/v1/concert-searches/\(search.id ?? "")")
            #expect(search.state == "complete" && search.items?.isEmpty == false)

            try await concerts.stopWorkers()
            let slow = try await ada.post(
                "/v1/concert-searches", #"{"artists":["Adele"]}"#, headers: ["Prefer": "wait=1"])
            #expect(slow.status == 202)
            let running: SearchView = try slow.decode()
            #expect(running.isRunning && running.progress == .init(done: 0, total: 1))
            #expect(running.coverage.isEmpty)
        }
    }

    @Test("Repeated requests with an Idempotency-Key are one search; another request with it is refused")
    func repeatedRequests() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser("ada")
            let bob = try await concerts.addUser("bob")
            let headers = ["Idempotency-Key": "evening-1"]
            let body = #"{"artists":["Coldplay"]}"#
            let first: SearchView = try await ada.post("/v1/concert-searches", body, headers: headers).decode()
            let second = try await ada.post("/v1/concert-searches", body, headers: headers)
            #expect(second.status == 202)
            #expect(try second.decode(SearchView.self).id == first.id)
            let other = try await ada.post("/v1/concert-searches", #"{"artists":["Adele"]}"#, headers: headers)
            #expect(other.status == 422)
            #expect(try other.problem.code == "idempotencyKeyReused")
            // Each person has keys of their own.
            let others = try await bob.post("/v1/concert-searches", body, headers: headers)
            #expect(others.status == 202)
            #expect(try others.decode(SearchView.self).id != first.id)
        }
    }

    @Test("An unchanged response is 304")
    func entityTags() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let id = try #require(try await ada.search(["Coldplay"]).id)
            let paths = ["/v1/concert-searches/\(id)", "/v1/concert-searches/\(id)?limit=2", "/v1/artists"]
            var tags: [String] = []
            for path in paths {
                let tag = try #require(try await ada.get(path).header("ETag"), "\(path)")
                let known = try await ada.get(path, headers: ["If-None-Match": tag])
                #expect(known.status == 304 && known.body.isEmpty && known.header("ETag") == tag, "\(path)")
                tags.append(tag)
            }
            #expect(Set(tags).count == 3)
            try await ada.rank(["Coldplay"])
            #expect(try await ada.get("/v1/artists", headers: ["If-None-Match": tags[2]]).status == 200)
            try await concerts.age(byHours: 7)
            try await concerts.upstream.injectFault("html")
            let failed = try await ada.search(["Coldplay"])
            let tag = try #require(try await ada.get("/v1/concert-searches/\(failed.id ?? "")").header("ETag"))
            try await concerts.upstream.heal()
            _ = try await ada.retrySearch(try #require(failed.id))
            let changed = try await ada.get(
                "/v1/concert-searches/\(failed.id ?? "")", headers: ["If-None-Match": tag])
            #expect(changed.status == 200)
        }
    }
}
