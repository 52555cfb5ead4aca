import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import NIOCore
import Testing

@testable import Gateway

/// A program that sends a person's listens to a gateway.
struct ListenBrainzFixture: Sendable {
    let client: any TestClientProtocol
    /// The person's ordinary credential.
    let person: HTTPFields
    let name: String
    let token: String

    struct Answer {
        let status: Int
        let headers: HTTPFields
        let text: String

        var json: [String: Any] {
            get throws { try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]) }
        }

        var error: String? { (try? json)?["error"] as? String }
        var payload: [String: Any] { get throws { try #require(try json["payload"] as? [String: Any]) } }
    }

    static func run(
        quotas: Quotas = Quotas(), _ body: @escaping @Sendable (ListenBrainzFixture, TestGateway) async throws -> Void
    ) async throws {
        try await TestGateway.run(quotas: quotas) { gateway in
            let person = try await gateway.authorization()
            try await gateway.withClient { client in
                let made = try await client.execute(
                    uri: "/v1/me/tokens", method: .post, headers: person,
                    body: ByteBuffer(string: #"{"name":"player","scope":"listening"}"#))
                let json = try #require(
                    try JSONSerialization.jsonObject(with: Data(made.body.readableBytesView)) as? [String: Any])
                let me = try await client.execute(uri: "/v1/me", method: .get, headers: person)
                let profile = try #require(
                    try JSONSerialization.jsonObject(with: Data(me.body.readableBytesView)) as? [String: Any])
                let fixture = ListenBrainzFixture(
                    client: client, person: person, name: try #require(profile["username"] as? String),
                    token: try #require(json["token"] as? String))
                try await body(fixture, gateway)
            }
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", authorization: String? = nil,
        isAnonymous: Bool = false
    ) async throws -> Answer {
        var headers = HTTPFields()
        if !isAnonymous { headers[.authorization] = authorization ?? "Token \(token)" }
        let response = try await client.execute(
            uri: path, method: method, headers: headers, body: ByteBuffer(string: body))
        return Answer(
            status: response.status.code, headers: response.headers, text: String(buffer: response.body))
    }

    func submit(_ body: String) async throws -> Answer { try await send(.post, "/1/submit-listens", body) }

    static func listen(_ seconds: Int, title: String = "One", artist: String = "Ada", info: String = "{}") -> String {
        """
        {"listened_at":\(seconds),"track_metadata":{"artist_name":"\(artist)","track_name":"\(title)",\
        "additional_info":\(info)}}
        """
    }

    static func body(_ kind: String, _ listens: String...) -> String {
        #"{"listen_type":"\#(kind)","payload":[\#(listens.joined(separator: ","))]}"#
    }
}
