import Model
import TestSupport
import Testing
import Upstream

@testable import ChatCompletions

@Suite("Tokens that a server with chat completions reports")
struct ChatUsageTests {
    private func answer(_ text: String) async throws -> ChatAnswer {
        let prompt = ChatPrompt(system: "Choose.", user: "{}", schema: #"{"type":"object"}"#, maxTokens: 300)
        return try await ChatClient(server: "home", key: nil, model: "m", send: ScriptedUpstream(.json(text)).send)
            .complete(prompt, as: ChatPrompt.Style())
    }

    @Test("Tokens are split where the server splits them, and those read of the prompt are reported separately")
    func countsOfTokens() async throws {
        let text = #"{"choices":[],"usage":{"prompt_tokens":300,"completion_tokens":12,"total_tokens":312}}"#
        let whole = try await answer(text)
        #expect(whole.tokens == TokenUsage(input: 300, output: 12) && whole.promptTokens == 300)
        let prompt = try await answer(#"{"choices":[],"usage":{"prompt_tokens":300}}"#)
        #expect(prompt.tokens == nil && prompt.promptTokens == 300)
        #expect(try await answer(#"{"choices":[]}"#).tokens == nil)
        let absurd = try await answer(
            #"{"choices":[],"usage":{"prompt_tokens":9223372036854775807,"completion_tokens":9223372036854775807}}"#)
        #expect(absurd.tokens == TokenUsage(input: 1_000_000_000, output: 1_000_000_000))
    }

    @Test(
        "The prompt tokens include those from a cache, and a server that counts none reports nothing",
        arguments: [
            (#"{"input_tokens":12,"output_tokens":5,"cache_read_input_tokens":4000}"#, 4_012),
            (#"{"input_tokens":12,"cache_read_input_tokens":0,"cache_creation_input_tokens":3000}"#, 3_012),
            (#"{"input_tokens":12,"cache_read_input_tokens":-1,"cache_creation_input_tokens":null}"#, 12),
            (#"{"prompt_tokens":4012,"input_tokens":12,"cache_read_input_tokens":4000}"#, 4_012),
            (
                #"{"input_tokens":9223372036854775807,"cache_read_input_tokens":9223372036854775807}"#,
                1_000_000_000
            ),
            (#"{"cache_read_input_tokens":4000}"#, nil), (#"{"prompt_tokens":0}"#, nil),
            (#"{"prompt_tokens":-5}"#, nil), (#"{"input_tokens":"12"}"#, nil), ("[]", nil),
        ] as [(String, Int?)])
    func promptTokens(usage: String, expected: Int?) async throws {
        let told = try await answer(#"{"content":[{"type":"text","text":"{}"}],"usage":\#(usage)}"#)
        #expect(told.promptTokens == expected)
    }

    @Test("Cached tokens count as input")
    func cachedUsage() async throws {
        let usage = #"{"input_tokens":12,"output_tokens":5,"cache_read_input_tokens":4000}"#
        let told = try await answer(#"{"content":[{"type":"text","text":"{}"}],"usage":\#(usage)}"#)
        #expect(told.tokens == TokenUsage(input: 4_012, output: 5))
    }
}
