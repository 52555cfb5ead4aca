import Model
import Testing
import Upstream

@testable import Spotify

@Suite("Answers to calls to Spotify")
struct SpotifyAnswerTests {
    private struct Document: Decodable, Sendable, Equatable {
        var id: String
    }

    private static let document = UpstreamResponse(
        status: 200, headers: ["content-type": "application/json"], body: Array(#"{"id": "x"}"#.utf8))

    private func client(_ response: UpstreamResponse) -> SpotifyClient {
        SpotifyClient(accessToken: Secret("t")) { _ in response }
    }

    private static func error(_ status: Int, _ message: String, reason: String? = nil) -> UpstreamResponse {
        let member = reason.map { #", "reason": "\#($0)""# } ?? ""
        return UpstreamResponse(
            status: status, headers: ["content-type": "application/json"],
            body: Array(#"{"error": {"status": \#(status), "message": "\#(message)"\#(member)}}"#.utf8))
    }

    private static func text(_ status: Int, _ text: String) -> UpstreamResponse {
        UpstreamResponse(status: status, headers: ["content-type": "text/plain"], body: Array(text.utf8))
    }

    @Test(
        "An expected answer is a value, with Spotify's own code",
        arguments: [
            (document, "x"), (UpstreamResponse(status: 204), "nothing"), (text(200, ""), "nothing"),
            (error(404, "Resource not found"), "not there"),
            (error(404, "No device", reason: "NO_ACTIVE_DEVICE"), "not there: NO_ACTIVE_DEVICE"),
            (error(403, "Forbidden"), "forbidden"), (text(403, "Forbidden"), "forbidden"),
            (error(403, "Premium required", reason: "PREMIUM_REQUIRED"), "forbidden: PREMIUM_REQUIRED"),
        ])
    func expectedAnswer(response: UpstreamResponse, meaning: String) async throws {
        let answer = try await client(response).read(
            "/x", as: Document.self, expecting: [.nothing, .notFound, .forbidden])
        let found =
            switch answer {
            case .value(let document): document.id
            case .nothing: "nothing"
            case .notFound(let reason): "not there" + (reason.map { ": " + $0 } ?? "")
            case .forbidden(let reason): "forbidden" + (reason.map { ": " + $0 } ?? "")
            }
        #expect(found == meaning)
    }

    @Test(
        "An unexpected answer is an error, and expectations never hide errors about the app, account or scopes",
        arguments: [
            (
                error(404, "x"), SpotifyClient.Expectation.forbidden,
                SpotifyError.requestRefused(status: 404, reason: nil)
            ),
            (error(403, "x", reason: "PREMIUM_REQUIRED"), .notFound, .forbidden(reason: "PREMIUM_REQUIRED")),
            (
                error(400, "Invalid limit"), [.notFound, .forbidden, .nothing],
                .requestRefused(status: 400, reason: nil)
            ),
            (error(403, "Insufficient client scope"), .forbidden, .scopeMissing),
            (text(403, "User not registered in the Developer Dashboard"), .forbidden, .accountNotAllowed),
            (
                error(403, "Active premium subscription required for the owner of the app. When the …"), .forbidden,
                .ownerPremiumMissing
            ),
            (
                text(403, "Active premium subscription required for the owner of the app."), .forbidden,
                .ownerPremiumMissing
            ),
            (
                error(403, "Player command failed: Premium required", reason: "PREMIUM_REQUIRED"), .notFound,
                .forbidden(reason: "PREMIUM_REQUIRED")
            ),
            (error(401, "x"), [.notFound, .forbidden], .accessTokenRefused),
            (UpstreamResponse(status: 204), .notFound, .invalidResponse(reason: "it is not JSON")),
            (text(200, "ok"), [.nothing, .notFound], .invalidResponse(reason: "it is not JSON")),
            (text(502, "<html>"), [.nothing, .notFound], .serverError(status: 502)),
        ] as [(UpstreamResponse, SpotifyClient.Expectation, SpotifyError)])
    func unexpectedAnswer(
        response: UpstreamResponse, expected: SpotifyClient.Expectation, error: SpotifyError
    ) async {
        await #expect(throws: error) {
            _ = try await client(response).read("/x", as: Document.self, expecting: expected)
        }
    }

    @Test("A call that changes something succeeds with any 2xx, whatever its body")
    func successfulCommands() async throws {
        for response in [UpstreamResponse(status: 204), Self.text(200, "a8f0e!"), Self.document, Self.text(202, "{")] {
            guard case .value = try await client(response).perform(.put, "/me/player/pause") else {
                Issue.record("\(response.status)")
                continue
            }
        }
        let device = Self.error(404, "No active device", reason: "NO_ACTIVE_DEVICE")
        guard
            case .notFound("NO_ACTIVE_DEVICE") = try await client(device)
                .perform(.post, "/me/player/next", expecting: .notFound)
        else {
            Issue.record("no device")
            return
        }
        await #expect(throws: SpotifyError.requestRefused(status: 404, reason: "NO_ACTIVE_DEVICE")) {
            _ = try await client(device).perform(.post, "/me/player/next")
        }
    }

    @Test(
        "Each error translates to one failure, with Spotify's own code and the requested wait",
        arguments: [
            (SpotifyError.grantRefused, ProviderFailure.Kind.grantRefused, "invalid_grant"),
            (.clientRefused, .clientRefused, "invalid_client"),
            (.tokenRequestRefused(code: "c"), .tokenRequestRefused, "c"),
            (.accessTokenRefused, .accessTokenRefused, nil), (.scopeMissing, .scopeMissing, nil),
            (.accountNotAllowed, .accountNotAllowed, nil), (.ownerPremiumMissing, .ownerPremiumMissing, nil),
            (.forbidden(reason: "R"), .forbidden, "R"),
            (.requestRefused(status: 404, reason: "R"), .requestRefused, "R"),
            (.rateLimited(after: .seconds(3)), .rateLimited, nil),
            (.quotaExhausted(after: .seconds(3)), .quotaExhausted, "QUOTA_EXCEEDED"),
            (.serverError(status: 500), .serverError, nil), (.invalidResponse(reason: "x"), .unreadable, nil),
        ] as [(SpotifyError, ProviderFailure.Kind, String?)])
    func failuresOfErrors(error: SpotifyError, kind: ProviderFailure.Kind, reason: String?) {
        let failure = error.failure(at: Timestamp(microseconds: 0))
        #expect(failure.provider == .spotify && failure.kind == kind && failure.reason == reason)
        #expect(failure.message == error.description)
        let waits = kind == .rateLimited || kind == .quotaExhausted
        #expect(failure.until == (waits ? Timestamp(microseconds: 3_000_000) : nil))
    }

    @Test("A reason that is not a code is reduced to the characters of one")
    func textThatIsNotACode() {
        let answer = Self.error(404, "x", reason: "NO <b>DEVICE</b> " + String(repeating: "x", count: 100))
        guard case .requestRefused(404, let reason?) = answer.webAPIError() else {
            Issue.record("no reason")
            return
        }
        #expect(reason.hasPrefix("NObDEVICEb") && reason.count == 60)
        #expect(Self.error(404, "x", reason: "<>").webAPIError() == .requestRefused(status: 404, reason: nil))
    }
}
