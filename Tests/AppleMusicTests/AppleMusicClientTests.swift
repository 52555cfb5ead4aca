import Foundation
import Model
import TestSupport
import Testing
import Upstream

@testable import AppleMusic

@Suite("Calls to Apple Music")
struct AppleMusicClientTests {
    private static let userToken = "the-user's-token"
    private let key = SampleKey()

    private func storefront(_ upstream: ScriptedUpstream) async throws -> String {
        try await AppleMusicClient(
            developerKey: key.developerKey(), userToken: Secret(Self.userToken), urgency: .background,
            send: upstream.send
        ).storefront()
    }

    private func storefront(_ answer: UpstreamResponse) async throws -> String {
        try await storefront(ScriptedUpstream(answer))
    }

    @Test("Both tokens are sent only in headers")
    func tokensAreInHeaders() async throws {
        let upstream = ScriptedUpstream(.json(#"{"data": [{"id": "fr", "type": "storefronts"}]}"#))
        #expect(try await storefront(upstream) == "fr")
        let request = try #require(upstream.requests.first)
        #expect(upstream.requests.count == 1)
        #expect(request.method == .get && request.path == "/me/storefront" && request.isIdempotent)
        #expect(request.query.isEmpty && request.secretQuery.isEmpty && request.body == nil)
        #expect(request.headers.map(\.name) == ["Accept"])
        #expect(request.secretHeaders.map(\.name) == ["Authorization", "Music-User-Token"])
        #expect(request.secretHeaders.last?.value.reveal() == Self.userToken)
        let authorization = try #require(request.secretHeaders.first?.value.reveal())
        #expect(authorization.hasPrefix("Bearer "))
        let claims = try await key.claims(of: String(authorization.dropFirst("Bearer ".count)))
        #expect(claims.iss == SampleKey.teamID)
        #expect(request.urgency == .background)
    }

    @Test("With an unreadable private key nothing is sent")
    func privateKey() async {
        let upstream = ScriptedUpstream(.json("{}"))
        let client = AppleMusicClient(
            developerKey: key.developerKey(pasted: "none"), userToken: Secret(Self.userToken), send: upstream.send)
        await #expect(throws: AppleMusicError.privateKeyUnreadable) { try await client.storefront() }
        #expect(upstream.requests.isEmpty)
    }

    @Test(
        "A success without a storefront verifies nothing",
        arguments: ["", "<html>", "{}", #"{"data": []}"#, #"{"data": [{"type": "storefronts"}]}"#, #"{"data": "fr"}"#])
    func answerWithoutStorefront(text: String) async {
        await #expect(throws: AppleMusicError.unreadable) { try await storefront(.json(text)) }
    }

    @Test(
        "Each refusal has its error, with Apple's code and no other text from the answer",
        arguments: [
            (UpstreamResponse.json("", 401), AppleMusicError.developerTokenRefused),
            (.failure(401, code: "40100"), .developerTokenRefused),
            (.failure(403, code: "40300"), .userTokenRefused), (.json("", 403), .userTokenRefused),
            (.failure(400, code: "40015"), .subscriptionMissing),
            (.failure(400, code: "40005"), .requestRefused(status: 400, code: "40005")),
            (.failure(404, code: "40400"), .requestRefused(status: 404, code: "40400")),
            (.failure(400, code: "secret"), .requestRefused(status: 400, code: nil)),
            (.failure(400, code: "40005400054"), .requestRefused(status: 400, code: nil)),
            (.failure(400, code: ""), .requestRefused(status: 400, code: nil)),
            (.json(#"{"errors": []}"#, 400), .requestRefused(status: 400, code: nil)),
            (.json(#"{"errors": [{"code": 40015}]}"#, 400), .requestRefused(status: 400, code: nil)),
            (.json("<html>", 410), .requestRefused(status: 410, code: nil)),
            (.json(#"{"message": "API capacity exceeded"}"#, 429), .rateLimited(after: .seconds(60))),
            (.json("", 429, retryAfter: "7"), .rateLimited(after: .seconds(7))),
            (.json("", 429, retryAfter: "0"), .rateLimited(after: .seconds(1))),
            (.json("", 429, retryAfter: "soon"), .rateLimited(after: .seconds(60))),
            (.json("", 408), .upstreamError(status: 408)), (.json("", 500), .upstreamError(status: 500)),
            (.json("", 504), .upstreamError(status: 504)), (.json("", 302), .upstreamError(status: 302)),
        ])
    func errorsOfRefusals(answer: UpstreamResponse, error: AppleMusicError) async {
        await #expect(throws: error) { try await storefront(answer) }
        let text = "\(error)"
        #expect(!text.isEmpty && !text.contains("secret"))
    }

    @Test("Errors of the connection are thrown unchanged")
    func errorsOfTheConnection() async {
        let client = AppleMusicClient(developerKey: key.developerKey(), userToken: Secret("t")) { _ in
            throw UpstreamError.timedOut
        }
        await #expect(throws: UpstreamError.timedOut) { try await client.storefront() }
    }
}

@Suite(
    "Recorded payloads of Apple Music",
    .enabled(if: RecordedPayloads.apple.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
struct AppleMusicPayloadTests {
    private func storefront(_ name: String, _ status: Int = 200) async throws -> String {
        let upstream = ScriptedUpstream(.json(try RecordedPayloads.apple.data(name), status))
        return try await AppleMusicClient(
            developerKey: SampleKey().developerKey(), userToken: Secret("t"), send: upstream.send
        ).storefront()
    }

    @Test("A storefront and the refusal of a user token are read")
    func recordedPayloads() async throws {
        #expect(try await storefront("storefront.json") == "fr")
        await #expect(throws: AppleMusicError.userTokenRefused) {
            try await storefront("error_403_music_user_token.json", 403)
        }
    }
}

extension UpstreamResponse {
    static func json(_ text: String, _ status: Int, retryAfter: String) -> UpstreamResponse {
        json(text, status, headers: ["retry-after": retryAfter])
    }

    /// An error as the Apple Music API writes it.
    static func failure(_ status: Int, code: String) -> UpstreamResponse {
        .json(
            """
            {"errors": [{"id": "X", "title": "No", "detail": "secret", "status": "\(status)", "code": "\(code)"}]}
            """, status)
    }
}
