import Foundation
import TestProcesses
import Testing

@Suite("Searches in the event stream", .timeLimit(.minutes(20)))
struct SearchEventTests {
    @Test("A search's progress is sent only to its owner, until its end")
    func progressOfASearch() async throws {
        // The answers arrive one by one, the first long after the event of the search's start.
        let setup = ConcertInstallation.Setup(latencyMs: 3_000, worker: ["BACKLINE_WORKER_CONCURRENCY": "1"])
        try await ConcertInstallation.run(setup) { concerts in
            let ada = try await concerts.addUser("ada")
            let bob = try await concerts.addUser("bob")
            let names = try await concerts.upstream.artists(.unknown, count: 6)
            let stream = try await EventStream.open(ada)
            let others = try await EventStream.open(bob)
            let id = try await ada.beginSearch(names)
            try await stream.search(id, reaches: "complete")

            let events = stream.events
            #expect(events.allSatisfy { $0.name == "concertSearch" && $0.id != nil })
            let views = events.compactMap(\.search)
            #expect(views.count == events.count && views.allSatisfy { $0.id == id && $0.progress.total == 6 })
            let done = views.map(\.progress.done)
            #expect(done == done.sorted() && done.first == 0 && done.last == 6)
            #expect(done.count >= 3, "\(done)")
            #expect(views.dropLast().allSatisfy { $0.isRunning || $0.progress.done == 6 })
            #expect(views.last?.coverage.map(\.artist) == names)
            let ids = events.compactMap(\.change)
            #expect(ids == ids.sorted() && Set(ids).count == ids.count)

            let own = try await bob.beginSearch([names[0]])
            try await others.search(own, reaches: "complete")
            #expect(others.events.allSatisfy { $0.search?.id == own })
            stream.close()
            others.close()
        }
    }

    @Test("Changes whose messages are lost are found by polling, which also answers waiting requests")
    func lostMessages() async throws {
        let setup = ConcertInstallation.Setup(worker: ["BACKLINE_TEST_MESSAGE_FAULTS": "drop:CHANGED"])
        try await ConcertInstallation.run(setup) { concerts in
            let ada = try await concerts.addUser("ada")
            let bob = try await concerts.addUser("bob")
            let (stream, others) = (try await EventStream.open(ada), try await EventStream.open(bob))
            let names = try await concerts.upstream.artists(.unknown, count: 4)
            let id = try await ada.beginSearch(Array(names[..<3]))
            try await stream.search(id, reaches: "complete")
            let area = try await ada.concertsNearby("/v1/concerts/nearby?city=London")
            #expect(area.status == 200)
            // Any earlier event for bob would have arrived before this one.
            let own = try await bob.beginSearch([names[3]])
            try await others.search(own, reaches: "complete")
            #expect(others.events.allSatisfy { $0.search?.id == own })
            stream.close()
            others.close()
        }
    }

    @Test("A resumed stream gets the latest state of searches that changed since")
    func resumedStream() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.unknown, count: 3)
            let stream = try await EventStream.open(ada)
            let before = try await ada.beginSearch([names[0]])
            let seen = try #require(try await stream.search(before, reaches: "complete").id)
            stream.close()

            try await concerts.upstream.injectFault("html", match: ["keyword": names[2]])
            let missed = try #require(try await ada.search([names[1], names[2]]).id)
            try await concerts.stopWorkers()
            let cancelled = try await ada.beginSearch(["Coldplay"])
            _ = try await ada.post("/v1/concert-searches/\(cancelled)/cancel")
            let resumed = try await EventStream.open(ada, lastEventID: "\(seen)")
            try await resumed.search(cancelled, reaches: "cancelled")
            let told = resumed.events.compactMap(\.search)
            #expect(told.map(\.id) == [missed, cancelled])
            #expect(told.map(\.state) == ["partial", "cancelled"])
            #expect(told.first?.warnings.map(\.code) == ["invalidResponse"])

            // Later changes follow in the same stream.
            try await concerts.upstream.heal()
            try await concerts.startWorker()
            _ = try await ada.retrySearch(missed)
            try await resumed.search(missed, reaches: "complete")
            resumed.close()
        }
    }

    @Test("Searches with fresh answers and failed searches are also sent")
    func otherSearches() async throws {
        try await ConcertInstallation.run(.init(workerKey: nil)) { concerts in
            let ada = try await concerts.addUser()
            let stream = try await EventStream.open(ada)
            let failed = try await ada.beginSearch(["Coldplay", "Adele"])
            let event = try await stream.search(failed, reaches: "failed")
            #expect(event.search?.warnings.map(\.code) == ["ticketmasterKeyMissing", "ticketmasterKeyMissing"])
            _ = try await ada.get("/v1/concerts/nearby?city=London")
            try await stream.first("the end of the area") { $0.search?.id != failed && $0.search?.state == "failed" }
            stream.close()
        }
    }
}

extension ServerSentEvent {
    fileprivate var search: SearchView? {
        name == "concertSearch" ? try? JSONDecoder().decode(SearchView.self, from: Data(data.utf8)) : nil
    }
}

extension EventStream {
    /// Waits for the event of a search in a state.
    @discardableResult
    fileprivate func search(_ id: String, reaches state: String) async throws -> ServerSentEvent {
        try await first("an event of search \(id) being \(state)") { $0.search?.id == id && $0.search?.state == state }
    }
}
