import Foundation
import TestSupport
import Testing

@testable import UpstreamSimulator

/// What the simulated models answer.
@Suite("The simulated models")
struct GenerationTests {
    private static let data =
        #"{\"wish\":\"calm\",\"count\":3,\"candidates\":[[1,\"A\",\"B\"],[2,\"C\",\"D\",1990],[3,\"E\",\"F\"],[4,\"G\",\"H\"]]}"#
    private static let schema = #"""
        {"type":"OBJECT","properties":{"songs":{"type":"ARRAY","items":{"type":"OBJECT","properties":\#
        {"number":{"type":"INTEGER"},"why":{"type":"ARRAY","items":{"type":"STRING","enum":["genre"]}}}}}}}
        """#

    private func body(schema: String = Self.schema, room: Int = 4_000) -> String {
        #"{"systemInstruction":{"parts":[{"text":"Choose."}]},"contents":[{"role":"user","parts":[{"text":"\#(Self.data)"}]}],"#
            + #""generationConfig":{"maxOutputTokens":\#(room),"responseMimeType":"application/json","responseSchema":\#(schema)}}"#
    }

    private func generate(_ server: RunningSimulator, _ body: String) async throws -> RawResponse {
        try await server.send(
            "POST", "/gemini/v1beta/models/gemini-3.8-flash:generateContent",
            headers: ["x-goog-api-key: demo-gemini-key"], body: body)
    }

    @Test("An answer names as many of the listed songs as requested, and counts its tokens")
    func plausibleAnswers() async throws {
        try await withSimulator { server in
            let answer = try await generate(server, body())
            #expect(answer.status == 200)
            let candidates = try #require(answer.json?["candidates"] as? [[String: Any]])
            let content = try #require(candidates.first?["content"] as? [String: Any])
            let parts = try #require(content["parts"] as? [[String: Any]])
            let text = try #require(parts.first?["text"] as? String)
            let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            let numbers = (json?["songs"] as? [[String: Any]])?.compactMap { $0["number"] as? Int } ?? []
            #expect(numbers.count == 3 && Set(numbers).isSubset(of: [1, 2, 3, 4]))
            let usage = answer.json?["usageMetadata"] as? [String: Any]
            #expect((usage?["totalTokenCount"] as? Int ?? 0) > (usage?["promptTokenCount"] as? Int ?? 0))
        }
    }

    @Test("A keyword that the schema does not have is refused, as is a retired model")
    func refusedRequests() async throws {
        try await withSimulator { server in
            let refused = try await generate(server, body(schema: #"{"type":"OBJECT","additionalProperties":false}"#))
            #expect(refused.status == 400 && refused.text.contains(#"Unknown name \"additionalProperties\""#))
            let retired = try await server.send(
                "POST", "/gemini/v1beta/models/gemini-2.0-flash:generateContent",
                headers: ["x-goog-api-key: demo-gemini-key"], body: body())
            #expect(retired.status == 404)
        }
    }

    @Test("A small room leaves no parts to a model that thinks")
    func roomForThoughts() async throws {
        try await withSimulator { server in
            let answer = try await generate(server, body(room: 100))
            #expect(answer.text.contains("MAX_TOKENS") && !answer.text.contains("\"parts\""))
        }
    }

    @Test("A local model accepts the response formats that it knows, and finds the schema in the instructions")
    func formatsOfALocalModel() async throws {
        try await withSimulator { server in
            func complete(_ format: String) async throws -> RawResponse {
                try await server.send(
                    "POST", "/ai-endpoint/v1/chat/completions",
                    body:
                        #"{"model":"demo-model","max_tokens":900,"messages":[{"role":"system","content":"JSON Schema: {\"properties\":{\"songs\":{\"items\":{\"properties\":{\"number\":{}}}}}}"},{"role":"user","content":"\#(Self.data)"}]\#(format)}"#
                )
            }
            let whole = try await complete("")
            #expect(whole.text.contains("<think>") && whole.text.contains("number"))
            let refused = try await complete(#","response_format":{"type":"grammar"}"#)
            #expect(refused.status == 400)
        }
    }
}
