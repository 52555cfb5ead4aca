import Foundation
import Model
import TestSupport
import Testing
import Upstream

@testable import Ticketmaster

@Suite("Errors of Ticketmaster")
struct TicketmasterErrorTests {
    private static let key = "Wd93kfYq0secret"

    private static let quota = UpstreamResponse.json(
        """
        {"fault": {"faultstring": "Rate limit quota violation. Quota limit  exceeded. Identifier : \(key)",
         "detail": {"errorcode": "policies.ratelimit.QuotaViolation"}}}
        """, 429)
    private static let spike = UpstreamResponse.json(
        """
        {"fault": {"faultstring": "Spike arrest violation. Allowed rate : 5ps. Rate limit quota violation",
         "detail": {"errorcode": "policies.ratelimit.SpikeArrestViolation"}}}
        """, 429)
    private static let badKey = UpstreamResponse.json(
        #"{"fault": {"faultstring": "Invalid ApiKey \#(key)", "detail": {"errorcode": "oauth.v2.InvalidApiKey"}}}"#,
        401)
    private static let deepPaging = UpstreamResponse.json(
        """
        {"errors": [{"code": "DIS1035", "detail": "API Limits Exceeded: Max paging depth exceeded \(key)",
         "status": "400 BAD_REQUEST", "_links": {"about": {"href": "/discovery/v2/errors.html#DIS1035"}}}]}
        """, 400)

    @Test(
        "Each refusal has its error",
        arguments: [
            (quota, TicketmasterError.quotaExhausted(resetsAt: nil)),
            (spike, .spikeArrest(after: .seconds(1))),
            (badKey, .keyInvalid(code: "oauth.v2.InvalidApiKey")),
            (
                .json(#"{"fault": {"detail": {"errorcode": "steps.oauth.v2.FailedToResolveAPIKey"}}}"#, 401),
                .keyInvalid(code: "steps.oauth.v2.FailedToResolveAPIKey")
            ),
            (
                .json(#"{"fault": {"detail": {"errorcode": "\#(key).oauth.v2.InvalidApiKey"}}}"#, 401),
                .keyInvalid(code: "•••.oauth.v2.InvalidApiKey")
            ),
            // Answers of a proxy and of a firewall, and an unknown form.
            (UpstreamResponse(status: 401), .upstreamError(status: 401)),
            (UpstreamResponse(status: 401, body: Array("<html>".utf8)), .upstreamError(status: 401)),
            (
                .json(#"{"fault": {"detail": {"errorcode": "policies.concurrentratelimit.Refused"}}}"#, 401),
                .upstreamError(status: 401)
            ),
            (
                deepPaging,
                .badRequest(code: "DIS1035", detail: "API Limits Exceeded: Max paging depth exceeded •••")
            ),
            (UpstreamResponse(status: 400), .badRequest(code: nil, detail: nil)),
            (UpstreamResponse(status: 404), .notFound),
            (UpstreamResponse(status: 429, body: Array("<html>".utf8)), .spikeArrest(after: .seconds(1))),
            (UpstreamResponse(status: 429, headers: ["retry-after": "9"]), .spikeArrest(after: .seconds(9))),
            (UpstreamResponse(status: 503, headers: ["retry-after": "3"]), .upstreamError(status: 503)),
            (UpstreamResponse(status: 302), .upstreamError(status: 302)),
        ])
    func errorsOfRefusals(answer: UpstreamResponse, expected: TicketmasterError) async throws {
        let error = await #expect(throws: TicketmasterError.self) {
            try await ScriptedUpstream(answer).client(key: Self.key).events(keyword: "Air")
        }
        #expect(error == expected)
        #expect(!String(reflecting: error).contains(Self.key))
        #expect(error.map { !$0.description.contains(Self.key) } == true)
    }

    @Test("A quota error has the reset time")
    func quotaReset() async throws {
        var answer = Self.quota
        answer.headers["rate-limit-reset"] = "1795300000000"
        await #expect(
            throws: TicketmasterError.quotaExhausted(resetsAt: Timestamp(microseconds: 1_795_300_000_000_000))
        ) {
            try await ScriptedUpstream(answer).client().events(keyword: "Air")
        }
    }

    @Test("The failure has the time at which the key's pause ends")
    func endOfAPause() throws {
        let now = try #require(Timestamp(rfc3339: "2026-11-20T10:00:00Z"))
        for var answer in [Self.quota, Self.spike] {
            answer.headers["retry-after"] = "30"
            let until = TicketmasterError(answer, key: Secret(Self.key), now: now).failure(at: now).until
            #expect(until == now.advanced(by: .seconds(30)))
            switch TicketmasterClient.classify(answer, now: now) {
            case .retryable(let wait?): #expect(until == now.advanced(by: wait))
            case .pauseKey(let end?): #expect(until == end)
            case let other: Issue.record("\(other)")
            }
        }
    }

    @Test("Each answer has its verdict")
    func verdictsOfAnswers() throws {
        let now = try #require(Timestamp(rfc3339: "2026-11-20T10:00:00Z"))
        func verdict(_ status: Int, _ headers: [String: String] = [:]) -> ResponseVerdict {
            TicketmasterClient.classify(UpstreamResponse(status: status, headers: headers), now: now)
        }
        #expect(verdict(200) == .success)
        #expect(verdict(200, ["content-type": "text/html"]) == .success)
        #expect(verdict(400) == .final)
        #expect(verdict(401) == .final)
        #expect(verdict(404) == .final)
        #expect(verdict(301) == .final)
        #expect(verdict(500) == .retryable(after: nil))
        #expect(verdict(503, ["retry-after": "7"]) == .retryable(after: .seconds(7)))
        #expect(verdict(503, ["retry-after": "Fri, 20 Nov 2026 10:00:30 GMT"]) == .retryable(after: .seconds(30)))
        #expect(verdict(503, ["retry-after": "Fri, 20 Nov 2026 09:00:30 GMT"]) == .retryable(after: .zero))
        #expect(verdict(503, ["retry-after": "soon"]) == .retryable(after: nil))
        #expect(verdict(429) == .retryable(after: .seconds(1)))
        #expect(TicketmasterClient.classify(Self.spike, now: now) == .retryable(after: .seconds(1)))
        #expect(TicketmasterClient.classify(Self.quota, now: now) == .pauseKey(until: nil))
        var quota = Self.quota
        quota.headers["rate-limit-reset"] = "1795300000000"
        #expect(
            TicketmasterClient.classify(quota, now: now)
                == .pauseKey(until: Timestamp(microseconds: 1_795_300_000_000_000)))
    }

