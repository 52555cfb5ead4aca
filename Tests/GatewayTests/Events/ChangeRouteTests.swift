import Accounts
import Concerts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Model
import Storage
import Testing

@testable import Gateway

@Suite("Changes since a position")
struct ChangeRouteTests {
    private struct Line: Decodable {
        struct Item: Decodable {
            var id: String
        }

        var kind: String?
        var id: String?
        var seq: Int?
        var item: Item?
        var gone: Bool?
        var reset: [String]?
        var end: Int?
        var since: String?
    }

    private func signedIn(_ gateway: TestGateway) async throws -> (userID: String, headers: HTTPFields) {
        let token = try await gateway.addUser("ada")
        let user = try #require(try await gateway.application.services.credentials.user(for: token))
        return (user.id, [.authorization: "Bearer \(token.secret.reveal())"])
    }

    private func read(
        _ query: String = "", _ client: any TestClientProtocol, _ headers: HTTPFields
    ) async throws -> [Line] {
        let answer = try await client.execute(uri: "/v1/changes\(query)", method: .get, headers: headers)
        #expect(answer.status == .ok)
        return try String(buffer: answer.body).split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    private func addSearch(_ id: String, of userID: String, in database: Database) async throws {
        try await database.write { transaction in
            try transaction.run(
                """
                INSERT INTO concert_searches (id, user_id, kind, created_at, change)
                VALUES (\(id), \(userID), 'artists', \(Timestamp.now()), \(try transaction.nextChange()))
                """)
            transaction.recordChange(of: [userID], topic: .concerts)
        }
    }

    @Test("Items come in the order of their changes, and what is gone is named once it was known")
    func changes() async throws {
        try await TestGateway.run { gateway in
            let (userID, headers) = try await signedIn(gateway)
            try await gateway.withClient { client in
                let empty = try await read("", client, headers)
                #expect(empty.count == 1 && empty.last?.since == "\(empty.last?.end ?? -1)")
                try await gateway.database.write { transaction in
                    try transaction.recordGone(ItemKind("curatedList"), ids: ["one", "two"], userID: userID)
                    try transaction.recordGone(ItemKind("curatedList"), ids: ["theirs"], userID: "somebody")
                }
                let since = try #require(empty.last?.since)
                let lines = try await read("?since=\(since)", client, headers)
                #expect(lines.compactMap(\.id) == ["one", "two"] && lines.allSatisfy { $0.item == nil })
                #expect(lines.dropLast().allSatisfy { $0.gone == true && $0.kind == "curatedList" })
                let numbers = lines.compactMap(\.seq)
                #expect(numbers == numbers.sorted() && (lines.last?.end ?? 0) >= numbers.last ?? .max)
                // Nothing twice, and nothing to remove for a client that knows nothing.
                #expect(try await read("?since=\(try #require(lines.last?.since))", client, headers).count == 1)
                #expect(try await read("", client, headers).count == 1)
                #expect(try await read("?since=\(since)&kinds=libraryImport", client, headers).count == 1)
            }
        }
    }

    @Test("An item comes once, as it is now, and other people's never")
    func items() async throws {
        try await TestGateway.run { gateway in
            let (userID, headers) = try await signedIn(gateway)
            let (own, theirs) = (UUIDv7.next(), UUIDv7.next())
            try await addSearch(own, of: userID, in: gateway.database)
            try await addSearch(theirs, of: "somebody", in: gateway.database)
            try await gateway.withClient { client in
                let lines = try await read("?kinds=concertSearch", client, headers)
                #expect(lines.compactMap(\.id) == [own] && lines.first?.item?.id == own)
                try await gateway.database.write { transaction in
                    try transaction.run(
                        """
                        UPDATE concert_searches SET cancelled_at = 1, change = \(try transaction.nextChange())
                        WHERE id = \(own)
                        """)
                    transaction.recordChange(of: [userID], topic: .concerts)
                }
                let since = try #require(lines.last?.since)
                let later = try await read("?since=\(since)", client, headers)
                #expect(later.compactMap(\.id) == [own] && (later.first?.seq ?? 0) > (lines.first?.seq ?? .max))
            }
        }
    }

    @Test("An unknown history, and a position older than what is known to be gone, are answered with reset")
    func reset() async throws {
        try await TestGateway.run { gateway in
            let (userID, headers) = try await signedIn(gateway)
            let month = Timestamp.now().advanced(by: .seconds(-31 * 86_400))
            try await gateway.database.write { transaction in
                try transaction.recordGone(ItemKind("note"), ids: ["old"], userID: userID, now: month)
                try transaction.recordGone(ItemKind("note"), ids: ["new"], userID: userID)
            }
            let pruned = try await gateway.database.write {
                try $0.pruneGoneItems(before: .unguarded(.now().advanced(by: .zero - goneItemRetention)), limit: 100)
            }
            #expect(pruned == 1)
            try await gateway.withClient { client in
                let current = try #require(try await read("", client, headers).last?.end)
                for position in ["0", "abc-1", "\(current + 1)"] {
                    let lines = try await read("?since=\(position)&kinds=curatedList,setup", client, headers)
                    #expect(lines.count == 2 && lines.first?.reset == ["setup", "curatedList"])
                    #expect(lines.last?.end == current)
                }
                #expect(try await read("?since=\(current)", client, headers).count == 1)
                for wrong in ["?since=", "?since=x%20y", "?since=-1", "?kinds=", "?kinds=songs"] {
                    let answer = try await client.execute(uri: "/v1/changes\(wrong)", method: .get, headers: headers)
                    #expect(answer.status == .unprocessableContent, "\(wrong)")
                }
            }
        }
    }

    @Test("Several pages are one answer, up to the last change when it began")
    func pages() async throws {
        try await TestGateway.run { gateway in
            let (userID, headers) = try await signedIn(gateway)
            try await gateway.withClient { client in
                let since = try #require(try await read("", client, headers).last?.since)
                let ids = (0..<(2 * ChangePage.size + 7)).map { "item\($0)" }
                try await gateway.database.write {
                    try $0.recordGone(ItemKind("curatedList"), ids: ids, userID: userID)
                }
                #expect(try await read("?since=\(since)", client, headers).compactMap(\.id) == ids)
            }
        }
    }

    @Test("A position within a change, at which an event stream was cut, leads to all of the change")
    func positionWithinAChange() async throws {
        try await TestGateway.run { gateway in
            let (userID, headers) = try await signedIn(gateway)
            try await gateway.withClient { client in
                let number = try await gateway.database.write { transaction in
                    try transaction.recordGone(ItemKind("curatedList"), ids: ["before"], userID: userID)
                    let number = try transaction.nextChange()
                    try transaction.recordGone(
                        [(ItemKind("curatedList"), "one"), (ItemKind("curatedList"), "two")], userID: userID,
                        change: number)
                    return number
                }
                #expect(try await read("?since=\(number).", client, headers).compactMap(\.id) == ["one", "two"])
                #expect(try await read("?since=\(number)", client, headers).compactMap(\.id) == [])
                #expect(
                    try await read("?since=\(number - 1)", client, headers).compactMap(\.seq)
                        == [Int(number), Int(number)])
            }
        }
    }

    @Test("A list has the number of its snapshot, and its tag is that of the list alone")
    func snapshotNumbers() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization("ada")
            try await gateway.withClient { client in
                struct Page: Decodable { var seq: Int }
                for path in [
                    "/v1/ai/playlists", "/v1/ai/blends", "/v1/ai/blend-partners", "/v1/library/edits",
                    "/v1/library/imports", "/v1/concert-searches",
                ] {
                    let one = try await client.execute(uri: path, method: .get, headers: headers)
                    _ = try await gateway.database.write { try $0.nextChange() }
                    let other = try await client.execute(uri: path, method: .get, headers: headers)
                    let pages = try [one, other].map {
                        try JSONDecoder().decode(Page.self, from: Data(buffer: $0.body))
                    }
                    #expect(pages[0].seq < pages[1].seq, "\(path)")
                    #expect(one.headers[.eTag] == other.headers[.eTag], "\(path)")
                    // Otherwise a client of the network gets an answer that is cut off.
                    let length = one.headers[.contentLength].flatMap { Int($0) }
                    #expect(length == nil || length == one.body.readableBytes, "\(path)")
                }
            }
        }
    }
}
