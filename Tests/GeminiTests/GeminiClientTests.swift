import Model
import TestSupport
import Testing
import Upstream

@testable import Gemini

@Suite("Calls to Gemini")
struct GeminiClientTests {
    private static let key = "AIza-the-key"

    private func verify(_ answer: UpstreamResponse) async throws {
        try await GeminiClient(key: Secret(Self.key), send: ScriptedUpstream(answer).send).verify()
    }

    @Test("A key is verified by listing one model, and sent only in a header")
    func requestOfAVerification() async throws {
        let upstream = ScriptedUpstream(
            .json(#"{"models": [{"name": "models/gemini-3.8-flash"}], "nextPageToken": "x"}"#))
        try await GeminiClient(key: Secret(Self.key), urgency: .background, send: upstream.send).verify()
        let request = try #require(upstream.requests.first)
        #expect(upstream.requests.count == 1)
        #expect(request.method == .get && request.path == "/models" && request.body == nil && request.isIdempotent)
        #expect(request.query.map { "\($0.name)=\($0.value)" } == ["pageSize=1"] && request.secretQuery.isEmpty)
        #expect(request.secretHeaders.map(\.name) == ["x-goog-api-key"])
        #expect(request.secretHeaders.first?.value.reveal() == Self.key)
        // Google refuses a key together with an Authorization header.
        #expect(!request.headers.contains { $0.name == "Authorization" || $0.value.contains(Self.key) })
        #expect(request.urgency == .background)
    }

    @Test(
        "A list without models also verifies a key",
        arguments: ["{}", #"{"models": []}"#, #"{"models": [{"new": 1}]}"#])
    func emptyList(text: String) async throws {
        try await verify(.json(text))
    }

    @Test("A success without a list verifies no key", arguments: ["", "<html>", "[]", #"{"models": 1}"#])
    func successWithoutAList(text: String) async {
        await #expect(throws: GeminiError(.unreadable)) { try await verify(.json(text)) }
    }

    @Test(
        "Each refusal has its error",
        arguments: [
            (
                .status(400, "INVALID_ARGUMENT", reason: "API_KEY_INVALID"), .keyInvalid, "API_KEY_INVALID"
            ),
            (
                .status(400, "INVALID_ARGUMENT", "API key expired. Renew it.", reason: "API_KEY_INVALID"), .keyExpired,
                "API_KEY_INVALID"
            ),
            (.status(400, "INVALID_ARGUMENT"), .upstreamError(status: 400), "INVALID_ARGUMENT"),
            (
                .status(400, "FAILED_PRECONDITION", "User location is not supported."), .locationUnsupported,
                "FAILED_PRECONDITION"
            ),
            (
                .status(401, "UNAUTHENTICATED", reason: "ACCESS_TOKEN_TYPE_UNSUPPORTED"), .keyNotChecked,
                "ACCESS_TOKEN_TYPE_UNSUPPORTED"
            ),
            (.status(401, "UNAUTHENTICATED"), .keyInvalid, "UNAUTHENTICATED"),
            (.status(403, "PERMISSION_DENIED", reason: "SERVICE_DISABLED"), .keyRestricted, "SERVICE_DISABLED"),
            (
                .status(403, "PERMISSION_DENIED", reason: "API_KEY_SERVICE_BLOCKED"), .keyRestricted,
                "API_KEY_SERVICE_BLOCKED"
            ),
            (.json("<html>", 403), .keyRestricted, nil),
            (.status(404, "NOT_FOUND"), .modelUnavailable, "NOT_FOUND"),
            (.json("", 429), .quota(after: .seconds(60)), nil),
            (.quota("PerMinute", delay: "26s"), .quota(after: .seconds(26)), "RESOURCE_EXHAUSTED"),
            (.quota("PerMinute", delay: "26.5s"), .quota(after: .milliseconds(26_500)), "RESOURCE_EXHAUSTED"),
            (.quota("PerDay", delay: "3s"), .quotaOfDay, "RESOURCE_EXHAUSTED"),
            (.status(500, "INTERNAL"), .upstreamError(status: 500), "INTERNAL"),
            (.status(503, "UNAVAILABLE"), .upstreamError(status: 503), "UNAVAILABLE"),
            (.json("gateway", 504), .upstreamError(status: 504), nil),
            // Text that cannot be one of Google's codes is not stored as one.
            (.status(403, "PERMISSION_DENIED", reason: "AIza-the-key"), .keyRestricted, "PERMISSION_DENIED"),
            (.status(403, "see\\nhere", reason: ""), .keyRestricted, nil),
        ] as [(UpstreamResponse, GeminiError.Kind, String?)])
    func errorsOfRefusals(answer: UpstreamResponse, kind: GeminiError.Kind, reason: String?) async {
        await #expect(throws: GeminiError(kind, reason: reason)) { try await verify(answer) }
    }

    @Test("Errors of the connection are thrown unchanged")
    func errorsOfTheConnection() async {
        let client = GeminiClient(key: Secret(Self.key)) { _ in throw UpstreamError.timedOut }
        await #expect(throws: UpstreamError.timedOut) { try await client.verify() }
    }

    @Test("No error contains text of an answer, which may repeat the key")
    func noTextEscapes() async {
        for status in [400, 401, 403, 404, 429, 500] {
            for reason in ["API_KEY_INVALID", "ACCESS_TOKEN_TYPE_UNSUPPORTED", Self.key] {
                let answer = UpstreamResponse.status(status, Self.key, "Invalid API key: \(Self.key)", reason: reason)
                let error = GeminiError(answer)
                let text = "\(error) \(error.failure(at: .now()))"
                #expect(!text.isEmpty && !text.contains(Self.key) && error.reason?.contains(Self.key) != true)
            }
        }
    }
}

@Suite("Verdicts on Gemini's answers")
struct GeminiVerdictTests {
    private static let now = Timestamp(microseconds: 1_700_000_000_000_000)

    private func verdict(_ response: UpstreamResponse, retryAfter: String? = nil) -> ResponseVerdict {
        var response = response
        response.headers["retry-after"] = retryAfter
        return GeminiClient.classify(response, now: Self.now)
    }

    @Test("A quota per minute pauses the key as long as the answer says, the daily quota until its reset")
    func pausesOfQuotas() {
        #expect(verdict(.quota("PerMinute", delay: "26.5s")) == .retryable(after: .milliseconds(26_500)))
        // The delay in the body takes precedence over the header.
        #expect(verdict(.quota("PerMinute", delay: "26s"), retryAfter: "9") == .retryable(after: .seconds(26)))
        #expect(verdict(.status(429, "RESOURCE_EXHAUSTED"), retryAfter: "9") == .retryable(after: .seconds(9)))
        #expect(verdict(.status(429, "RESOURCE_EXHAUSTED"), retryAfter: "0") == .retryable(after: .seconds(1)))
        // Without a delay the pause is a minute, as in the failure.
        #expect(verdict(.json("", 429)) == .retryable(after: .seconds(60)))
        // The pause ends at midnight in California, although the answer's delay is only seconds.
        let midnight = Timestamp(rfc3339: "2023-11-15T08:00:00Z")
        #expect(verdict(.quota("PerDay", delay: "3s")) == .pauseKey(until: midnight))
    }

    @Test("A malformed delay is ignored", arguments: ["-1s", "nan s", "NaNs", "1e9s", "26", "s", "infs", ""])
    func strangeDelays(text: String) {
        #expect(verdict(.quota("PerMinute", delay: text)) == .retryable(after: .seconds(60)))
    }

    @Test("The failure has the time at which the key's pause ends")
    func endOfAPause() {
        let answers: [(UpstreamResponse, String?, ProviderFailure.Kind)] = [
            (.quota("PerMinute", delay: "26.5s"), nil, .rateLimited),
            (.status(429, "RESOURCE_EXHAUSTED"), "9", .rateLimited), (.json("", 429), nil, .rateLimited),
            (.quota("PerDay", delay: "3s"), nil, .quotaExhausted),
        ]
        for (answer, retryAfter, kind) in answers {
            var answer = answer
            answer.headers["retry-after"] = retryAfter
            let failure = GeminiError(answer, now: Self.now).failure(at: Self.now)
            #expect(failure.provider == .gemini && failure.kind == kind)
            switch verdict(answer, retryAfter: retryAfter) {
            case .retryable(let wait?): #expect(failure.until == Self.now.advanced(by: wait))
            case .pauseKey(let until?): #expect(failure.until == until)
            case let other: Issue.record("\(other)")
            }
        }
    }

    @Test("Days on which California changes its clocks have 23 and 25 hours")
    func daysOfTheClockChange() throws {
        for (now, midnight) in [
            ("2026-11-20T20:00:00Z", "2026-11-21T08:00:00Z"), ("2026-03-08T09:00:00Z", "2026-03-09T07:00:00Z"),
            ("2026-11-01T07:30:00Z", "2026-11-02T08:00:00Z"),
        ] {
            let found = GeminiError.nextDay(after: try #require(Timestamp(rfc3339: now)))
            #expect(found == Timestamp(rfc3339: midnight))
        }
    }

    @Test("The day ends at midnight according to the answer's Date, and the weight is its input tokens")
    func dayAndWeightOfACall() {
        var answer = UpstreamResponse.json(
            #"{"usageMetadata": {"promptTokenCount": 321, "candidatesTokenCount": 9, "totalTokenCount": 330}}"#)
        #expect(GeminiClient.quotaReset(answer) == nil)
        answer.headers["date"] = "Fri, 20 Nov 2026 20:00:00 GMT"
        #expect(GeminiClient.quotaReset(answer) == Timestamp(rfc3339: "2026-11-21T08:00:00Z"))
        #expect(GeminiClient.inputTokens(answer) == 321)
        #expect(GeminiClient.inputTokens(.json(#"{"models": []}"#)) == nil)
        #expect(GeminiClient.inputTokens(.json("<html>")) == nil)
        answer.status = 500
        #expect(GeminiClient.inputTokens(answer) == nil)
    }

    @Test("Errors of Google's servers are retryable; errors of the key or the call are final")
    func errorsOfServers() {
        #expect([200, 204, 299].allSatisfy { verdict(.json("", $0)) == .success })
        #expect([408, 500, 503, 504].allSatisfy { verdict(.json("", $0)) == .retryable(after: nil) })
        #expect(verdict(.json("", 503), retryAfter: "7") == .retryable(after: .seconds(7)))
        #expect([400, 401, 403, 404].allSatisfy { verdict(.json("", $0)) == .final })
    }
}

extension UpstreamResponse {
    /// An error as Google's APIs write them.
    static func status(
        _ code: Int, _ status: String, _ message: String = "No.", reason: String? = nil
    ) -> UpstreamResponse {
        let type = "type.googleapis.com/google.rpc"
        let details = reason.map { #"{"@type": "\#(type).ErrorInfo", "reason": "\#($0)", "domain": "googleapis.com"}"# }
        return error(code, status, message, details: [#"{"@type": "\#(type).Help", "links": []}"#, details])
    }

    /// A 429 of a quota whose id says how long it lasts.
    static func quota(_ period: String, delay: String) -> UpstreamResponse {
        error(
            429, "RESOURCE_EXHAUSTED", "Quota exceeded.",
            details: [
                """
                {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [
                    {"quotaMetric": "m", "quotaId": "GenerateRequests\(period)PerProjectPerModel-FreeTier"}]}
                """,
                #"{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "\#(delay)"}"#,
            ])
    }

    private static func error(_ code: Int, _ status: String, _ message: String, details: [String?]) -> UpstreamResponse
    {
        .json(
            """
            {"error": {"code": \(code), "message": "\(message)", "status": "\(status)",
             "details": [\(details.compactMap(\.self).joined(separator: ","))]}}
            """, code)
    }
}
