import Foundation
import Model
import TestSupport
import Testing
import Upstream

@testable import Gemini

@Suite("Answers of Gemini's models")
struct GeminiGenerationTests {
    private static let prompt = GeminiPrompt(
        systemInstruction: "Choose.", text: #"{"wish":"a \"song\""}"#,
        schema: .object(
            [
                .init(
                    "songs",
                    .list(.object([.init("number", .integer), .init("why", .choice(["a", "b"]))], required: [])))
            ],
            required: ["songs"]), maxOutputTokens: 900)

    private func answer(_ text: String) async throws -> GeminiAnswer {
        try await GeminiClient(key: Secret("k"), send: ScriptedUpstream(.json(text)).send)
            .generate(Self.prompt, model: "gemini-3.8-flash", weight: 40)
    }

    @Test("A prompt is sent with its schema, the key only in a header, and its weight")
    func requestOfAGeneration() async throws {
        let upstream = ScriptedUpstream(.json("{}"))
        _ = try await GeminiClient(key: Secret("the-key"), send: upstream.send)
            .generate(Self.prompt, model: "gemini-3.8-flash", weight: 40)
        let request = try #require(upstream.requests.first)
        #expect(request.method == .post && request.path == "/models/gemini-3.8-flash:generateContent")
        #expect(request.secretHeaders.map(\.name) == ["x-goog-api-key"] && request.weight == 40)
        let body = try #require(request.body)
        let expected = #"""
            {"contents":[{"parts":[{"text":"{\"wish\":\"a \\\"song\\\"\"}"}],"role":"user"}],"generationConfig":\#
            {"maxOutputTokens":900,"responseMimeType":"application/json","responseSchema":{"properties":{"songs":\#
            {"items":{"properties":{"number":{"type":"INTEGER"},"why":{"enum":["a","b"],"type":"STRING"}},\#
            "propertyOrdering":["number","why"],"required":[],"type":"OBJECT"},"type":"ARRAY"}},\#
            "propertyOrdering":["songs"],"required":["songs"],"type":"OBJECT"}},\#
            "systemInstruction":{"parts":[{"text":"Choose."}]}}
            """#
        #expect(String(decoding: body, as: UTF8.self) == expected)
    }

    @Test(
        "Parts are joined without thoughts, and there is no answer with any reason but STOP",
        arguments: [
            (
                #"{"candidates":[{"content":{"parts":[{"text":"{\"a\""},{"text":"hm","thought":true},{"text":":1}"}]},"finishReason":"STOP"}]}"#,
                GeminiAnswer.Outcome.text(#"{"a":1}"#)
            ),
            (#"{"candidates":[{"content":{"role":"model"},"finishReason":"MAX_TOKENS"}]}"#, .cutOff("")),
            (
                #"{"candidates":[{"content":{"parts":[{"text":"{\"a\":"}]},"finishReason":"MAX_TOKENS"}]}"#,
                .cutOff(#"{"a":"#)
            ),
            (#"{"candidates":[{"finishReason":"SAFETY"}]}"#, .answerBlocked("SAFETY")),
            (#"{"candidates":[{"finishReason":"BRAND_NEW"}]}"#, .answerBlocked("BRAND_NEW")),
            (#"{"candidates":[{"finishReason":"sk-a key? <b>"}]}"#, .answerBlocked("UNKNOWN")),
            (#"{"promptFeedback":{"blockReason":"OTHER"}}"#, .promptBlocked("OTHER")),
            (#"{"candidates":[],"promptFeedback":{"blockReason":"BLOCKLIST"}}"#, .promptBlocked("BLOCKLIST")),
            (#"{"candidates":[]}"#, .empty), ("{}", .empty),
            (#"{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}]}"#, .empty),
            (#"{"candidates":[{"content":{"parts":[{"text":"x"}]}}]}"#, .empty),
        ])
    func outcomesOfAnswers(text: String, expected: GeminiAnswer.Outcome) async throws {
        #expect(try await answer(text).outcome == expected)
    }

    @Test("Tokens and the model are read if the answer has them")
    func tokensAndModel() async throws {
        let known = try await answer(#"{"usageMetadata":{"totalTokenCount":812},"modelVersion":"gemini-3.5-flash"}"#)
        #expect(known.tokens == TokenUsage(total: 812) && known.modelVersion == "gemini-3.5-flash")
        #expect(try await answer("{}").tokens == nil)
        // Thoughts are output, whether they are named or not.
        for thoughts in [#""thoughtsTokenCount":500,"#, ""] {
            let text = """
                {"usageMetadata":{"promptTokenCount":300,"candidatesTokenCount":12,\(thoughts)"totalTokenCount":812}}
                """
            #expect(try await answer(text).tokens == TokenUsage(input: 300, output: 512))
        }
        let parts = #"{"usageMetadata":{"promptTokenCount":300,"candidatesTokenCount":12,"thoughtsTokenCount":500}}"#
        #expect(try await answer(parts).tokens == TokenUsage(input: 300, output: 512))
    }

    @Test("Anything but an answer document is unreadable", arguments: ["", "[]", "<html>", #"{"candidates":{}}"#])
    func unreadableAnswers(text: String) async {
        await #expect(throws: GeminiError(.unreadable)) { try await answer(text) }
    }

    @Test(
        "Recorded answers are read",
        .enabled(if: RecordedPayloads.gemini.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
    func recordedAnswers() async throws {
        func outcome(_ name: String) async throws -> GeminiAnswer.Outcome {
            let response = UpstreamResponse.json(try RecordedPayloads.gemini.data(name))
            return try await GeminiClient(key: Secret("k"), send: ScriptedUpstream(response).send)
                .generate(Self.prompt, model: "m", weight: 1).outcome
        }
        #expect(try await outcome("googleai_unary-failure-finish-reason-safety.json") == .answerBlocked("SAFETY"))
        #expect(try await outcome("vertexai_unary-failure-prompt-blocked-safety.json") == .promptBlocked("SAFETY"))
        for name in [
            "googleai_unary-success-basic-reply-short.json", "vertexai_unary-success-constraint-decoding-json.json",
        ] {
            guard case .text(let text) = try await outcome(name) else {
                Issue.record("\(name) has no text")
                continue
            }
            #expect(!text.isEmpty)
        }
    }
}
