import TestProcesses
import TestSupport
import Testing

@Suite("Fair places for people's jobs", .timeLimit(.minutes(20)))
struct FairSlotsTests {
    @Test("One person's thousand long jobs delay neither another's job nor their search")
    func thousandJobs() async throws {
        try await ConcertInstallation.run { concerts in
            let (ada, bob) = (try await concerts.addUser("ada"), try await concerts.addUser("bob"))
            for first in stride(from: 0, to: 1_000, by: 500) {
                let jobs = (first..<first + 500).map { Echo.job($0, sleepMs: 5_000, extra: "\"priority\":9") }
                _ = try await ada.submitBatch(#"{"jobs":[\#(jobs.joined(separator: ","))]}"#)
            }
            try await eventually("the places to be taken") { try await ada.summary().running >= 2 }
            for number in 0..<3 {
                let mine = try await bob.submit(Echo.job(number, extra: "\"priority\":-100"), wait: 30)
                #expect(mine.state == "succeeded")
            }
            let name = try #require(try await concerts.upstream.artists(.unknown, count: 1).first)
            #expect(try await bob.search([name]).state == "complete")
            // The other person's jobs still wait, and would have taken the places.
            let summary = try await ada.summary()
            #expect(summary.unfinished > 0 && summary.running > 0, "\(summary)")
            // Once the worker has measured that the jobs are long, it runs only as many as one person's share.
            try await eventually("the worker to hold what it runs") { try await ada.summary().running <= 11 }
        }
    }
}
