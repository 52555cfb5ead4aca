import Concerts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Jobs
import Model
import NIOCore
import Testing

@testable import ConcertsHTTP
@testable import Gateway

@Suite("The responses of docs/openapi.yaml")
struct AnswerDocumentTests {
    private typealias Object = [String: Any]

    private func object(_ bytes: some Sequence<UInt8>) throws -> Object {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? Object)
    }

    /// Sends requests with a user's token.
    private struct AuthorizedClient {
        let client: any TestClientProtocol
        let headers: HTTPFields

        func send(
            _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
        ) async throws -> TestResponse {
            try await client.execute(
                uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
    }

    /// The members that a schema requires, and all members that it has.
    private func members(of schema: Object, in document: OpenAPIDocument) throws -> (
        required: Set<String>, known: Set<String>
    ) {
        if let reference = schema["$ref"] as? String {
            return try members(
                of: try #require(document.value(at: String(reference.dropFirst(2))) as? Object), in: document)
        }
        let parts = try (schema["allOf"] as? [Object] ?? []).map { try members(of: $0, in: document) }
        return parts.reduce(
            (Set(schema["required"] as? [String] ?? []), Set((schema["properties"] as? Object ?? [:]).keys))
        ) { ($0.0.union($1.required), $0.1.union($1.known)) }
    }

    /// Compares a response with the schema for its status.
    private func check(
        _ response: TestResponse, _ method: String, _ path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let document = try OpenAPIDocument()
        let operation = try #require(try document.operations[.init(method: method, path: path)])
        let responses = try #require(operation["responses"] as? Object)
        let documented = try #require(
            responses["\(response.status.code)"] as? Object, "\(response.status)", sourceLocation: sourceLocation)
        guard let content = documented["content"] as? Object else {
            #expect(response.body.readableBytes == 0, sourceLocation: sourceLocation)
            return
        }
        let media = try #require(content["application/json"] as? Object, sourceLocation: sourceLocation)
        let (required, known) = try members(of: try #require(media["schema"] as? Object), in: document)
        let found = Set(try object(response.body.readableBytesView).keys)
        #expect(required.subtracting(found) == [], "missing", sourceLocation: sourceLocation)
        #expect(found.subtracting(known) == [], "not documented", sourceLocation: sourceLocation)
        for header in (documented["headers"] as? Object ?? [:]).keys where header == "ETag" || header == "Location" {
            // These belong to only one of several cases with this status.
            if known.contains("attempts") || header == "Location" && response.status == .accepted {
                #expect(response.headers[try #require(HTTPField.Name(header))] != nil, sourceLocation: sourceLocation)
            }
        }
    }

    @Test("Responses about sessions have the documented members")
    func sessionResponses() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("ada")
            try await gateway.withClient { client in
                let body = ByteBuffer(string: #"{"token":"\#(token.secret.reveal())"}"#)
                let signedIn = try await client.execute(uri: "/v1/session", method: .post, body: body)
                #expect(signedIn.status == .ok)
                try check(signedIn, "POST", "/v1/session")
                let headers: HTTPFields = [.authorization: "Bearer \(token.secret.reveal())"]
                let shown = try await client.execute(uri: "/v1/session", method: .get, headers: headers)
                #expect(shown.status == .ok)
                try check(shown, "GET", "/v1/session")
                try check(
                    try await client.execute(uri: "/v1/me", method: .get, headers: headers), "GET", "/v1/me")
            }
        }
    }

    @Test("Responses about jobs have the documented members")
    func jobResponses() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                let user = AuthorizedClient(client: client, headers: headers)
                let submitted = try await user.send(.post, "/v1/jobs", #"{"kind":"diagnostics.echo"}"#)
                try check(submitted, "POST", "/v1/jobs")
                let id = try #require(try object(submitted.body.readableBytesView)["id"] as? String)
                try check(try await user.send(.get, "/v1/jobs/\(id)"), "GET", "/v1/jobs/{id}")
                try check(
                    try await user.send(.post, "/v1/jobs/batch", #"{"jobs":[{"kind":"diagnostics.echo"}]}"#), "POST",
                    "/v1/jobs/batch")
                try check(try await user.send(.get, "/v1/jobs?limit=1"), "GET", "/v1/jobs")
                try check(try await user.send(.get, "/v1/jobs/summary"), "GET", "/v1/jobs/summary")
                try check(try await user.send(.post, "/v1/jobs/\(id)/cancel"), "POST", "/v1/jobs/{id}/cancel")
            }
        }
    }

    @Test("Responses about artists and searches have the documented members")
    func concertResponses() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                let user = AuthorizedClient(client: client, headers: headers)
                let replaced = try await user.send(.put, "/v1/artists", #"{"artists":["Air",{"name":"Moby"}]}"#)
                try check(replaced, "PUT", "/v1/artists")
                let added = try await user.send(.post, "/v1/artists", #"{"name":"Röyksopp","rank":1}"#)
                try check(added, "POST", "/v1/artists")
                let artist = try #require(try object(added.body.readableBytesView)["id"] as? String)
                let moved = try await user.send(.post, "/v1/artists/\(artist)/move", #"{"to":3}"#)
                try check(moved, "POST", "/v1/artists/{id}/move")
                try check(try await user.send(.delete, "/v1/artists/\(artist)"), "DELETE", "/v1/artists/{id}")
                try check(try await user.send(.get, "/v1/artists"), "GET", "/v1/artists")

                let begun = try await user.send(.post, "/v1/concert-searches")
                try check(begun, "POST", "/v1/concert-searches")
                let id = try #require(try object(begun.body.readableBytesView)["id"] as? String)
                try check(try await user.send(.get, "/v1/concert-searches/\(id)"), "GET", "/v1/concert-searches/{id}")
                let list = try await user.send(.get, "/v1/concert-searches?limit=1")
                try check(list, "GET", "/v1/concert-searches")
                let searches = try #require(try object(list.body.readableBytesView)["items"] as? [Object])
                let document = try OpenAPIDocument()
                let status = try members(of: document.schema("ConcertSearch"), in: document)
                #expect(Set(try #require(searches.first).keys) == status.required)
                for action in ["cancel", "retry"] {
                    let answer = try await user.send(.post, "/v1/concert-searches/\(id)/\(action)")
                    try check(answer, "POST", "/v1/concert-searches/{id}/\(action)")
                }
                try check(try await user.send(.get, "/v1/concerts/nearby?city=Prague"), "GET", "/v1/concerts/nearby")
                for path in ["/healthz", "/readyz"] { try check(try await user.send(.get, path), "GET", path) }
            }
        }
    }

    @Test("Administrators' responses have the documented members")
    func operationsResponses() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization(isAdmin: true)
            let id = try await gateway.makeDeadLetter()
            try await gateway.withClient { client in
                for path in ["overview", "workers", "permits", "series", "dead-letters"] {
                    let answer = try await client.execute(uri: "/v1/admin/\(path)", method: .get, headers: headers)
                    try check(answer, "GET", "/v1/admin/\(path)")
                }
                let requeued = try await client.execute(
                    uri: "/v1/admin/jobs/\(id)/requeue", method: .post, headers: headers)
                try check(requeued, "POST", "/v1/admin/jobs/{id}/requeue")
            }
        }
    }

    @Test("The parts of administrators' responses have the documented members")
    func operationsParts() throws {
        let document = try OpenAPIDocument()
        let now = MonotonicInstant(microseconds: 10_000_000)
        for (schema, json) in [
            ("Worker", JSONWriter.value { WorkerSummary.sample.write(to: &$0, now: now, wallNow: .now()) }),
            ("SeriesSample", JSONWriter.value { SeriesRecorder.Sample.sample.write(to: &$0) }),
        ] {
            let known = try members(of: document.schema(schema), in: document)
            #expect(Set(try object(json).keys) == known.required && known.required == known.known, "\(schema)")
        }
    }

    @Test("Shows and problems have the documented members")
    func showsAndProblems() throws {
        let document = try OpenAPIDocument()
        let resource = ShowResource(item: .sample("a"), pictures: .sample)
        let show = try object(try JSONEncoder().encode(resource))
        #expect(Set(show.keys) == (try members(of: document.schema("Concert"), in: document).required))
        #expect(Set(show.keys) == (try members(of: document.schema("Concert"), in: document).known))
        let known = try members(of: document.schema("Problem"), in: document)
        #expect(known.required == ["type", "title", "status", "code", "detail"])
        #expect(known.known == known.required.union(["field", "recovery", "limit", "until"]))
    }
}
