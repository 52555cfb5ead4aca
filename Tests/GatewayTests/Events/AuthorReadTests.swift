import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Storage
import TestSupport
import Testing
import Visibility

@testable import Feed
@testable import Gateway
@testable import Jobs

@Suite("What followers' streams read when an author changes", .timeLimit(.minutes(5)))
struct AuthorReadTests {
    /// A person's open stream.
    private struct OpenStream {
        let parts: Collector<String>
        let task: Task<Void, any Error>

        /// The kinds of its events.
        var events: [String] {
            parts.elements.joined().split(separator: "\n").compactMap { line in
                line.hasPrefix("event: ") ? String(line.dropFirst("event: ".count)) : nil
            }
        }
    }

    /// Collects what a stream sends.
    private final class PartWriter: ResponseBodyWriter, Sendable {
        let parts: Collector<String>

        init(_ parts: Collector<String>) { self.parts = parts }

        func write(_ part: ByteBuffer) async throws { parts.append(String(buffer: part)) }

        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    /// Opens the streams of people, and returns once all have read what they missed. Each read of one person alone is
    /// added to `reads`.
    private static func open(
        _ names: [String], _ people: PeopleFixture, reads: Collector<String>
    ) async throws -> [String: OpenStream] {
        let (gateway, queue) = (people.gateway, people.gateway.application.services.queue)
        let counting = EventSource(ItemKind("test"), topics: nil) { _, userID, _, _ in
            reads.append(userID)
            return []
        }
        let routes = EventRoutes(
            queue: queue, sources: gateway.application.domains.flatMap(\.eventSources) + [counting],
            credentials: gateway.application.services.credentials)
        let last = try await gateway.database.read { try $0.lastChange() }
        var streams: [String: OpenStream] = [:]
        for name in names {
            let (userID, parts) = (try people.id(of: name), Collector<String>())
            let signals = queue.events.stream(userID: userID)
            let task = Task {
                var writer: any ResponseBodyWriter = PartWriter(parts)
                try await routes.send(
                    to: &writer, signals: signals, userID: userID, from: .init(id: EventID(history: nil, change: last))
                ) { true }
            }
            streams[name] = OpenStream(parts: parts, task: task)
        }
        await reads.wait(for: names.count)
        return streams
    }

