import Foundation
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("Messages through kills of the gateway", .timeLimit(.minutes(20)))
struct MessageProcessTests {
    private struct Message: Decodable, Sendable {
        var id: String
        var number: Int
        var isMine: Bool
        var state: String
        var text: String?
    }

    private struct Page: Decodable, Sendable {
        var items: [Message]
        var nextCursor: String?
        var gapBefore: Bool
    }

    private struct Thread: Decodable, Sendable {
        var id: String
        var state: String
        var unread: Int
    }

    private struct Line: Decodable, Sendable {
        var kind: String?
        var id: String?
        var seq: Int?
        var item: Message?
        var since: String?
    }

    private struct NoAnswer: Error {}

    /// A client's id with a number.
    private static func clientID(_ number: Int) -> String {
        "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
    }

    /// Sends a message until it has an answer, as an app does whose connection breaks.
    private static func deliver(_ number: Int, in thread: String, by person: APIClient) async throws -> Message {
        let path = "/v1/threads/\(thread)/messages/\(clientID(number))"
        let body = Array(#"{"text":"Text \#(number)"}"#.utf8)
        for _ in 0..<3_000 {
            if let answer = try? await person.send(.PUT, path, body: body), [200, 201].contains(answer.status) {
                return try answer.decode()
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NoAnswer()
    }

    private static func deliver(
        _ numbers: Range<Int>, in thread: String, by person: APIClient
    ) async throws -> [Message] {
        var messages: [Message] = []
        for number in numbers { messages.append(try await deliver(number, in: thread, by: person)) }
        return messages
    }

    private func lines(of person: APIClient, since: String? = nil) async throws -> [Line] {
        let path = "/v1/changes?kinds=message" + (since.map { "&since=\($0)" } ?? "")
        let body = try await person.get(path).body
        return String(decoding: body, as: UTF8.self).split(separator: "\n").map {
            // Lines of other kinds of changes have no message.
            (try? JSONDecoder().decode(Line.self, from: Data($0.utf8))) ?? Line()
        }
    }

    private func messages(of thread: String, seenBy person: APIClient) async throws -> [Message] {
        var (messages, cursor): ([Message], String?) = ([], nil)
        repeat {
            let query = cursor.map { "&cursor=\($0)" } ?? ""
            let page: Page = try await person.get("/v1/threads/\(thread)/messages?limit=7\(query)").decode()
            messages += page.items
            cursor = page.nextCursor
        } while cursor != nil
        return messages
    }

    @Test("None is lost, doubled or out of order, on a device that listens and on one that was offline")
    func kills() async throws {
        try await Installation.run { installation in
            var gateway = try await installation.startGateway()
            let (ada, ben) = (try await installation.addUser("ada"), try await installation.addUser("ben"))
            #expect(try await ada.send(.PUT, "/v1/users/ben/follow").status == 200)
            #expect(try await ben.send(.PUT, "/v1/users/ada/follow").status == 200)
            let opened: Thread = try await ada.send(.PUT, "/v1/users/ben/thread").decode()
            let thread = opened.id
            let phone = try #require(try await lines(of: ben).last?.since)
            let stream = try await EventStream.open(ben)

            async let ofAda = Self.deliver(0..<25, in: thread, by: ada)
            async let ofBen = Self.deliver(100..<125, in: thread, by: ben)
            for delay in [40, 90, 160] {
                try await Task.sleep(for: .milliseconds(delay))
                gateway.kill()
                try await gateway.waitForEnd()
                gateway = try await installation.startGateway()
            }
            let sent = (try await ofAda, try await ofBen)
            // Each person's messages are in the order in which they were sent.
            for own in [sent.0, sent.1] { #expect(own.map(\.number) == own.map(\.number).sorted()) }
            let all = (sent.0 + sent.1).sorted { $0.number > $1.number }
            for person in [ada, ben] {
                let found = try await messages(of: thread, seenBy: person)
                #expect(found.map(\.id) == all.map(\.id))
                #expect(Set(found.compactMap(\.text)).count == 50)
            }

            // The phone was offline all the time.
            let caughtUp = try await lines(of: ben, since: phone)
            let numbers = caughtUp.compactMap(\.seq)
            #expect(numbers == numbers.sorted())
            #expect(caughtUp.compactMap(\.item?.id) == all.reversed().map(\.id))
            let end = try #require(caughtUp.last?.since)
            #expect(try await lines(of: ben, since: end).allSatisfy { $0.item == nil })

            // The computer listened, and listens again from where its stream broke.
            let again = try await EventStream.open(ben, lastEventID: stream.position)
            let heard = try await eventually("all messages") { () -> [String]? in
                let ids = (stream.events + again.events).filter { $0.name == "message" }.compactMap {
                    $0.json?["id"]?.text
                }
                return ids.count >= all.count ? ids : nil
            }
            #expect(heard == all.reversed().map(\.id))
            again.close()

            // All effects are there once for each message.
            let counts = try await installation.withDatabase { database in
                try await database.read { reader in
                    try ["messages", "message_acts", "notification_events"].map { (table: StaticString) in
                        try reader.row("SELECT COUNT(*) AS count FROM \(trusted: table)")?["count"] as Int? ?? 0
                    }
                }
            }
            #expect(counts[0] == 50 && (2...4).contains(counts[1]))
            // Whoever writes has read what came before: notifications are left of what came after.
            let (lastOfAda, lastOfBen) = (sent.0.last?.number ?? 0, sent.1.last?.number ?? 0)
            let unread = sent.0.count { $0.number > lastOfBen } + sent.1.count { $0.number > lastOfAda }
            #expect(counts[2] == unread + 2, "one for each message that is new, and two for follows")
            gateway.kill()
            try await gateway.waitForEnd()
        }
    }

    @Test("A backup has no key and shows no text, and a rotation of the key runs beside the gateway")
    func backups() async throws {
        try await Installation.run { installation in
            let gateway = try await installation.startGateway()
            let ada = try await installation.addUser("ada")
            _ = try await installation.addUser("ben")
            let opened: Thread = try await ada.send(.PUT, "/v1/users/ben/thread").decode()
            let body = Array(#"{"text":"Extraordinary words"}"#.utf8)
            let path = "/v1/threads/\(opened.id)/messages/\(Self.clientID(1))"
            #expect(try await ada.send(.PUT, path, body: body).status == 201)
            let copy = installation.folder + "/backups/copy.sqlite"
            try FileManager.default.createDirectory(
                atPath: installation.folder + "/backups", withIntermediateDirectories: true)
            #expect(try await installation.command("backup", copy).end == .exited(0))
            let files = try FileManager.default.contentsOfDirectory(atPath: installation.folder + "/backups")
            #expect(!files.contains { $0.contains("key") })
            let bytes = FileManager.default.contents(atPath: copy) ?? Data()
            #expect(!bytes.isEmpty && bytes.range(of: Data("Extraordinary".utf8)) == nil)

            let rotated = try await installation.command("vault", "rotate", "--texts")
            #expect(rotated.end == .exited(0))
            let page: Page = try await ada.get("/v1/threads/\(opened.id)/messages").decode()
            #expect(page.items.map(\.text) == ["Extraordinary words"])
            gateway.kill()
            try await gateway.waitForEnd()
        }
    }
}
