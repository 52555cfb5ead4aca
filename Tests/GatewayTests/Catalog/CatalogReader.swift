import Catalog
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Connections
import Model
import NIOCore
import Storage
import Testing

@testable import Gateway

/// A person with a library, and with Spotify connected.
struct CatalogReader {
    typealias Object = [String: Any]

    let person: LibraryPerson
    let gateway: TestGateway
    let client: any TestClientProtocol

    init(_ gateway: TestGateway, _ client: any TestClientProtocol, name: String = "ada", connected: Bool = true)
        async throws
    {
        person = try await LibraryPerson(gateway, name: name)
        self.gateway = gateway
        self.client = client
        if connected {
            try await gateway.database.connectSpotify(userID: person.userID, scopes: "user-top-read")
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
    ) async throws -> TestResponse {
        try await client.execute(
            uri: path, method: method, headers: person.headers, body: body.map { ByteBuffer(string: $0) })
    }

    func read(_ path: String) async throws -> Object {
        let response = try await send(.get, path)
        try #require(response.status == .ok, "\(path): \(String(buffer: response.body))")
        return try Self.object(response)
    }

    static func object(_ response: TestResponse) throws -> Object {
        try #require(
            try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? Object)
    }

    /// Stores the answers to a search.
    func know(_ text: String, _ types: [CatalogType] = CatalogType.allCases, offset: Int = 0) async throws {
        try await gateway.database.write { transaction in
            let query = try #require(CatalogQuery(text, of: .spotify, market: "", offset: offset))
            for type in types {
                try transaction.catalog.store(
                    .sample(type, text, offset), to: .search(query, type), now: .now())
            }
        }
    }

    /// Stores a top list.
    func know(top list: CatalogTopPayload.List, _ range: TopRange, _ names: [String]) async throws {
        let userID = person.userID
        try await gateway.database.write { transaction in
            let account = try transaction.connections.record(userID: userID, provider: "spotify")?.consentMark
            let artists = names.enumerated().map { index, name in
                var artist = CatalogArtist(
                    sourceID: String(repeating: "B", count: 20) + "\(10 + index)", name: name)
                artist.genres = ["genre \(index)"]
                artist.pictures = [CatalogPicture(address: "https://i.scdn.co/image/\(index)", width: 320)]
                return artist
            }
            let answer =
                list == .tracks
                ? CatalogAnswer.sample(.track, names[0])
                : .artists(
                    SourcePage(items: artists, entryCount: names.count, total: names.count, nextOffset: nil))
            try transaction.catalog.store(
                answer, to: .top(CatalogTopPayload(list: list, range: range)), userID: userID,
                account: account ?? "", now: .now())
        }
    }

    /// The members that a schema of the API requires, through `allOf`.
    static func required(_ schema: String) throws -> Set<String> {
        Set(try OpenAPIDocument().schema(schema)["required"] as? [String] ?? [])
    }
}
