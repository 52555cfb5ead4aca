import Hummingbird
import NIOCore
import Storage
import TestSupport
import Testing

@testable import Gateway
@testable import Jobs

@Suite("Reading for event streams", .timeLimit(.minutes(5)))
struct EventStreamReadTests {
    @Test("2,000 streams read once when they open, and only a person's own streams read their changes")
    func readsOfManyStreams() async throws {
        try await TestGateway.run { gateway in
            let queue = gateway.application.services.queue
            let reads = Collector<String>()
            let counting = EventSource(ItemKind("test"), topics: [ChangeTopic("test")]) { _, userID, _, _ in
                reads.append(userID)
                return []
            }
            let routes = EventRoutes(
                queue: queue, sources: [counting], credentials: gateway.application.services.credentials)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for person in 0..<200 {
                    for _ in 0..<10 {
                        let signals = queue.events.stream(userID: "user\(person)")
                        group.addTask {
                            var writer: any ResponseBodyWriter = CollectingWriter()
                            try await routes.send(
                                to: &writer, signals: signals, userID: "user\(person)",
                                from: .init(id: EventID(history: nil, change: 0))
                            ) { true }
                        }
                    }
                }
                await reads.wait(for: 2_000)
                for _ in 0..<100 {
                    try await gateway.database.write {
                        _ = try $0.nextChange()
                        $0.recordChange(of: ["user7"], topic: ChangeTopic("test"))
                    }
                    try await queue.dispatcher.pollChanges()
                }
                // Each of this person's streams reads at least once more.
                let all = await reads.wait(for: 2_010)
                #expect(Set(all.dropFirst(2_000)) == ["user7"])
                queue.events.close()
                try await group.waitForAll()
            }
            let counts = Dictionary(grouping: reads.elements) { $0 }.mapValues(\.count)
            #expect(counts.count == 200)
            for (person, count) in counts where person != "user7" { #expect(count == 10, "\(person)") }
        }
    }
}
