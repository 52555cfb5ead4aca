import Crypto
import Foundation
import JWTKit
import Testing

@testable import UpstreamSimulator

/// The claims of a developer token.
struct DeveloperTokenClaims: JWTPayload {
    var iss: String
    var iat: Int
    var exp: Int

    func verify(using algorithm: some JWTAlgorithm) {}
}

/// A person with both tokens at a simulated Apple Music.
struct AppleMusicVisitor: Sendable {
    let server: RunningSimulator
    let developerToken: String
    var userToken: String? = "demo-music-user-token"

    /// - Parameters:
    ///   - issuedSecondsAgo: negative values are in the future.
    init(_ server: RunningSimulator, issuedSecondsAgo: Int = 0, lifeSeconds: Int = 3_600) async throws {
        self.server = server
        let answer = try await server.send("GET", "/_sim/apple-music/key")
        let key = try JSONDecoder().decode(AppleMusicKey.self, from: answer.body)
        let keys = JWTKeyCollection()
        let privateKey = try P256.Signing.PrivateKey(pemRepresentation: key.privateKey)
        await keys.add(ecdsa: try ES256PrivateKey(backing: privateKey), kid: JWKIdentifier(string: key.keyId))
        let issued = Int(Date().timeIntervalSince1970) - issuedSecondsAgo
        developerToken = try await keys.sign(
            DeveloperTokenClaims(iss: key.teamId, iat: issued, exp: issued + lifeSeconds),
            kid: JWKIdentifier(string: key.keyId))
    }

    /// A call below `/v1/`.
    func get(_ path: String) async throws -> RawResponse { try await send("GET", path) }

    /// A call below `/v1/`.
    func send(_ method: String, _ path: String, body: String = "") async throws -> RawResponse {
        let user = userToken.map { ["Music-User-Token: " + $0] } ?? []
        return try await server.send(
            method, "/apple-music/v1/" + path, headers: ["Authorization: Bearer " + developerToken] + user, body: body)
    }

    /// The document of a 200.
    func read(_ path: String) async throws -> [String: Any] {
        let answer = try await get(path)
        try #require(answer.status == 200, "\(path): \(answer.status) \(answer.text.prefix(300))")
        return try #require(answer.json)
    }

    /// The `data` of a 200.
    func list(_ path: String) async throws -> [[String: Any]] {
        try #require(try await read(path)["data"] as? [[String: Any]])
    }

    /// Sends a command, which the simulator must accept.
    @discardableResult
    func order(_ route: String, _ body: String) async throws -> RawResponse {
        let answer = try await server.send("POST", "/_sim/apple-music/" + route, body: body)
        try #require(answer.status == 200, "\(answer.text)")
        return answer
    }

    /// The status, code and parameter of an error's document.
    func refusal(_ path: String) async throws -> CallRefusal {
        let answer = try await get(path)
        let error = (answer.json?["errors"] as? [[String: Any]])?.first
        return CallRefusal(
            answer.status, error?["code"] as? String, parameter: error?.path("source", "parameter") as? String)
    }
}
