import Foundation
import Model
import TestSupport
import Testing
import Upstream

@testable import ChatCompletions

@Suite("Calls to a server with chat completions")
struct ChatClientTests {
    private static let prompt = ChatPrompt(
        system: "Choose.", user: "{}", schema: #"{"type":"object"}"#, maxTokens: 300)

    private func answer(_ text: String, _ status: Int = 200) async throws -> ChatAnswer {
        try await ChatClient(server: "home", key: nil, model: "m", send: ScriptedUpstream(.json(text, status)).send)
            .complete(Self.prompt, as: ChatPrompt.Style())
    }

    @Test("The answer's form is requested in the style that the server accepts, and always in the instructions")
    func requestedFormOfAnswers() async throws {
        var formats: [String?] = []
        for form in ChatPrompt.Form.allCases {
            let upstream = ScriptedUpstream(.json(#"{"choices":[]}"#))
            _ = try await ChatClient(server: "home", key: Secret("sesame"), model: "llama3.1:8b", send: upstream.send)
                .complete(Self.prompt, as: ChatPrompt.Style(form))
            let request = try #require(upstream.requests.first)
            #expect(request.method == .post && request.path == "/chat/completions")
            #expect(request.secretHeaders.first?.value.reveal() == "Bearer sesame")
            let body = try JSONSerialization.jsonObject(with: Data(try #require(request.body))) as? [String: Any]
            #expect(body?["model"] as? String == "llama3.1:8b" && body?["max_tokens"] as? Int == 300)
            let messages = body?["messages"] as? [[String: String]]
            #expect(messages?.first?["content"]?.contains(Self.prompt.schema) == true)
            formats.append((body?["response_format"] as? [String: Any])?["type"] as? String)
        }
        #expect(formats == ["json_schema", "json_object", nil])
    }

    @Test(
        "Answers are read as their outcome",
        arguments: [
            (#"{"choices":[{"message":{"content":"{}"},"finish_reason":"stop"}]}"#, ChatAnswer.Outcome.text("{}")),
            (#"{"choices":[{"message":{"content":"{}"},"finish_reason":null}]}"#, .text("{}")),
            (#"{"choices":[{"message":{"content":null},"finish_reason":"length"}]}"#, .cutOff("")),
            (#"{"choices":[{"message":{"content":"{\"a"},"finish_reason":"length"}]}"#, .cutOff(#"{"a"#)),
            (#"{"choices":[{"message":{"content":"{}"},"finish_reason":"MAX_TOKENS"}]}"#, .cutOff("{}")),
            // Unfinished thoughts contain only drafts.
            (
                #"{"choices":[{"message":{"content":"","reasoning":"{} or"},"finish_reason":"length"}]}"#,
                .cutOff("")
            ),
            (#"{"choices":[{"message":{"reasoning":"So: {}"},"finish_reason":"length"}]}"#, .cutOff("So: {}")),
            (#"{"choices":[{"message":{},"finish_reason":"content_filter"}]}"#, .filtered),
            (#"{"choices":[{"message":{"content":" ","reasoning":"hm"}}]}"#, .thoughts("hm")),
            (#"{"choices":[{"message":{"content":null,"reasoning_content":"{}"}}]}"#, .thoughts("{}")),
            (#"{"choices":[{"message":{"content":"</think>","reasoning_content":"{}"}}]}"#, .thoughts("{}")),
            (#"{"choices":[{"message":{"content":" <think></think>\n","reasoning":"{}"}}]}"#, .thoughts("{}")),
            (#"{"choices":[{"message":{"content":"","reasoning_text":"{}"}}]}"#, .thoughts("{}")),
            (#"{"choices":[{"message":{"content":"","thought":"{}"}}]}"#, .thoughts("{}")),
            (#"{"choices":[{"message":{"content":"","thinking_content":"{}"}}]}"#, .thoughts("{}")),
            (
                #"{"choices":[{"message":{"thinking_blocks":[{"type":"thinking","thinking":"{}"}]}}]}"#,
                .thoughts("{}")
            ),
            (
                #"{"choices":[{"message":{"provider_specific_fields":{"reasoning_content":"{}"}}}]}"#,
                .thoughts("{}")
            ),
            (
                #"{"choices":[{"message":{"reasoning_details":[{"type":"reasoning.text","text":"{}"}]}}]}"#,
                .thoughts("{}")
            ),
            (#"{"choices":[{"message":{"thinking":"{}","reasoning":7},"finish_reason":"stop"}]}"#, .thoughts("{}")),
            (#"{"choices":[{"message":{"tool_calls":[{"function":{"arguments":"{}"}}]}}]}"#, .thoughts("{}")),
            (#"{"choices":[{"message":{"content":"{}","reasoning":"hm"}}]}"#, .text("{}")),
            (
                #"{"choices":[{"message":{"content":[{"type":"text","text":"{"},{"type":"text","text":"}"}]}}]}"#,
                .text("{}")
            ),
            (
                #"{"choices":[{"message":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"{a}"}]},"#
                    + #"{"type":"text","text":"{}"}]}}]}"#, .text("{}")
            ),
            (#"{"choices":[{"message":{"content":[5,null,"{}",{"type":"image_url"}]}}]}"#, .text("{}")),
            (#"{"choices":[{"message":{"content":{"type":"output_text","text":{"value":"{}"}}}}]}"#, .text("{}")),
            (#"{"choices":[{"message":{"content":[{"type":"reasoning","text":"hm"}]}}]}"#, .thoughts("hm")),
            // JSON in place of a text.
            (#"{"choices":[{"message":{"content":{"songs":[1]}}}]}"#, .text(#"{"songs":[1]}"#)),
            (#"{"choices":[{"message":{"content":[{"number":1}]}}]}"#, .text(#"[{"number":1}]"#)),
            (#"{"choices":[{"message":{"content":[1,2]}}]}"#, .text("[1,2]")),
            (#"{"choices":[{"message":{"content":[{"type":"json","json":{"a":1}}]}}]}"#, .text(#"{"a":1}"#)),
            (
                #"{"choices":[{"message":{"tool_calls":[7,{"function":{"arguments":{"a":1}}}]}}]}"#,
                .thoughts(#"{"a":1}"#)
            ),
            (
                #"{"choices":[{"message":{"content":null,"function_call":{"arguments":{"a":1}}}}]}"#,
                .thoughts(#"{"a":1}"#)
            ),
            // Words beside a call.
            (
                #"{"choices":[{"message":{"content":"Done.","tool_calls":[{"name":"x","arguments":{"a":1}}]}}]}"#,
                .text("{\"a\":1}\nDone.")
            ),
            (#"{"choices":[{"message":{"content":""}},{"message":{"content":"{}"}}]}"#, .text("{}")),
            (#"{"choices":[{"message":"{}"}]}"#, .text("{}")),
            // Other interfaces, as some proxies pass them on.
            (#"{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"{}"}]}"#, .text("{}")),
            (#"{"content":[{"type":"tool_use","input":{"a":1}}],"stop_reason":"tool_use"}"#, .text(#"{"a":1}"#)),
            (#"{"content":[{"type":"text","text":"{"}],"stop_reason":"max_tokens"}"#, .cutOff("{")),
            (#"{"message":{"role":"assistant","content":"{}"},"done_reason":"stop"}"#, .text("{}")),
            (
                #"{"output":[{"type":"reasoning","summary":[]},{"type":"message","content":"#
                    + #"[{"type":"output_text","text":"{}"}]}]}"#, .text("{}")
            ),
            (
                #"{"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"{}"}]}}]}"#,
                .text("{}")
            ),
            (
                "data: {\"choices\":[{\"delta\":{\"content\":\"{\"}}]}\n\ndata: {\"choices\":[{\"delta\":"
                    + "{\"content\":\"}\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n", .text("{}")
            ),
            (#"{"choices":[{"text":"{}"}]}"#, .text("{}")),
            (#"{"choices":[{"message":{"content":null,"refusal":"No."}}]}"#, .filtered),
            (#"{"choices":[{"message":7}]}"#, .empty), (#"{"choices":[]}"#, .empty),
        ])
    func outcomesOfAnswers(text: String, expected: ChatAnswer.Outcome) async throws {
        #expect(try await answer(text).outcome == expected)
    }

    @Test("An error that repeats the question does not say that the form of the answer is refused")
    func repeatedPrompt() async throws {
        func kind(_ message: String, asked user: String) async throws -> ChatError.Kind? {
            var prompt = Self.prompt
            prompt.user = user
            let text = #"{"error":{"message":"\#(message)"}}"#
            do {
                _ = try await ChatClient(
                    server: "home", key: nil, model: "m", send: ScriptedUpstream(.json(text, 400)).send
                )
                .complete(prompt, as: ChatPrompt.Style())
                return nil
            } catch let error as ChatError {
                return error.kind
            }
        }
        for word in ["grammar", "json_schema", "Response_Format", "context"] {
            let told = try await kind("cannot read: songs about \(word)", asked: "songs about \(word)")
            #expect(told == .upstreamError(status: 400), "\(word)")
        }
        #expect(try await kind("'response_format' is not supported: calm", asked: "calm") == .formRefused)
    }

    @Test(
        "Errors of all kinds of servers are understood",
        arguments: [
            (400, #"{"error":{"message":"'response_format.type' must be 'json_schema' or 'text'"}}"#, .formRefused),
            (400, #"{"error":"Either \"json_schema\" or \"grammar\" can be specified"}"#, .formRefused),
            (400, #"{"error":{"type":"exceed_context_size_error","message":"too long"}}"#, .tooLong),
            (400, #"{"object":"error","message":"maximum context length is 4096"}"#, .tooLong),
            (400, "<html>", .upstreamError(status: 400)), (401, "{}", .keyRefused),
            (404, #"{"error":{"message":"model \"x\" not found"}}"#, .modelUnknown),
            (503, #"{"error":{"message":"Loading model"}}"#, .loading), (500, "", .upstreamError(status: 500)),
            (200, "<html>", .unreadable), (200, #"{"error":"odd"}"#, .unreadable),
        ] as [(Int, String, ChatError.Kind)])
    func errorsOfServers(status: Int, text: String, expected: ChatError.Kind) async {
        await #expect(throws: ChatError(expected, of: "home")) { try await answer(text, status) }
    }

    @Test("No part of an error's text is stored")
    func errorTextIsNotStored() async {
        do {
            _ = try await answer(#"{"error":{"message":"prompt was: my secret wish"}}"#, 400)
            Issue.record("no error")
        } catch {
            #expect(!"\(error)".contains("secret wish"))
        }
    }

    @Test(
        "A refused limit of the answer's length is sent in the way that the error names",
        arguments: [
            (
                #"{"error":{"param":"max_tokens","message":"Use 'max_completion_tokens' instead of 'max_tokens'."}}"#,
                true
            ),
            (#"{"error":{"message":"'max_tokens' is not supported. Use 'max_completion_tokens'."}}"#, true),
            (#"{"detail":[{"loc":["body","max_tokens"],"msg":"Extra inputs are not permitted"}]}"#, false),
            (#"{"error":{"message":"max_tokens is too large: 3248"}}"#, false),
            (#"{"message":"unknown field \"max_completion_tokens\""}"#, false),
            // Inside a list of errors, around the error, or as the whole body.
            (#"[{"error":{"code":400,"message":"Unknown name \"max_tokens\": Cannot find field."}}]"#, false),
            (#"{"errors":[{"message":"max_tokens is not supported"}]}"#, false),
            (#""max_tokens: use max_completion_tokens""#, true), ("unknown parameter: max_tokens", false),
        ])
    func refusedRoom(text: String, namesOther: Bool) async throws {
        let error = ChatError(.json(text, 400), of: "home")
        #expect(error.kind == .roomRefused(next: namesOther ? .maxCompletionTokens : .unlimited))
        let next = try #require(ChatPrompt.Style().after(error))
        #expect(next == ChatPrompt.Style(room: namesOther ? .maxCompletionTokens : .unlimited))
        let upstream = ScriptedUpstream(.json(#"{"choices":[]}"#))
        _ = try await ChatClient(server: "home", key: nil, model: "m", send: upstream.send)
            .complete(Self.prompt, as: next)
        let sent = try #require(upstream.requests.first?.body)
        let body = try JSONSerialization.jsonObject(with: Data(sent)) as? [String: Any]
        #expect(body?["max_tokens"] == nil && (body?["max_completion_tokens"] as? Int == 300) == namesOther)
    }

    @Test(
        "Refused parameters that can be omitted are omitted, and a refused system role is merged",
        arguments: [
            (#"{"error":{"message":"Unknown parameter: stream"}}"#, ChatPrompt.Omission.stream),
            (#"{"detail":[{"loc":["body","stream"],"msg":"Extra inputs are not permitted"}]}"#, .stream),
            (#"{"error":{"message":"Unknown name \"strict\" at 'response_format.json_schema'"}}"#, .strict),
            (#"{"error":{"message":"System role not supported"}}"#, .system),
            (#"{"error":{"message":"'messages[0].role' does not support 'system' with this model."}}"#, .system),
            (#"{"message":"Conversation roles must alternate user/assistant/user/assistant/..."}"#, .system),
            (
                #"{"message":"parameter.enable_thinking must be set to false for non-streaming calls"}"#,
                .thinking
            ),
        ])
    func omittedParameters(text: String, expected: ChatPrompt.Omission) async throws {
        let error = ChatError(.json(text, 400), of: "home")
        #expect(error.kind == .parameterRefused(expected.rawValue))
        let style = try #require(ChatPrompt.Style().after(error))
        #expect(style == ChatPrompt.Style(omitting: [expected]) && style.after(error) == nil)
        let upstream = ScriptedUpstream(.json(#"{"choices":[]}"#))
        _ = try await ChatClient(server: "home", key: nil, model: "m", send: upstream.send)
            .complete(Self.prompt, as: style)
        let sent = try #require(upstream.requests.first?.body)
        let body = try #require(try JSONSerialization.jsonObject(with: Data(sent)) as? [String: Any])
        let form = (body["response_format"] as? [String: Any])?["json_schema"] as? [String: Any]
        #expect((body["stream"] == nil) == (expected == .stream))
        #expect((form?["strict"] == nil) == (expected == .strict))
        #expect(((body["messages"] as? [Any])?.count == 1) == (expected == .system))
        #expect((body["enable_thinking"] as? Bool == false) == (expected == .thinking))
    }

    @Test(
        "Refusals are recognized with other statuses, and in the errors that routers pass on",
        arguments: [
            (404, #"{"error":{"message":"No endpoints found that can handle the parameters."}}"#, .formRefused),
            (500, #"{"detail":"litellm: model does not support parameters: ['response_format']"}"#, .formRefused),
            (400, #"{"error":{"message":"This model does not support structured output"}}"#, .formRefused),
            (400, #"{"error":{"message":"Unsupported parameter"}}"#, .formRefused),
            (500, #"{"error":"context canceled"}"#, .upstreamError(status: 500)),
            (
                400,
                #"{"error":{"message":"Provider returned error","metadata":{"raw":"#
                    + #""{\"error\":{\"message\":\"Use 'max_completion_tokens'.\",\"param\":\"max_tokens\"}}"}}}"#,
                .roomRefused(next: .maxCompletionTokens)
            ),
            (
                400, #"{"message":"Please use 'max_completion_tokens' instead of 'max_tokens'."}"#,
                .roomRefused(next: .maxCompletionTokens)
            ),
            (200, #"{"error":{"message":"'max_tokens' is not supported"}}"#, .roomRefused(next: .unlimited)),
        ] as [(Int, String, ChatError.Kind)])
    func recognizedRefusals(status: Int, text: String, expected: ChatError.Kind) async {
        await #expect(throws: ChatError(expected, of: "home")) { try await answer(text, status) }
        let both = ChatError(.roomRefused(next: .maxCompletionTokens), of: "home")
        #expect(ChatPrompt.Style(room: .maxCompletionTokens).after(both) == ChatPrompt.Style(room: .unlimited))
    }

    @Test("Styles run out, and a parameter that cannot be left out is named")
    func lastStyles() {
        let unlimited = ChatPrompt.Style(.text, room: .unlimited)
        for kind in [ChatError.Kind.formRefused, .roomRefused(next: .unlimited), .keyRefused, .parameterRefused("x")] {
            #expect(unlimited.after(ChatError(kind, of: "home")) == nil)
        }
        let error = ChatError(.json(#"{"error":{"message":"Unsupported parameter: 'stream'"}}"#, 400), of: "home")
        #expect(error.kind == .parameterRefused("stream") && error.description.contains("'stream'"))
        let thinking = ChatError(.parameterRefused(ChatPrompt.Omission.thinking.rawValue), of: "home")
        #expect(
            thinking.description.hasPrefix(
                "The model's server needs 'enable_thinking' set in a way that Backline does not offer."))
        let whole = #"{"detail":[{"loc":["body","x"],"msg":"odd","input":{"max_tokens":1,"response_format":"y"}}]}"#
        #expect(ChatError(.json(whole, 422), of: "home").kind == .upstreamError(status: 422))
        let repeated = ChatError(
            .json(#"{"error":{"message":"max_tokens"}}"#, 400), of: "home", asked: "a song named max_tokens")
        #expect(repeated.kind == .upstreamError(status: 400))
    }
}