    @Test("A share is one event on the streams of followers, who read it together, and none on those of others")
    func share() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo", "dora"]) { people in
            for name in ["bea", "cleo"] { try await people.follow("ada", as: name) }
            let reads = Collector<String>()
            let streams = try await Self.open(["bea", "cleo", "dora"], people, reads: reads)
            let id = try await people.share(as: "ada")
            let queue = people.gateway.application.services.queue
            for name in ["bea", "cleo"] {
                // The opening, and the share.
                let parts = try #require(streams[name]).parts
                #expect(await parts.wait(for: 2)[1].contains(id))
            }
            // Neither does a poll find more.
            try await queue.dispatcher.pollChanges()
            queue.events.close()
            for stream in streams.values { try await stream.task.value }
            #expect(streams.mapValues(\.events) == ["bea": ["feedItem"], "cleo": ["feedItem"], "dora": []])
            #expect(reads.elements.count == 3, "nobody reads alone, but for what was missed before the opening")
        }
    }

    @Test("A changed profile is one event on the streams of followers")
    func profile() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            try await people.follow("ada", as: "bea")
            let reads = Collector<String>()
            let streams = try await Self.open(["bea", "cleo"], people, reads: reads)
            let ada = try people.id(of: "ada")
            try await people.gateway.database.write { try $0.visibility.recordProfile(ofUser: ada) }
            #expect(await streams["bea"]?.parts.wait(for: 2)[1].contains(ada) == true)
            people.gateway.application.services.queue.events.close()
            for stream in streams.values { try await stream.task.value }
            #expect(streams.mapValues(\.events) == ["bea": ["person"], "cleo": []])
            #expect(reads.elements.count == 2)
        }
    }

    @Test("A changed profile is an event of the thread on the stream of who writes with the person, without a follow")
    func thread() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            let thread = try await people.thread("ada", as: "bea")
            #expect(try await people.write(1, "May I?", in: thread, as: "bea").status == .created)
            let reads = Collector<String>()
            let streams = try await Self.open(["bea", "cleo"], people, reads: reads)
            let ada = try people.id(of: "ada")
            try await people.gateway.database.write { _ = try $0.visibility.suspend(userID: ada) }
            #expect(await streams["bea"]?.parts.wait(for: 2)[1].contains(#""state":"closed""#) == true)
            people.gateway.application.services.queue.events.close()
            for stream in streams.values { try await stream.task.value }
            #expect(streams.mapValues(\.events) == ["bea": ["thread"], "cleo": []])
        }
    }

    /// The changes of people after a number, as text: read together, without those who have to be read alone; and read
    /// alone.
    private static func changes(
        of names: [String], after change: Int64, _ people: PeopleFixture
    ) async throws -> (together: [String: [String]], alone: [String: [String]]) {
        let sources = people.gateway.application.domains.flatMap(\.eventSources)
        let readers = try names.map { ChangeReader(userID: try people.id(of: $0), after: change) }
        let (together, alone) = try await people.gateway.database.read { reader in
            (
                try ChangePage.authorPages(of: sources, for: readers, in: reader),
                try readers.map { try ChangePage(of: sources, userID: $0.userID, after: change, in: reader) }
            )
        }
        var found: (together: [String: [String]], alone: [String: [String]]) = ([:], [:])
        for (index, name) in names.enumerated() {
            found.together[name] = together[readers[index]]?.changes.map(\.text)
            found.alone[name] = alone[index].changes.map(\.text)
        }
        return found
    }

    @Test("Read together, everybody gets what they would get alone, with what differs between them")
    func together() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo", "dora", "eve", "fay", "gil"]) { people in
            let followers = ["bea", "cleo", "dora", "eve", "fay"]
            for name in followers { try await people.follow("ada", as: name) }
            // One has blocked who reacts, one is followed, and one has muted shares.
            _ = try await people.send(.put, "/v1/users/eve/block", as: "bea")
            try await people.follow("cleo", as: "ada")
            let (dora, ada) = (try people.id(of: "dora"), try people.id(of: "ada"))
            try await people.gateway.database.write { try $0.feed.mute(.share, of: dora, now: .now()) }
            let before = try await people.gateway.database.read { try $0.lastChange() }
            let id = try await people.share(as: "ada")
            let reacted = try await people.send(
                .put, "/v1/shares/\(id)/reaction", as: "eve", body: #"{"reaction":"heart"}"#)
            #expect(reacted.status == .noContent)
            try await people.gateway.database.write { try $0.visibility.recordProfile(ofUser: ada) }
            let found = try await Self.changes(of: followers + ["gil"], after: before, people)
            // Of the one who reacted more has changed than authors.
            #expect(found.together["eve"] == nil && found.alone["eve"]?.count == 3)
            for name in ["bea", "cleo", "dora", "fay", "gil"] {
                #expect(found.together[name] == found.alone[name], "\(name)")
            }
            #expect(found.alone.mapValues(\.count) == ["bea": 2, "cleo": 2, "dora": 1, "eve": 3, "fay": 2, "gil": 0])
            func shown(_ name: String) -> String { found.together[name]?.first { $0.contains(id) } ?? "" }
            #expect(shown("bea").contains(#""heart":0"#) && shown("fay").contains(#""heart":1"#))
            #expect(shown("cleo").contains(#""followsMe":true"#) && shown("fay").contains(#""followsMe":false"#))
        }
    }

    @Test("Nobody gets a share by a read together who may not see it at that moment")
    func closedProfile() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo"]) { people in
            for name in ["bea", "cleo"] { try await people.follow("ada", as: name) }
            let before = try await people.gateway.database.read { try $0.lastChange() }
            let id = try await people.share(as: "ada")
            func ids() async throws -> [String: Bool] {
                try await Self.changes(of: ["bea", "cleo"], after: before, people).together
                    .mapValues { $0.contains { $0.contains(id) } }
            }
            #expect(try await ids() == ["bea": true, "cleo": true])
            _ = try await people.send(.put, "/v1/users/bea/block", as: "ada")
            #expect(try await ids() == ["cleo": true])
            try await people.setVisibility(.private, of: "ada")
            // That the profile has closed is read alone.
            #expect(try await ids() == [:])
            let alone = try await Self.changes(of: ["bea", "cleo"], after: before, people).alone
            #expect(!alone.values.joined().contains { $0.contains(id) })
        }
    }
}

extension ItemChange {
    fileprivate var text: String {
        let content =
            switch state {
            case .item(let json): String(decoding: json, as: UTF8.self)
            case .gone: "gone"
            case .reset: "reset"
            }
        return "\(change) \(kind.name) \(id) \(content)"
    }
}
