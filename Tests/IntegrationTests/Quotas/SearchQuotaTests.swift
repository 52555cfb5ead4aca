import TestProcesses
import Testing

@Suite("The quota of running searches", .timeLimit(.minutes(20)))
struct SearchQuotaTests {
    @Test("A search beyond the quota is refused and leaves no row; an ended search makes room for another")
    func searchesBeyondTheQuota() async throws {
        let setup = ConcertInstallation.Setup(environment: ["BACKLINE_QUOTAS_RUNNING_SEARCHES": "2"])
        try await ConcertInstallation.run(setup) { concerts in
            let (ada, bob) = (try await concerts.addUser("ada"), try await concerts.addUser("bob"))
            let known = try await ada.beginSearch(["Coldplay"])
            _ = try await ada.endOfSearch(known)
            try await concerts.stopWorkers()
            var running: [String] = []
            for n in 0..<2 { running.append(try await ada.beginSearch(["Nobody Number \(n)"])) }
            #expect(try await ada.quotas().runningSearches == QuotaView(used: 2, limit: 2))

            let tooMany = APIClient.body(artists: ["Nobody Number 2"])
            let refused = try await withThrowingTaskGroup(of: APIResponse.self) { group in
                for _ in 0..<4 { group.addTask { try await ada.post("/v1/concert-searches", tooMany) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for answer in refused { #expect(try answer.reachedQuota == "quotas.runningSearches", "\(answer.text)") }
            #expect(try await ada.get("/v1/concerts/nearby?city=London").reachedQuota == "quotas.runningSearches")
            let list = try await ada.get("/v1/concert-searches").decode(JSON.self)
            #expect(list["items"]?.items?.count == 3)
            // This search has fresh answers, so it does not run.
            let fresh = try await ada.beginSearch(["Coldplay"])
            #expect(try await ada.endOfSearch(fresh).state == "complete")
            #expect(try await bob.post("/v1/concert-searches", tooMany).status == 202)

            #expect(try await ada.post("/v1/concert-searches/\(running[0])/cancel").status == 200)
            #expect(try await ada.quotas().runningSearches.used == 1)
            running.append(try await ada.beginSearch(["Nobody Number 3"]))
            #expect(try await ada.post("/v1/concert-searches/\(running[0])/retry").status == 429)
            try await concerts.startWorker()
            for id in running.dropFirst() { _ = try await ada.endOfSearch(id) }
            #expect(try await ada.quotas().runningSearches.used == 0)
            #expect(try await ada.post("/v1/concert-searches/\(running[0])/retry").status == 202)
        }
    }
}
