import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Storage
import Testing

@testable import Gateway

/// The responses that people get after an installation of release 9 was updated.
@Suite("Answers from a database that release 9 made")
struct Release9RouteTests {
    private static let failedJob = "01a202d0-e0fe-75c4-aeb1-eea2f1140c16"
    private static let submittedJob = "01a202d0-d971-7790-b279-145b34b25083"
    private static let search = "01a202d0-d3cd-713e-b2f7-4e071e389d04"

    private struct Client: Sendable {
        let client: any TestClientProtocol
        let headers: HTTPFields

        func ask(
            _ path: String, _ method: HTTPRequest.Method = .get, more: HTTPFields = [:], body: String = ""
        ) async throws -> JSON {
            var headers = headers
            for field in more { headers[field.name] = field.value }
            let response = try await client.execute(
                uri: path, method: method, headers: headers, body: ByteBuffer(string: body))
            #expect(response.status.kind == .successful, "\(path): \(response.status)")
            return JSON(value: try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)))
        }
    }

    private struct JSON {
        var value: Any?

        subscript(name: String) -> JSON { JSON(value: (value as? [String: Any])?[name]) }
        var list: [JSON] { (value as? [Any] ?? []).map(JSON.init) }
        var text: String? { value as? String }
        var number: Int? { value as? Int }
    }

    private func run(as name: String, _ body: @escaping @Sendable (Client) async throws -> Void) async throws {
        try await TestGateway.run(isOfRelease9: true) { gateway in
            // Past shows are left out, so these get a date in another century, whenever the test runs.
            try await gateway.database.write {
                try $0.run(
                    """
                    UPDATE concert_events
                    SET event = REPLACE(REPLACE(event, '"2026-', '"2126-'), '"2027-', '"2127-')
                    """)
            }
            let token = try await Accounts(database: gateway.database).addToken(user: name, name: "test").token
            let headers: HTTPFields = [.authorization: "Bearer \(token.secret.reveal())"]
            try await gateway.withClient { client in try await body(Client(client: client, headers: headers)) }
        }
    }

    @Test("Jobs keep their states, results and attempts, and the counts agree with them")
    func jobs() async throws {
        try await run(as: "ada") { client in
            let jobs = try await client.ask("/v1/jobs?limit=200")["items"].list
            let states = Dictionary(grouping: jobs) { $0["state"].text ?? "" }.mapValues(\.count)
            #expect(states == ["succeeded": 4, "failed": 1, "queued": 2, "running": 1])
            let summary = try await client.ask("/v1/jobs/summary")
            for state in ["succeeded", "failed", "queued", "running", "scheduled", "cancelled"] {
                #expect(summary[state].number == states[state] ?? 0, "\(state)")
            }
            let failed = try await client.ask("/v1/jobs/\(Self.failedJob)")
            #expect(failed["error"]["code"].text == "failedAsAsked" && failed["attempt"].number == 5)
            #expect(failed["attempts"].list.map { $0["attempt"].number } == [1, 2, 3, 4, 5])
            let succeeded = try await client.ask("/v1/jobs/\(Self.submittedJob)")
            #expect(succeeded["result"]["hello"].text == "world" && succeeded["finishedAt"].text != nil)
        }
        try await run(as: "bob") { client in
            let jobs = try await client.ask("/v1/jobs?limit=200")["items"].list
            #expect(jobs.compactMap { $0["state"].text }.sorted() == ["cancelled", "scheduled", "scheduled"])
        }
    }

    @Test("A dead letter can be requeued, and an idempotency key from before the update still has its answer")
    func submissions() async throws {
        try await run(as: "ada") { client in
            let requeued = try await client.ask("/v1/jobs/\(Self.failedJob)/requeue", .post)
            #expect(requeued["state"].text == "queued")
            let key = try #require(HTTPField.Name("Idempotency-Key"))
            let answer = try await client.ask(
                "/v1/jobs", .post, more: [key: "k1"],
                body: #"{"kind": "diagnostics.echo", "payload": {"hello": "world"}}"#)
            #expect(answer["id"].text == Self.submittedJob)
        }
    }

    @Test("Searches keep their results")
    func searches() async throws {
        try await run(as: "ada") { client in
            let artists = try await client.ask("/v1/artists")["artists"].list
            #expect(artists.map { $0["name"].text } == ["Coldplay", "Metallica", "Björk", "Kabát"])
            let list = try await client.ask("/v1/concert-searches")["items"].list
            #expect(list.map { $0["id"].text } == [Self.search])
            let search = try await client.ask("/v1/concert-searches/\(Self.search)")
            #expect(search["state"].text == "complete" && search["homeCity"].text == "Prague")
            #expect(search["coverage"].list.map { $0["status"].text } == Array(repeating: "complete", count: 4))
            #expect(!search["items"].list.isEmpty)
        }
    }

    @Test("People keep their profiles and their setup")
    func people() async throws {
        try await run(as: "ada") { client in
            let profile = try await client.ask("/v1/me")
            #expect(profile["username"].text == "ada" && profile["homeCity"].text == "Prague")
            #expect(profile["isAdmin"].value as? Bool == true)
            let steps = try await client.ask("/v1/setup")["steps"].list
            let gemini = try #require(steps.first { $0["id"].text == "gemini" })
            #expect(gemini["maskedKey"].text == "••••-key" && gemini["connectedAt"].text != nil)
            let ticketmaster = try #require(steps.first { $0["id"].text == "ticketmaster" })
            #expect(ticketmaster["city"].text == "Prague")
        }
    }
}
