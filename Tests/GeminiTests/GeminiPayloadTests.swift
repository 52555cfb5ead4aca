import Model
import TestSupport
import Testing
import Upstream

@testable import Gemini

@Suite(
    "Recorded payloads of Gemini",
    .enabled(if: RecordedPayloads.gemini.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
struct GeminiPayloadTests {
    private func answer(_ name: String, _ status: Int) throws -> UpstreamResponse {
        .json(try RecordedPayloads.gemini.data(name), status)
    }

    @Test("A wrong key, an unsupported country, a quota and an unknown model have their errors")
    func recordedRefusals() async throws {
        let expected: [(name: String, status: Int, kind: GeminiError.Kind, reason: String)] = [
            ("googleai_unary-failure-api-key.json", 400, .keyInvalid, "API_KEY_INVALID"),
            (
                "vertexai_unary-failure-unsupported-user-location.json", 400, .locationUnsupported,
                "FAILED_PRECONDITION"
            ),
            ("vertexai_unary-failure-quota-exceeded.json", 429, .quota(after: .seconds(60)), "RATE_LIMIT_EXCEEDED"),
            ("googleai_unary-failure-unknown-model.json", 404, .modelUnavailable, "NOT_FOUND"),
        ]
        for (name, status, kind, reason) in expected {
            let client = GeminiClient(key: Secret("k"), send: ScriptedUpstream(try answer(name, status)).send)
            await #expect(throws: GeminiError(kind, reason: reason), "\(name)") { try await client.verify() }
        }
    }

    @Test("The error for a wrong key does not repeat it")
    func keyStaysSecret() throws {
        let text = "\(GeminiError(try answer("googleai_unary-failure-api-key.json", 400)))"
        #expect(!text.contains("key1234"))
    }

    @Test("A quota without a retry delay pauses the key for a minute")
    func quotaWithoutADelay() throws {
        let answer = try answer("vertexai_unary-failure-quota-exceeded.json", 429)
        #expect(GeminiClient.classify(answer) == .retryable(after: .seconds(60)))
    }
}
