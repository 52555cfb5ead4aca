import Domains
import Storage
import TestSupport
import Testing

@testable import Feed
@testable import FeedHTTP
@testable import Gateway
@testable import People

@Suite("Random histories of feeds", .timeLimit(.minutes(60)))
struct FeedHistoryTests {
    private static let (histories, steps) = (50, 40)

    /// The histories of a seed act in one database, a step of each at a time, so that 10,000 of them need no more commits
    /// than 200 would.
    @Test(
        "Every page and every device shows what a slow model does: each item once, in order, and none is missing",
        arguments: 0..<UInt64(Fuzzing.rounds(2, long: 200)))
    func histories(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let sources = FeedSources.samples
        let storage = try await TestDatabase(of: .tested)
        var database = storage.database
        database.register([EventSubscriber].people + [EventSubscriber].feed)
        var histories = (0..<Self.histories).map { number in
            FeedHistory(prefix: "\(seed)/\(number)/", seed: random.next())
        }
        try await database.write { [histories] in for history in histories { try history.addPeople(in: $0) } }
        let restart = Int.random(in: 0..<Self.steps, using: &random)
        for step in 0..<Self.steps {
            histories = try await database.write { [histories] transaction in
                var histories = histories
                for index in histories.indices { try histories[index].act(step: step, in: transaction) }
                return histories
            }
            if step == restart {
                database.close()
                database = try Database.open(path: storage.path, schema: Schema(of: .tested))
                database.register([EventSubscriber].people + [EventSubscriber].feed)
            }
            if step % 20 == 19 {
                for index in histories.indices where index % 5 == 0 {
                    try await histories[index].erase(in: database)
                }
            }
            // Those who are checked at a step have missed what happened in a few steps before.
            let checked = Set(histories.indices.filter { _ in Bool.random(using: &random) })
            let isLast = step == Self.steps - 1
            histories = try await database.read { [histories] reader in
                var histories = histories
                for index in histories.indices where isLast || checked.contains(index) {
                    try histories[index].check(sources, in: reader, "history \(histories[index].prefix), step \(step)")
                }
                return histories
            }
        }
        database.close()
        #expect(histories.contains { $0.readTogether > 0 }, "no device has read with others")
    }
}
