import DomainEvents
import Model
import Storage
import TestSupport
import Testing

@testable import Visibility

@Suite("What other domains learn of a block")
struct BlockEventTests {
    private struct Refusal: Error {}

    @Test("A block is published once, in its transaction, and an error of a subscriber undoes it")
    func publishedOnce() async throws {
        try await withDatabase { database in
            let people = try await database.write { try $0.addPeople(3) }
            database.register([
                EventSubscriber(PeopleBlocked.self) { block, transaction in
                    guard block.blockedID != people[2].userID else { throw Refusal() }
                    try transaction.recordGone(
                        ItemKind("block"), ids: ["\(block.blockerID), \(block.blockedID)"], userID: "witness")
                }
            ])
            let published = [people[0].userID, people[1].userID].joined(separator: ", ")
            for _ in 0..<2 {
                try await database.write {
                    try $0.visibility.block(people[1].key, by: people[0].key, now: .now())
                }
                let found = try await database.read { try $0.goneItems(userID: "witness", after: 0, limit: 10) }
                #expect(found.map(\.id) == [published])
            }
            await #expect(throws: Refusal.self) {
                try await database.write {
                    try $0.visibility.block(people[2].key, by: people[0].key, now: .now())
                }
            }
            let isBlocked = try await database.read {
                try $0.visibility.isBlocked(between: people[0].key, and: people[2].key)
            }
            #expect(!isBlocked)
        }
    }
}
