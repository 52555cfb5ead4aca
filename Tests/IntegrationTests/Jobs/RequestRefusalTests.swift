import Contracts
import Foundation
import TestProcesses
import Testing

@Suite("Refused requests", .timeLimit(.minutes(20)))
struct RequestRefusalTests {
    static let kind = #""kind":"diagnostics.echo""#

    /// A payload with the given depth of nesting, in a body that adds one level.
    private static func nested(_ depth: Int) -> String {
        "{\(kind),\"payload\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
    }

    private static let inUTF16: [UInt8] = [0xFF, 0xFE] + "{\(kind)}".utf8.flatMap { [$0, 0] }

    static let bodies: [Refusal] = [
        .notJSON("", why: "no body"),
        .notJSON("{", why: "cut off"),
        .notJSON("{\(kind)} {}", why: "two values"),
        .notJSON("{'kind':1}", why: "single quotes"),
        .notJSON("{\(kind),}", why: "a comma too many"),
        .notJSON("{\(kind),\"priority\":01}", why: "a leading zero"),
        .notJSON("{\(kind),\"payload\":NaN}", why: "no such number"),
        .notJSON("{\(kind),\"payload\":\"a\u{0}b\"}", why: "a raw control character"),
        .notJSON("{\(kind),\"payload\":\"\\ud800\"}", why: "half a surrogate pair"),
        .notJSON(Array("{\(kind),\"payload\":\"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8), why: "not UTF-8"),
        .notJSON(inUTF16, why: "UTF-16"),
        .notJSON("{\(kind),\(kind)}", why: "a member twice"),
        .notJSON(nested(64), why: "nested too deep"),
        .notJSON(String(repeating: "[", count: 500_000), why: "nested half a million times"),
        .notJSON("{\(kind),\"\(String(repeating: "n", count: 9_000))\":1}", why: "a member's name of 9,000 bytes"),
        .notJSON("[" + String(repeating: "0,", count: 400_000) + "0]", why: "too many values"),
        .field("$", "[]", why: "an array"),
        .field("$", "null", why: "null"),
        .field("$", "{}", why: "no kind"),
        .field("$.kind", #"{"kind":null}"#.replacing("null", with: "7"), why: "a kind that is a number"),
        .field("$.kind", #"{"kind":"no.such"}"#, why: "an unknown kind"),
        .field("$.kind", #"{"kind":"concerts.lookup"}"#, why: "a kind of the system's own"),
        .field("$.kind", #"{"kind":"\#(String(repeating: "k", count: 101))"}"#, why: "a long kind"),
        .field("$.colour", "{\(kind),\"colour\":\"blue\"}", why: "an unknown field"),
        .field(
            "$.e" + String(repeating: "\u{301}", count: 59),
            "{\(kind),\"e\(String(repeating: "\u{301}", count: 500))\":1}",
            why: "an unknown field with five hundred accents"),
        Refusal(
            body: Array("{\(kind),\"priority\":10}".utf8), status: 400, code: "invalidField", field: "$.priority",
            why: "a priority of what a screen waits for"),
        Refusal(
            path: "/v1/jobs/batch", body: Array("{\"jobs\":[{\(kind)},{\(kind),\"priority\":101}]}".utf8), status: 400,
            code: "invalidField", field: "$.jobs[1].priority", why: "a priority out of range in a batch"),
        Refusal(
            body: Array(Echo.job(sleepMs: 5_001).utf8), status: 403, code: "adminOnly", field: "$.payload.sleepMs",
            why: "a long pause"),
        Refusal(
            body: Array(#"{"kind":"diagnostics.steps","payload":{"steps":51,"stepMs":100}}"#.utf8), status: 403,
            code: "adminOnly", field: "$.payload", why: "steps with long pauses together"),
        Refusal(
            body: Array(#"{"kind":"diagnostics.steps","payload":{"steps":1001}}"#.utf8), status: 403,
            code: "adminOnly", field: "$.payload", why: "many steps"),
        .field("$.priority", "{\(kind),\"priority\":-101}", why: "a priority out of range"),
        .field("$.priority", "{\(kind),\"priority\":1.5}", why: "a priority with a fraction"),
        .field("$.priority", "{\(kind),\"priority\":1e400}", why: "a priority beyond all numbers"),
        .field("$.priority", "{\(kind),\"priority\":\"5\"}", why: "a priority in quotes"),
        .field("$.priority", "{\(kind),\"priority\":true}", why: "a priority that is a boolean"),
        .field("$.runAt", "{\(kind),\"runAt\":\"tomorrow\"}", why: "a time in words"),
        .field("$.runAt", "{\(kind),\"runAt\":\"2026-13-01T00:00:00Z\"}", why: "a thirteenth month"),
        .field("$.runAt", "{\(kind),\"runAt\":\"2026-11-20T20:00:00\"}", why: "a time without its zone"),
        .field("$.runAt", "{\(kind),\"runAt\":1700000000}", why: "a time that is a number"),
        .field("$.runAt", "{\(kind),\"runAt\":\"999999999999-01-01T00:00:00Z\"}", why: "a time beyond all calendars"),
        .field("$.uniqueKey", "{\(kind),\"uniqueKey\":\"\"}", why: "an empty key"),
        .field("$.uniqueKey", "{\(kind),\"uniqueKey\":5}", why: "a key that is a number"),
        .field(
            "$.uniqueKey", "{\(kind),\"uniqueKey\":\"\(String(repeating: "k", count: 201))\"}", why: "a long key"),
        .field(
            "$.uniqueKey", "{\(kind),\"uniqueKey\":\"e\(String(repeating: "\u{301}", count: 100_000))\"}",
            why: "one letter with a hundred thousand accents"),
        .field("$", "{}", path: "/v1/jobs/batch", why: "no jobs"),
        .field("$.jobs", #"{"jobs":{}}"#, path: "/v1/jobs/batch", why: "jobs that are not an array"),
        .field("$.jobs", #"{"jobs":[]}"#, path: "/v1/jobs/batch", why: "an empty batch"),
        .field("$.jobs", Echo.batch(0..<1_001), path: "/v1/jobs/batch", why: "1,001 jobs"),
        .field("$.jobs[1]", "{\"jobs\":[{\(kind)},7]}", path: "/v1/jobs/batch", why: "a job that is a number"),
        .field(
            "$.jobs[2].priority", "{\"jobs\":[{\(kind)},{\(kind)},{\(kind),\"priority\":\"high\"}]}",
            path: "/v1/jobs/batch", why: "one wrong job among good ones"),
        Refusal(
            body: Array("{\(kind),\"payload\":\"\(String(repeating: "x", count: 1 << 20))\"}".utf8), status: 413,
            code: "bodyTooLarge", why: "more than a mebibyte"),
        Refusal(
            path: "/v1/jobs/batch", body: Array(repeating: UInt8(ascii: " "), count: 8 << 20), status: 413,
            code: "bodyTooLarge", why: "eight mebibytes"),
        Refusal(
            body: Array("{\(kind)}".utf8), headers: ["Content-Encoding": "gzip"], status: 415,
            code: "unsupportedEncoding", why: "a body that is said to be compressed"),
        Refusal(
            body: Array("{\(kind)}".utf8), headers: ["Content-Type": "application/json; charset=utf-16"], status: 415,
            code: "unsupportedEncoding", why: "another charset"),
        Refusal(
            body: Array("{\(kind)}".utf8), headers: ["Idempotency-Key": String(repeating: "k", count: 201)],
            status: 422,
            code: "invalidIdempotencyKey", why: "a long idempotency key"),
    ]

    @Test("Each refusal says what is wrong and where, and nothing is queued")
    func refusedBodies() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser()
            for refusal in Self.bodies {
                let response = try await ada.send(.POST, refusal.path, body: refusal.body, headers: refusal.headers)
                #expect(response.status == refusal.status, "\(refusal.why): \(response.text)")
                let problem = try response.problem
                #expect(problem.status == refusal.status)
                #expect(problem.code == refusal.code, "\(refusal.why): \(problem.detail)")
                #expect(problem.field == refusal.field, "\(refusal.why): \(problem.detail)")
                #expect(problem.detail.utf8.count < 600, "\(refusal.why)")
            }
            #expect(try await ada.summary() == JobSummary())
            #expect(try await ada.submit(Echo.job(1), wait: 30).state == "succeeded")
        }
    }

    @Test("Values just within the limits are accepted, and returned unchanged")
    func valuesWithinTheLimits() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let ada = try await installation.addUser()
            #expect(try await ada.submit(Self.nested(63), wait: 30).state == "succeeded")
            #expect(try await ada.submit("{\(Self.kind)}", wait: 30).result == .object([:]))
            #expect(try await ada.submit("\u{FEFF}{\(Self.kind)}", wait: 30).result == .object([:]))
            #expect(
                try await ada.submit("{\(Self.kind),\"payload\":null,\"priority\":null}", wait: 30).result
                    == .object([:]))

            let envelope = "{\(Self.kind),\"payload\":\"\"}"
            let text = String(repeating: "é", count: (1 << 20 - envelope.utf8.count) / 2)
            let large = try await ada.submit("{\(Self.kind),\"payload\":\"\(text)\"}", wait: 30)
            #expect(large.result == .string(text))

            // Key order, blanks and the spelling of numbers are kept, which decoding would lose.
            let payload =
                "{ \"b\" : 1.50,\n\t\"a\":[ ],\"é\":\"\\u00e9\\/🎵\", \"huge\":123456789012345678901234567890 }"
            let response = try await ada.post(
                "/v1/jobs", "{\(Self.kind),\"payload\":\(payload)}", headers: ["Prefer": "wait=30"])
            #expect(String(decoding: response.body, as: UTF8.self).contains("\"result\":\(payload)"))
        }
    }

    @Test("A wrong query parameter is refused")
    func wrongParameters() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser()
            for (query, field) in [
                ("limit=0", "limit"), ("limit=201", "limit"), ("limit=x", "limit"), ("state=lost", "state"),
                ("cursor=x", "cursor"),
            ] {
                let response = try await ada.get("/v1/jobs?\(query)")
                #expect(response.status == 422, "\(query)")
                #expect(try response.problem.code == "invalidParameter", "\(query)")
                #expect(try response.problem.field == field, "\(query)")
            }
        }
    }

    @Test("Frames that are not messages affect nobody")
    func framesThatAreNotMessages() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            let stranger = try await ScriptedWorker.connect(to: installation, name: "stranger-1")
            for frame: [UInt8] in [
                [], [0], [1], [1, protocolVersion], [2, protocolVersion, 255, 255, 255, 255], [99, protocolVersion, 0],
                Array(repeating: 255, count: 4_096),
            ] {
                stranger.send(frame: frame)
            }
            try await installation.metrics("the frames to be counted") { metrics in
                metrics.sum("backline_messages_dropped_total", ["process": "api-gateway", "reason": "unreadable"]) == 6
                    && metrics.sum("backline_messaging_refused_total", ["reason": "protocolVersion"]) == 1
            }
            let ada = try await installation.addUser()
            #expect(try await ada.submit(Echo.job(), wait: 30).state == "succeeded")
            await stranger.close()
        }
    }
}
