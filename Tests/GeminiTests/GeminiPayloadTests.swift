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

    @Test("A wrong key, a country that is not served, a quota and an unknown model are told apart")
    func refusals() async throws {
        let expected: [(name: String, status: Int, error: GeminiError)] = [
            ("googleai_unary-failure-api-key.json", 400, .keyInvalid),
            ("vertexai_unary-failure-unsupported-user-location.json", 400, .locationUnsupported),
            (
                "vertexai_unary-failure-quota-exceeded.json", 429, .quotaExceeded(isOfDay: false, retryAfter: nil)
            ),
            ("googleai_unary-failure-unknown-model.json", 404, .upstreamError(status: 404)),
        ]
        for (name, status, error) in expected {
            let client = GeminiClient(key: Secret("k"), send: ScriptedUpstream(try answer(name, status)).send)
            await #expect(throws: error, "\(name)") { try await client.verify() }
        }
    }

    @Test("The error of a wrong key, which repeats it, says nothing of it")
    func keyStaysSecret() throws {
        let text = "\(GeminiError(try answer("googleai_unary-failure-api-key.json", 400)))"
        #expect(!text.contains("key1234"))
    }

    @Test("A quota whose answer says neither how long it lasts nor when to come back is tried again")
    func quota() throws {
        let answer = try answer("vertexai_unary-failure-quota-exceeded.json", 429)
        #expect(GeminiClient.classify(answer) == .retryable(after: nil))
    }
}
