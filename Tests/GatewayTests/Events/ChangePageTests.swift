import Hummingbird
import Model
import Storage
import TestSupport
import Testing

@testable import Gateway
@testable import Jobs

@Suite("Changes with one number")
struct ChangePageTests {
    /// A source of changes that a test chooses, each with its number and id. It cuts them at the limit as sources do.
    private func source(
        _ changes: [(number: Int64, id: String)], kind: String = "test", overfills: Bool = false
    ) -> EventSource {
        EventSource(ItemKind(kind), topics: nil) { _, _, after, limit in
            let found = changes.filter { $0.number > after }
            var count = min(limit, found.count)
            if overfills, count > 0 {
                // Some sources add the rest of the last number.
                while count < found.count, found[count].number == found[count - 1].number { count += 1 }
            }
            return found.prefix(count).map { EventSource.Change(number: $0.number, id: $0.id, data: Array("{}".utf8)) }
        }
    }

    /// What all pages have, and their ends.
    private func pages(
        of sources: [EventSource], in database: Database
    ) async throws -> (changes: [ItemChange], ends: [Int64]) {
        try await database.read { reader in
            var (changes, ends, after): ([ItemChange], [Int64], Int64) = ([], [], 0)
            while true {
                let page = try ChangePage(of: sources, userID: "ada", after: after, in: reader)
                changes += page.changes
                guard let end = page.end else { return (changes, ends) }
                #expect(end > after && page.changes.allSatisfy { $0.change > after && $0.change <= end })
                ends.append(end)
                after = end
            }
        }
    }

    @Test(
        "Pages have every change once, wherever numbers with several changes are, and however many these are",
        arguments: Fuzzing.seeds())
    func wholeNumbers(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        try await TestGateway.run { gateway in
            for round in 0..<30 {
                let sources = (0..<Int.random(in: 1...3, using: &random)).map { kind in
                    var (changes, number): ([(number: Int64, id: String)], Int64) = ([], 0)
                    while changes.count < Int.random(in: 0...450, using: &random) {
                        number += Int64.random(in: 1...5, using: &random)
                        let several = [1, 1, 1, 2, 3, 99, 100, 101, 230].randomElement(using: &random) ?? 1
                        changes += (0..<several).map { (number: number, id: "\(number)/\($0)") }
                    }
                    return (
                        source(changes, kind: "kind\(kind)", overfills: Bool.random(using: &random)), changes
                    )
                }
                let found = try await pages(of: sources.map(\.0), in: gateway.database).changes
                for (kind, (_, changes)) in sources.enumerated() {
                    let own = found.filter { $0.kind.name == "kind\(kind)" }
                    // Also in their order.
                    #expect(own.map(\.id) == changes.map(\.id), "round \(round), source \(kind)")
                }
                #expect(found.map(\.change) == found.map(\.change).sorted())
            }
        }
    }

    @Test("A number that two sources share is not divided, although one of them has a further page")
    func sharedNumber() async throws {
        let size = ChangePage.size
        let numbers = (1...Int64(size)).map { (number: $0, id: "one \($0)") }
        let one = source(numbers + [(Int64(size), "one more")], kind: "one")
        let other = source([(Int64(size), "other"), (Int64(size) + 1, "last")], kind: "other")
        try await TestGateway.run { gateway in
            let (changes, ends) = try await pages(of: [one, other], in: gateway.database)
            #expect(ends == [Int64(size) - 1])
            #expect(changes.suffix(4).map(\.id) == ["one \(size)", "one more", "other", "last"])
        }
    }

    /// The events of a stream that begins at a position, each with its id.
    private func events(
        of source: EventSource, from position: EventID, in gateway: TestGateway
    ) async throws -> [(id: String, kind: String)] {
        let services = gateway.application.services
        let routes = EventRoutes(queue: services.queue, sources: [source], credentials: services.credentials)
        let writer = CollectingWriter()
        let signals = services.queue.events.stream(userID: "ada")
        signals.close()
        var body: any ResponseBodyWriter = writer
        try await routes.send(to: &body, signals: signals, userID: "ada", from: .init(id: position)) { true }
        let blocks = String(decoding: writer.bytes, as: UTF8.self).split(separator: "\n\n").dropFirst()
        return blocks.map { block in
            let lines = block.split(separator: "\n")
            func value(_ field: String) -> String {
                lines.first { $0.hasPrefix(field) }.map { String($0.dropFirst(field.count)) } ?? ""
            }
            return (value("id: "), value("event: "))
        }
    }

    @Test("Wherever a stream is cut, whoever resumes at the last id misses no event")
    func cutStreams() async throws {
        let changes: [(number: Int64, id: String)] = [
            (3, "a"), (5, "b"), (5, "c"), (5, "d"), (8, "e"), (9, "f"), (9, "g"),
        ]
        try await TestGateway.run { gateway in
            let source = source(changes)
            let start = EventID(history: nil, change: 0)
            let all = try await events(of: source, from: start, in: gateway)
            #expect(all.map(\.id) == ["3", "5.", "5.", "5", "8", "9.", "9"])
            for count in 0...all.count {
                let received = all.prefix(count)
                let last = try #require(received.last.map { EventID($0.id) } ?? start)
                let rest = try await events(of: source, from: last.ofWholeChange, in: gateway)
                // Only events of a change that was cut come again.
                let again = received.count { EventID($0.id)?.change == last.change && last.isPart }
                #expect(count - again + rest.count == all.count, "\(count)")
                #expect(rest.map(\.id) == all.suffix(rest.count).map(\.id), "\(count)")
            }
        }
    }
}
