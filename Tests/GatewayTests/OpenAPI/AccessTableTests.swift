import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import NIOCore
import Storage
import Testing

@testable import Gateway

@Suite("Access to every operation", .timeLimit(.minutes(5)))
struct AccessTableTests {
    /// The clients of the requests.
    private struct People {
        var owner: HTTPFields
        var other: HTTPFields
        var administrator: HTTPFields
        /// No header, and headers with tokens that have ended.
        var nobodies: [String: HTTPFields]
        /// The ids of the owner's rows, by their kind.
        var ids: [AccessRule.Resource: String]
    }

    private func bearer(_ token: APIToken) -> HTTPFields {
        [.authorization: "Bearer \(token.secret.reveal())"]
    }

    private func people(_ gateway: TestGateway, _ client: some TestClientProtocol) async throws -> People {
        let accounts = Accounts(database: gateway.database)
        let token = try await gateway.addUser("ada")
        let user = try #require(try await accounts.user(for: token))
        let (_, expired) = try await accounts.addToken(
            user: "ada", name: "expired", expiresAt: Timestamp.now().advanced(by: .seconds(-1)))
        let (revokedID, revoked) = try await accounts.addToken(user: "ada", name: "revoked")
        try await accounts.revokeToken(id: revokedID)
        let (spareID, _) = try await accounts.addToken(user: "ada", name: "spare")
        _ = try await accounts.signIn(token: token)
        func made(_ path: String, _ body: String) async throws -> String {
            let response = try await client.execute(
                uri: path, method: .post, headers: bearer(token), body: ByteBuffer(string: body))
            let answer = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
            return try #require((answer as? [String: Any])?["id"] as? String)
        }
        let ids: [AccessRule.Resource: String] = [
            .job: try await made("/v1/jobs", #"{"kind":"diagnostics.echo"}"#),
            .deadLetter: try await gateway.makeDeadLetter(of: user.id),
            .artist: try await made("/v1/artists", #"{"name":"Röyksopp"}"#),
            .search: try await made("/v1/concert-searches", #"{"artists":["Röyksopp"]}"#),
            .token: spareID,
            .session: try #require(try await accounts.sessions(userID: user.id).first).id,
            .profile: "ada",
        ]
        var change = ProfileChange()
        (change.visibility, change.homeCity) = (.private, .text("Trondheim"))
        _ = try await accounts.changeProfile(userID: user.id, change)
        return People(
            owner: bearer(token), other: try await gateway.authorization("bob"),
            administrator: try await gateway.authorization("root", isAdmin: true),
            nobodies: ["nobody": [:], "expired": bearer(expired), "revoked": bearer(revoked)], ids: ids)
    }

    /// A path with the id of the owner's row.
    private func path(_ operation: OpenAPIDocument.Operation, _ rule: AccessRule, _ people: People) throws -> String {
        guard let resource = rule.resource else { return operation.path.replacing(/{[a-z]+}/, with: "none") }
        return operation.path.replacing(/{[a-z]+}/, with: try #require(people.ids[resource]))
    }

    @Test("Every rule has an operation, and the same operations are public in both")
    func complete() throws {
        let operations = try OpenAPIDocument().operations
        #expect(
            Set(AccessRule.table.keys).subtracting(operations.keys.map(\.description)).sorted() == [],
            "there are no such operations")
        for (operation, content) in operations {
            guard let rule = AccessRule.table[operation.description] else { continue }
            if let nobody = AccessRule.documented(content).nobody {
                #expect(rule.nobody == nobody, "\(operation)")
            } else {
                #expect(rule.nobody == rule.owner && rule.nobody == rule.other, "\(operation)")
            }
        }
    }

    @Test("Every kind of client, even with an expired or revoked token, gets the table's statuses", arguments: [0, 1])
    func answers(half: Int) async throws {
        let operations = try OpenAPIDocument().operations
        for (index, operation) in operations.keys.sorted().enumerated() where index % 2 == half {
            let content = try #require(operations[operation])
            let rule = AccessRule.table[operation.description] ?? .documented(content)
            // Each operation has its own gateway, since some delete rows that others need.
            try await TestGateway.run { gateway in
                try await gateway.withClient { client in
                    let people = try await people(gateway, client)
                    let path = try path(operation, rule, people)
                    let method = try #require(HTTPRequest.Method(rawValue: operation.method))
                    func ask(_ headers: HTTPFields) async throws -> TestResponse {
                        try await client.execute(
                            uri: path, method: method, headers: headers,
                            body: rule.body.map { ByteBuffer(string: $0) })
                    }
                    for (name, headers) in people.nobodies {
                        guard let expected = rule.nobody else { break }
                        let response = try await ask(headers)
                        #expect(Int(response.status.code) == expected, "\(operation) for \(name)")
                    }
                    // The other user comes first, because the owner's request may change the rows.
                    if let expected = rule.other {
                        let response = try await ask(people.other)
                        #expect(Int(response.status.code) == expected, "\(operation) for another")
                        let text = String(buffer: response.body)
                        let ids = people.ids.filter { $0.key != .profile }.values
                        for theirs in ["ada", "Trondheim", "Röyksopp"] + ids {
                            // The name is matched as a word, because a hexadecimal id may contain "ada".
                            let word = try Regex("\\b\(theirs)\\b")
                            #expect(!text.contains(word), "\(operation) tells another of \(theirs)")
                        }
                    }
                    if let expected = rule.owner {
                        #expect(Int(try await ask(people.owner).status.code) == expected, "\(operation) for its owner")
                    }
                    if rule.isForAdministrators {
                        let status = try await ask(people.administrator).status
                        #expect([.ok, .accepted].contains(status), "\(operation)")
                    }
                }
            }
        }
    }
}
