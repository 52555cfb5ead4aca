import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Gateway

@Suite("Paths and methods")
struct MethodTests {
    @Test("A path answers 405 with its methods to other methods, without asking for a token")
    func methodNotAllowed() async throws {
        try await TestGateway.run { gateway in
            try await gateway.withClient { client in
                let cases: [(HTTPRequest.Method, String, String)] = [
                    (.delete, "/v1/jobs", "GET, POST"), (.put, "/v1/jobs/batch", "POST"),
                    (.get, "/v1/jobs/batch", "POST"),
                    (.patch, "/v1/artists", "GET, POST, PUT"), (.get, "/v1/artists/1", "DELETE"),
                    (.post, "/healthz", "GET"),
                    (.head, "/v1/concert-searches/1", "GET"), (.options, "/v1/concert-searches/1/retry", "POST"),
                ]
                for (method, path, allowed) in cases {
                    let response = try await client.execute(uri: path, method: method)
                    #expect(response.status == .methodNotAllowed, "\(method) \(path)")
                    #expect(response.headers[.allow] == allowed)
                    if method != .head { #expect(try response.problem.code == "methodNotAllowed") }
                }
            }
        }
    }

    @Test(
        "An unknown path answers 404 to any method",
        arguments: ["/nowhere", "/v1", "/v2/jobs", "/v1/jobs/1/2/3", "/healthz/x"])
    func unknownPath(path: String) async throws {
        try await TestGateway.run { gateway in
            try await gateway.withClient { client in
                for method in [HTTPRequest.Method.get, .post, .delete] {
                    let response = try await client.execute(uri: path, method: method)
                    #expect(response.status == .notFound)
                    #expect(try response.problem.code == "noSuchEndpoint")
                }
            }
        }
    }

    @Test("An id that is not UTF-8 answers 404 like an unknown one")
    func invalidText() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                for path in ["/v1/jobs/%FF%FE", "/v1/concert-searches/%FF", "/v1/jobs/%"] {
                    let response = try await client.execute(uri: path, method: .get, headers: headers)
                    #expect(try response.status == .notFound && response.problem.code == "notFound", "\(path)")
                }
            }
        }
    }
}
