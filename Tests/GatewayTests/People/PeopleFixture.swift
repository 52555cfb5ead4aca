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
import Visibility

/// People of a gateway who send requests about each other.
struct PeopleFixture: Sendable {
    let gateway: TestGateway
    let client: any TestClientProtocol
    /// The headers and ids of the people by their names.
    private let people: [String: (headers: HTTPFields, id: String)]

    /// - Parameter administrators: the names of those who are administrators.
    static func run(
        _ names: [String], administrators: Set<String> = [],
        _ body: @escaping @Sendable (PeopleFixture) async throws -> Void
    ) async throws {
        try await TestGateway.run { gateway in
            let accounts = Accounts(database: gateway.database)
            var people: [String: (HTTPFields, String)] = [:]
            for name in names {
                let token = try await gateway.addUser(name, isAdmin: administrators.contains(name))
                let id = try #require(try await accounts.user(for: token)).id
                people[name] = ([.authorization: "Bearer \(token.secret.reveal())"], id)
            }
            try await gateway.withClient { [people] client in
                try await body(PeopleFixture(gateway: gateway, client: client, people: people))
            }
        }
    }

    func id(of name: String) throws -> String { try #require(people[name]).id }

    func headers(of name: String) throws -> HTTPFields { try #require(people[name]).headers }

    /// Sends a request of a person.
    func send(
        _ method: HTTPRequest.Method, _ path: String, as name: String, body: String? = nil
    ) async throws -> TestResponse {
        try await client.execute(
            uri: path, method: method, headers: try #require(people[name]).headers,
            body: body.map { ByteBuffer(string: $0) })
    }

    @discardableResult
    func follow(_ other: String, as name: String) async throws -> TestResponse {
        try await send(.put, "/v1/users/\(other.percentEncoded)/follow", as: name)
    }

    func setVisibility(_ visibility: ProfileVisibility, of name: String) async throws {
        let id = try id(of: name)
        try await gateway.database.write { try $0.visibility.setVisibility(visibility, userID: id) }
    }

    /// The answer's body as JSON.
    func json(_ path: String, as name: String) async throws -> [String: Any] {
        let response = try await send(.get, path, as: name)
        #expect(response.status == .ok, "\(path)")
        return try #require(
            try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any])
    }

    /// The items of a list's first page.
    func items(_ path: String, as name: String) async throws -> [[String: Any]] {
        try #require(try await json(path, as: name)["items"] as? [[String: Any]])
    }

    /// The usernames in a list's first page.
    func names(_ path: String, as name: String) async throws -> [String] {
        try await items(path, as: name).compactMap { $0["username"] as? String }
    }
}
