import Model
import Storage
import TestSupport
import Testing

@testable import Concerts

@Suite("Fresh answers")
struct FreshnessTests {
    @Test(
        "An answer is fresh for its lifetime; an answer dated in the future, by a clock that was ahead, never is",
        arguments: [(-60, true), (-3_601, false), (30 * 86_400, false)])
    func lifetimeOfAnswers(seconds: Int, isFresh: Bool) async throws {
        try await withDatabase { database, _ in
            let key = ConcertSearches.key(ofCity: "berlin", radius: 50)
            try await database.write { transaction in
                try transaction.concerts.storeAnswer(
                    targetKey: key, status: SearchOutcome.Coverage.complete.rawValue, warningCode: nil,
                    attractionID: nil, events: [], reach: .everything, now: .now().advanced(by: .seconds(seconds)))
            }
            let searches = ConcertSearches(freshness: .seconds(3_600))
            let answer = try await database.read { reader in
                try searches.freshNearby(city: "Berlin", cityKey: "berlin", radius: 50, in: reader) != nil
            }
            #expect(answer == isFresh)
        }
    }
}