    @Test(
        "Each error is one failure; a temporary one has its time",
        arguments: [
            (TicketmasterError.keyMissing, ProviderFailure.Kind.credentialMissing, nil),
            (.keyInvalid(code: "c"), .keyRefused, nil),
            (.quotaExhausted(resetsAt: nil), .quotaExhausted, nil),
            (.spikeArrest(after: .seconds(2)), .rateLimited, 2_000_001),
            (.quotaExhausted(resetsAt: Timestamp(microseconds: 7)), .quotaExhausted, 7),
            (.invalidResponse(reason: ""), .unreadable, nil), (.notFound, .requestRefused, nil),
            (.badRequest(code: "DIS1035", detail: nil), .requestRefused, nil),
            (.upstreamError(status: 503), .serverError, nil), (.upstreamError(status: 408), .serverError, nil),
            (.upstreamError(status: 401), .forbidden, nil), (.upstreamError(status: 302), .requestRefused, nil),
        ])
    func failuresOfErrors(error: TicketmasterError, kind: ProviderFailure.Kind, until: Int64?) {
        let failure = error.failure(at: Timestamp(microseconds: 1))
        #expect(failure.provider == .ticketmaster && failure.kind == kind && !failure.message.isEmpty)
        #expect(failure.until == until.map { Timestamp(microseconds: $0) })
        if case .badRequest = error { #expect(failure.reason == "DIS1035") }
        if case .keyInvalid = error { #expect(failure.reason == "c") }
    }
}
