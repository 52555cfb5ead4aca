import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import NIOCore
import Platform
import Storage
import Testing

@testable import Gateway

@Suite("GET requests that call an upstream", .timeLimit(.minutes(5)))
struct OwnPageTests {
    private func browser(_ gateway: TestGateway) async throws -> HTTPFields {
        let accounts = Accounts(database: gateway.database)
        _ = try await accounts.addUser(name: "ada")
        let code = try await accounts.signInLink(user: "ada")
        let key = try #require(try await accounts.signIn(link: code)).0
        return [.cookie: "backline_session=\(key.secret.reveal())"]
    }

    /// The number of jobs and searches.
    private func workCount(_ gateway: TestGateway) async throws -> Int {
        try await gateway.database.read { reader in
            try reader.row(
                "SELECT (SELECT COUNT(*) FROM jobs) + (SELECT COUNT(*) FROM concert_searches) AS count")?["count"] ?? 0
        }
    }

    @Test(
        "A request with a cookie must come from a page of this site, by Sec-Fetch-Site or Backline-Page",
        arguments: [
            (["Sec-Fetch-Site": "same-origin"], 202), (["Backline-Page": "1"], 202), ([:], 403),
            (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
            // A typed address, or a link in a message.
            (["Sec-Fetch-Site": "none"], 403), (["Sec-Fetch-Site": "same-origin, cross-site"], 403),
            // A GET from a page has no Origin, and every link on a page of this host has this Referer.
            (["Origin": "http://localhost"], 403), (["Referer": "http://localhost/feed"], 403),
        ] as [([String: String], Int)])
    func requestsWithACookie(fields: [String: String], status: Int) async throws {
        try await TestGateway.run { gateway in
            var headers = try await browser(gateway)
            for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
            let sent = headers
            try await gateway.withClient { client in
                let response = try await client.execute(
                    uri: "/v1/concerts/nearby?city=Prague", method: .get, headers: sent)
                #expect(response.status.code == status)
                if status == 403 {
                    #expect(try response.problem.code == "crossOrigin")
                    #expect(String(buffer: response.body).contains("Programs send a token"))
                }
            }
            #expect(try await (workCount(gateway) > 0) == (status == 202))
        }
    }

    @Test("A request with a token needs neither header")
    func requestsWithAToken() async throws {
        try await TestGateway.run { gateway in
            var headers = try await gateway.authorization()
            headers[.secFetchSite] = "cross-site"
            let sent = headers
            try await gateway.withClient { client in
                let path = "/v1/concerts/nearby?city=Prague"
                let answer = try await client.execute(uri: path, method: .get, headers: sent)
                #expect(answer.status == .accepted)
            }
        }
    }

    @Test("No documented GET starts work for a link from another site, and the refusal is documented")
    func everyRead() async throws {
        try await TestGateway.run { gateway in
            var headers = try await browser(gateway)
            headers[.secFetchSite] = "cross-site"
            let sent = headers
            let document = try OpenAPIDocument()
            var refusing: Set<String> = []
            var requests: [(operation: String, path: String)] = []
            for (operation, content) in try document.operations where operation.method == "GET" {
                // An event stream has no end.
                guard operation.path.hasPrefix("/v1/"), operation.path != "/v1/events",
                    (content["security"] as? [Any])?.isEmpty != true
                else { continue }
                let responses = try #require(content["responses"] as? [String: Any])
                let refusal = (responses["403"] as? [String: Any])?["$ref"] as? String
                if refusal?.hasSuffix("/CrossOrigin") == true { refusing.insert("\(operation)") }
                // The required parameters of the operation.
                let query = (content["parameters"] as? [[String: Any]] ?? []).compactMap { parameter -> String? in
                    guard parameter["in"] as? String == "query", parameter["required"] as? Bool == true,
                        let name = parameter["name"] as? String
                    else { return nil }
                    return "\(name)=\("\(parameter["example"] ?? "x")".percentEncoded)"
                }
                let path = operation.path.replacing(/{[a-z]+}/, with: "none")
                requests.append(("\(operation)", path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))))
            }
            #expect(refusing.contains("GET /v1/concerts/nearby") && requests.count > 10)
            let (sentRequests, documented) = (requests, refusing)
            try await gateway.withClient { client in
                for (operation, path) in sentRequests {
                    let response = try await client.execute(uri: path, method: .get, headers: sent)
                    let isRefused = try response.status == .forbidden && response.problem.code == "crossOrigin"
                    #expect(isRefused == documented.contains(operation), "\(operation)")
                    #expect(
                        try await workCount(gateway) == 0,
                        "\(operation) began work; put it behind askingUpstreams (docs/adding-a-domain.md)")
                }
            }
        }
    }
}
