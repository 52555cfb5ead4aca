import Foundation
import TestProcesses
import Testing

@Suite("The daily quota", .timeLimit(.minutes(20)))
struct QuotaTests {
    @Test("A used-up quota causes a warning with its reset time, and no call is made until then")
    func namedReset() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.unknown, count: 4)
            let reset = Int(Date.now.timeIntervalSince1970 + 10_800)
            // The fault's time is in milliseconds.
            try await concerts.upstream.injectFault("quota429", extra: ["resetAt": reset * 1_000])
            let search = try await ada.search([names[0]])
            #expect(search.state == "failed")
            let warning = try #require(search.warnings.first)
            #expect(warning.code == "quotaExhausted" && warning.artist == names[0])
            #expect(warning.recovery.contains(Self.text(of: reset)), "\(warning.recovery)")

            // No worker makes a call for any artist, even after a restart.
            let calls = try await concerts.calls()
            _ = try await concerts.startWorker()
            let other = try await ada.search([names[1], names[2]])
            #expect(other.state == "failed")
            #expect(other.warnings.map(\.code) == ["quotaExhausted", "quotaExhausted"])
            #expect(other.warnings.allSatisfy { $0.recovery.contains(Self.text(of: reset)) }, "\(other.warnings)")
            for worker in concerts.base.running("concert-worker") {
                worker.kill()
                try await worker.waitForEnd()
            }
            _ = try await concerts.startWorker()
            #expect(try await ada.search([names[3]]).warnings.map(\.code) == ["quotaExhausted"])
            #expect(try await concerts.calls() == calls)
        }
    }

    @Test("A refusal without a reset time uses the reset time of an earlier answer")
    func storedReset() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.unknown, count: 2)
            // The simulator's day begins with the first call.
            let before = Int(Date.now.timeIntervalSince1970) + 86_400
            #expect(try await ada.search([names[0]]).state == "complete")
            let after = Int(Date.now.timeIntervalSince1970) + 86_401
            try await concerts.upstream.injectFault("quota429")
            let warning = try #require(try await ada.search([names[1]]).warnings.first)
            #expect(warning.code == "quotaExhausted")
            #expect((before...after).contains { warning.recovery.contains(Self.text(of: $0)) }, "\(warning.recovery)")
        }
    }

    @Test("A quota that is renewed while the search waits causes no warning")
    func renewalDuringASearch() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.unknown, count: 3)
            let reset = Int(Date.now.timeIntervalSince1970 * 1_000) + 20_000
            // The time is still in the future when the refusal arrives: after a time in the past, a quota counts as
            // used up for long.
            try await concerts.upstream.injectFault("quota429", extra: ["resetAt": reset, "times": 1])
            let search = try await ada.search(names)
            #expect(search.state == "complete" && search.warnings.isEmpty)
            #expect(try await concerts.upstream.counters().quota429 == 1)
        }
    }

    @Test("The configured daily quota applies to all workers, even after kill -9")
    func quotaOfAllWorkers() async throws {
        let setup = ConcertInstallation.Setup(worker: ["BACKLINE_UPSTREAMS_TICKETMASTER_REQUESTS_PER_DAY": "3"])
        try await ConcertInstallation.run(setup) { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.unknown, count: 8)
            // Either artist may be looked up first.
            #expect(try await ada.search(Array(names[..<5])).warnings.count { $0.code == "quotaExhausted" } == 2)
            #expect(try await concerts.calls() == 3)
            for worker in concerts.base.running("concert-worker") {
                worker.kill()
                try await worker.waitForEnd()
            }
            _ = try await concerts.startWorker()
            #expect(try await ada.search([names[5]]).warnings.map(\.code) == ["quotaExhausted"])
            #expect(try await concerts.calls() == 3)
            let permits = try await concerts.base.backline("permits").text
            #expect(permits.contains("3 of 3 requestsPerDay"), "\(permits)")
        }
    }

    /// A time in the form of a warning's text.
    private static func text(of seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
