import Foundation
import Model
import Synchronization
import TestSupport
import Testing
import Upstream

@testable import Spotify

@Suite("Calls to Spotify")
struct SpotifyClientTests {
    private static let tokens = UpstreamResponse.json(
        #"{"access_token": "new-access", "token_type": "Bearer", "expires_in": 3600, "scope": "a b"}"#)

    @Test("A code is exchanged as a form, with the verifier and without an app secret")
    func exchangedCode() async throws {
        let (log, client) = accounts(Self.tokens)
        let tokens = try await client.exchange(
            code: Secret("co+de/="), redirectURI: "http://127.0.0.1:8080/cb", verifier: Secret("veri~fier"))
        let request = try #require(log.requests.first)
        #expect(request.method == .post && request.path == "/api/token" && !request.isIdempotent)
        #expect(request.headers.contains { $0 == ("Content-Type", "application/x-www-form-urlencoded") })
        #expect(!request.headers.contains { $0.name == "Authorization" } && request.secretHeaders.isEmpty)
        #expect(
            String(decoding: request.body ?? [], as: UTF8.self)
                == "grant_type=authorization_code&code=co%2Bde%2F%3D&redirect_uri=http%3A%2F%2F127.0.0.1%3A8080%2Fcb"
                + "&client_id=app&code_verifier=veri~fier")
        #expect(
            tokens
                == .init(
                    accessToken: Secret("new-access"), lifetime: .seconds(3_600), refreshToken: nil,
                    scopes: ["a", "b"]))
    }

    @Test("A refresh may return a new refresh token or none")
    func refreshedToken() async throws {
        let (_, keeping) = accounts(Self.tokens)
        #expect(try await keeping.refresh(Secret("r")).refreshToken == nil)
        let (log, rotating) = accounts(.json(#"{"access_token": "n", "refresh_token": "r2", "scope": null}"#))
        let tokens = try await rotating.refresh(Secret("r1"))
        #expect(tokens.refreshToken == Secret("r2") && tokens.scopes == nil && tokens.lifetime == .seconds(3_600))
        #expect(
            String(decoding: log.requests[0].body ?? [], as: UTF8.self)
                == "grant_type=refresh_token&refresh_token=r1&client_id=app")
    }

    private static let strange400 = SpotifyError.invalidResponse(
        reason: "it has the status 400 and is not an error of the token endpoint")

    @Test(
        "Only the token endpoint's own JSON ends a grant",
        arguments: [
            (UpstreamResponse.json(#"{"error":"invalid_grant"}"#, 400), SpotifyError.grantRefused),
            (.json(#"{"error":"invalid_client"}"#, 400), .clientRefused),
            (.json(#"{"error":"invalid_client"}"#, 401), .clientRefused),
            (.json(#"{"error":"invalid_request"}"#, 400), .tokenRequestRefused(code: "invalid_request")),
            (.json(#"{"error":"new error\n<>"}"#, 400), .tokenRequestRefused(code: "newerror")),
            (.text("invalid_grant", 400), strange400), (.text(#"{"error":"invalid_grant"}"#, 400), strange400),
            (.text("<html>", 502), .serverError(status: 502)),
            (.json(#"{"error":"invalid_grant"}"#, 503), .serverError(status: 503)),
            (.text("Too many requests", 429), .rateLimited(after: .seconds(15))),
            (.text("<html>", 200), .invalidResponse(reason: "it is not JSON")),
            (.json("{", 200), .invalidResponse(reason: "it lacks a required member")),
            (.json("{}", 200), .invalidResponse(reason: "it has no access token")),
            (.json("{}", 302), .invalidResponse(reason: "it has the status 302")),
        ])
    func tokenErrors(response: UpstreamResponse, error: SpotifyError) async {
        let (_, client) = accounts(response)
        await #expect(throws: error) { try await client.refresh(Secret("r")) }
    }

    @Test(
        "The refusals of the Web API are told apart, in JSON or text",
        arguments: [
            (UpstreamResponse.error(401, "The access token expired"), SpotifyError.accessTokenRefused),
            (.error(403, "Insufficient client scope"), .scopeMissing),
            (
                .text("Check settings on developer.spotify.com/dashboard, the user may not be registered.", 403),
                .accountNotAllowed
            ),
            (.text("User not registered in the Developer Dashboard", 403), .accountNotAllowed),
            (.text("Forbidden", 403), .forbidden(reason: nil)), (.error(403, "Forbidden"), .forbidden(reason: nil)),
            (.error(404, "x"), .requestRefused(status: 404, reason: nil)),
            (.error(429, "x"), .rateLimited(after: .seconds(15))),
            (.text("", 500), .serverError(status: 500)), (.text("ok", 200), .invalidResponse(reason: "it is not JSON")),
            (.json("{}", 200), .invalidResponse(reason: "it names no account")),
        ])
    func webAPIErrors(response: UpstreamResponse, error: SpotifyError) async {
        await #expect(throws: error) { try await SpotifyClient(accessToken: Secret("t")) { _ in response }.me() }
    }

    @Test("Both ids of an account are read, and its name if it has one")
    func idsOfAnAccount() async throws {
        func me(_ text: String) async throws -> SpotifyClient.Profile {
            try await SpotifyClient(accessToken: Secret("t")) { request in
                #expect(request.path == "/me" && request.secretHeaders.map { $0.value.reveal() } == ["Bearer t"])
                return .json(text)
            }.me()
        }
        let ada = #"{"id":"ada","account_id":"acc1","display_name":"Ada"}"#
        #expect(try await me(ada) == .init(accountID: "acc1", id: "ada", name: "Ada"))
        #expect(
            try await me(#"{"id":"ada","account_id":"","display_name":null,"new":[1]}"#)
                == .init(accountID: nil, id: "ada", name: nil))
        #expect(try await me(#"{"account_id":"acc1"}"#) == .init(accountID: "acc1", id: nil, name: nil))
    }

    @Test("A 429 pauses the app for as long as Spotify says, up to a day, or for a default time")
    func pauseOfTheApp() {
        let now = Timestamp(microseconds: 1_700_000_000_000_000)
        func verdict(_ status: Int, _ retryAfter: String?, _ body: String = "") -> ResponseVerdict {
            var response = UpstreamResponse.json(body, status)
            response.headers["retry-after"] = retryAfter
            return SpotifyVerdict.classify(response, now: now)
        }
        #expect(verdict(429, "86400") == .retryable(after: .seconds(86_400)))
        #expect(verdict(429, nil) == .retryable(after: .seconds(15)))
        let quota = #"{"error":{"status":429,"message":"x","reason":"QUOTA_EXCEEDED"}}"#
        #expect(verdict(429, nil, quota) == .pauseKey(until: Timestamp(rfc3339: "2023-11-15T00:00:00Z")))
        #expect(verdict(429, "60", quota) == .pauseKey(until: now.advanced(by: .seconds(60))))
        #expect(verdict(502, nil) == .retryable(after: nil))
        #expect([400, 401, 403, 404].allSatisfy { verdict($0, nil) == .final })
        #expect(verdict(200, nil) == .success)
    }

    @Test(
        "The error of a 429 ends at the same time as the pause that it starts",
        arguments: [nil, "60", "0"])
    func endOfAPause(retryAfter: String?) {
        let now = Timestamp(microseconds: 1_700_000_000_000_000)
        for reason in [nil, "QUOTA_EXCEEDED"] {
            var response = UpstreamResponse.error(429, "x", reason: reason)
            response.headers["retry-after"] = retryAfter
            let (api, token) = (response.webAPIError(now: now), response.tokenError(now: now))
            #expect(api == token)
            switch (SpotifyVerdict.classify(response, now: now), api) {
            case (.retryable(let pause), .rateLimited(let wait)):
                #expect(wait == pause && wait > .zero && reason == nil)
            case (.pauseKey(let end), .quotaExhausted(let wait)):
                #expect(now.advanced(by: wait) == end && wait > .zero && reason != nil)
            case (let verdict, let error): Issue.record("\(verdict), \(error)")
            }
        }
    }

    @Test("Error texts contain no part of an answer")
    func noTextEscapes() {
        for error in [SpotifyError.grantRefused, .tokenRequestRefused(code: "x"), .invalidResponse(reason: "r")] {
            #expect(!"\(error)".isEmpty)
        }
        let response = UpstreamResponse.json(#"{"error":"BQD-secret/token+value"}"#, 400)
        #expect(!"\(response.tokenError())".contains("BQD-secret/"))
    }

    private func accounts(_ response: UpstreamResponse) -> (RequestLog, SpotifyAccountsClient) {
        let log = RequestLog()
        return (log, SpotifyAccountsClient(clientID: "app") { log.note($0, response) })
    }
}

@Suite(
    "Recorded payloads of Spotify",
    .enabled(if: RecordedPayloads.spotify.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
struct SpotifyPayloadTests {
    private static func answer(_ name: String, _ status: Int = 200) throws -> UpstreamResponse {
        .json(String(decoding: try RecordedPayloads.spotify.data(name), as: UTF8.self), status)
    }

    @Test("The token endpoint's answers, the person and the refusals are read")
    func recordedPayloads() async throws {
        func tokens(_ name: String, _ status: Int = 200) async throws -> SpotifyAccountsClient.Tokens {
            let answer = try Self.answer(name, status)
            return try await SpotifyAccountsClient(clientID: "app") { _ in answer }.refresh(Secret("r"))
        }
        #expect(try await tokens("token_AuthorizationCode.json").refreshToken != nil)
        #expect(try await tokens("token_AuthorizationCodePKCERefresh.json").refreshToken != nil)
        #expect(try await tokens("token_AuthorizationCodeRefresh.json").refreshToken == nil)
        await #expect(throws: SpotifyError.clientRefused) { try await tokens("token_auth-invalid-client.json", 400) }
        func me(_ name: String, _ status: Int = 200) async throws -> SpotifyClient.Profile {
            let answer = try Self.answer(name, status)
            return try await SpotifyClient(accessToken: Secret("t")) { _ in answer }.me()
        }
        let joost = SpotifyClient.Profile(
            accountID: nil, id: "1112264649", name: "Joost Lekkerkerker", country: "NL")
        #expect(try await me("current_user.json") == joost)
        await #expect(throws: SpotifyError.rateLimited(after: .seconds(15))) { try await me("rate_limit.json", 429) }
    }
}

/// The requests that were sent.
private final class RequestLog: Sendable {
    private let log = Mutex<[UpstreamRequest]>([])

    var requests: [UpstreamRequest] { log.withLock { $0 } }

    func note(_ request: UpstreamRequest, _ response: UpstreamResponse) -> UpstreamResponse {
        log.withLock { $0.append(request) }
        return response
    }
}

extension UpstreamResponse {
    /// An error in the Web API's nested form.
    static func error(_ status: Int, _ message: String, reason: String? = nil) -> UpstreamResponse {
        let more = reason.map { #","reason":"\#($0)""# } ?? ""
        return .json(#"{"error":{"status":\#(status),"message":"\#(message)"\#(more)}}"#, status)
    }

    static func text(_ text: String, _ status: Int) -> UpstreamResponse {
        UpstreamResponse(status: status, headers: ["content-type": "text/plain"], body: Array(text.utf8))
    }
}
