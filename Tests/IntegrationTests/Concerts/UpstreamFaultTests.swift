import Foundation
import TestProcesses
import Testing

@Suite("Upstream faults", .timeLimit(.minutes(20)))
struct UpstreamFaultTests {
    /// A fault of one artist's calls, and its warning.
    struct Case: Sendable, CustomTestStringConvertible {
        var fault: String
        var extra: [String: Int] = [:]
        /// Settings of the workers for this fault.
        var settings: [String: String] = [:]
        var code: String
        /// Words of the message and of the recovery.
        var message: String
        var recovery: String

        var testDescription: String { fault }

        static let all = [
            Case(fault: "html", code: "invalidResponse", message: "could not be read", recovery: "report it"),
            Case(
                fault: "slow", extra: ["ms": 60_000], settings: ["BACKLINE_UPSTREAMS_TICKETMASTER_TIMEOUT_MS": "5000"],
                code: "networkError", message: "reached", recovery: "internet connection"),
        ]
    }

    @Test(
        "A fault for one artist causes a warning, the others are complete, processes survive, and a retry succeeds",
        arguments: Case.all)
    func oneArtist(_ fault: Case) async throws {
        try await ConcertInstallation.run(.init(worker: fault.settings)) { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.unknown, count: 3)
            try await concerts.upstream.injectFault(fault.fault, match: ["keyword": names[1]], extra: fault.extra)
            let search = try await ada.search(names)
            #expect(search.state == "partial")
            #expect(search.coverage.map(\.status) == ["complete", "failed", "complete"])
            #expect(search.warnings.map(\.artist) == [names[1]])
            let warning = try #require(search.warnings.first)
            #expect(warning.code == fault.code)
            #expect(warning.message.contains(fault.message), "\(warning.message)")
            #expect(warning.recovery.contains(fault.recovery), "\(warning.recovery)")
            #expect(Set((search.items ?? []).map(\.artistName)) == [names[0], names[2]])
            // A call that fails is tried at most four times.
            #expect((1...4).contains(try await concerts.upstream.counters().keywords[names[1]] ?? 0))

            try await concerts.upstream.heal()
            let mended = try await ada.retrySearch(try #require(search.id))
            #expect(mended.state == "complete" && mended.warnings.isEmpty)
            #expect(mended.items?.contains { $0.artistName == names[1] } == true)
        }
    }

    @Test(
        "A short fault causes no warning",
        arguments: [("drop", 2), ("spike429", 1), ("closeAfterResponse", 9)])
    func shortFault(_ fault: String, times: Int) async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.unknown, count: 3)
            try await concerts.upstream.injectFault(fault, extra: ["times": times, "retryAfter": 1])
            let search = try await ada.search(names)
            #expect(search.state == "complete" && search.warnings.isEmpty)
            #expect(Set((search.items ?? []).map(\.artistName)) == Set(names))
            // A closed connection repeats a call only if its answer was lost.
            let isLost = fault != "closeAfterResponse"
            #expect(try await concerts.calls() == 3 + (isLost ? times : 0))
        }
    }

    @Test("A failed lookup keeps the known shows")
    func knownRows() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let names = ["Coldplay", "Adele", "Muse"]
            let before = try await ada.shows(ofSearch: try #require(try await ada.search(names).id))
            try await concerts.age(byHours: 7)
            try await concerts.upstream.injectFault("html")
            let search = try await ada.search(names)
            #expect(search.state == "failed")
            #expect(search.warnings.map(\.artist) == names)
            #expect(try await ada.shows(ofSearch: try #require(search.id)) == before)
            // A failed answer is not fresh: the next search looks the artist up again.
            try await concerts.upstream.heal()
            let calls = try await concerts.calls()
            let later = try await ada.search(names)
            #expect(later.state == "complete" && later.warnings.isEmpty)
            #expect(try await concerts.calls() > calls)
            #expect(try await ada.shows(ofSearch: try #require(later.id)) == before)
        }
    }

    @Test("An artist with a missing page keeps the other pages, and is complete after a retry")
    func missingPage() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.tireless, count: 1)
            let attraction = try #require(try await concerts.upstream.attractionIDs(named: names[0]).first)
            let expected = try await concerts.upstream.eventIDs(ofAttraction: attraction)
            // The first page by the id arrives, but the second does not.
            try await concerts.upstream.injectFault(
                "slow", match: ["attractionId": attraction], extra: ["times": 1, "ms": 0])
            try await concerts.upstream.injectFault("html", match: ["attractionId": attraction])
            let search = try await ada.search(names)
            #expect(search.state == "partial")
            #expect(search.coverage.map(\.status) == ["partial"])
            #expect(search.warnings.map(\.code) == ["invalidResponse"])
            let kept = try await concerts.storedEventIDs(ofArtist: "transsiberianorchestra")
            #expect(kept.count >= 200 && kept.count < expected.count && kept.isSubset(of: expected))

            try await concerts.upstream.heal()
            let mended = try await ada.retrySearch(try #require(search.id))
            #expect(mended.state == "complete" && mended.warnings.isEmpty)
            #expect(try await concerts.storedEventIDs(ofArtist: "transsiberianorchestra") == expected)
        }
    }

    @Test("An upstream that is down is not called for every half of a split call")
    func upstreamIsDown() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.popular, count: 16)
            #expect(try await ada.search(names).state == "complete")
            try await concerts.age(byHours: 7)
            let calls = try await concerts.calls()
            try await concerts.upstream.injectFault("status500")
            let search = try await ada.search(names)
            #expect(search.state == "failed")
            #expect(search.warnings.map(\.artist) == names)
            #expect(search.warnings.allSatisfy { $0.code == "upstreamError" })
            // One call for each of 31 parts, four times, would make 124.
            #expect(try await concerts.calls() - calls <= 12)
        }
    }

    @Test("An unreachable upstream causes a warning for each artist, and processes survive")
    func unreachableUpstream() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let known = try await ada.search(["Coldplay"])
            try await concerts.age(byHours: 7)
            let names = ["Coldplay", "Adele"]
            concerts.upstream.process.kill()
            try await concerts.upstream.process.waitForEnd()
            let search = try await ada.search(names)
            #expect(search.state == "failed")
            #expect(search.warnings.map(\.artist) == names)
            #expect(search.warnings.map(\.code) == ["networkError", "networkError"])
            #expect(search.items == known.items)
            #expect(try await ada.submit(Echo.job(1), wait: 30).state == "succeeded")
        }
    }
}
