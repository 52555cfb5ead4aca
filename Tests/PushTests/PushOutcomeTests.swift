import Model
import TestSupport
import Testing

@testable import Push

@Suite("What answers of push services mean")
struct PushOutcomeTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)
    private static let google =
        "the VAPID credentials in the authorization header do not correspond to the credentials used to create the "
        + "subscriptions.\n"

    private static func after(_ seconds: Int) -> Timestamp { now.advanced(by: .seconds(seconds)) }

    struct Case: Sendable {
        var status: Int
        var body = ""
        var retryAfter: Int?
        var outcome: PushOutcome
    }

    static let webPush: [Case] = [
        Case(status: 201, outcome: .accepted), Case(status: 202, outcome: .accepted),
        Case(status: 200, outcome: .accepted), Case(status: 404, outcome: .gone(.unknown)),
        Case(status: 410, outcome: .gone(.unknown)),
        Case(status: 410, body: #"{"reason":"Unregistered"}"#, outcome: .gone(.unknown)),
        Case(status: 400, body: #"{"reason":"VapidPkHashMismatch"}"#, outcome: .gone(.otherKey)),
        Case(status: 403, body: #"{"reason":"VapidPkHashMismatch"}"#, outcome: .gone(.otherKey)),
        Case(status: 403, body: "VapidPkHashMismatch", outcome: .gone(.otherKey)),
        Case(status: 403, body: google, outcome: .gone(.otherKey)),
        Case(
            status: 403, body: #"{"reason":"BadJwtToken"}"#,
            outcome: .refused(PushAnswer(status: 403, code: "BadJwtToken"))),
        Case(
            status: 401, body: #"{"code":401,"errno":109,"error":"Unauthorized"}"#,
            outcome: .refused(PushAnswer(status: 401, code: "109"))),
        Case(status: 403, outcome: .refused(PushAnswer(status: 403))),
        Case(status: 400, body: #"{"errno":111}"#, outcome: .rejected(PushAnswer(status: 400, code: "111"))),
        Case(status: 413, outcome: .tooLarge(PushAnswer(status: 413))),
        Case(status: 429, retryAfter: 120, outcome: .wait(until: after(120), PushAnswer(status: 429))),
        Case(status: 429, outcome: .wait(until: after(60), PushAnswer(status: 429))),
        Case(status: 429, retryAfter: 0, outcome: .wait(until: after(1), PushAnswer(status: 429))),
        Case(status: 406, outcome: .wait(until: after(60), PushAnswer(status: 406))),
        Case(status: 500, outcome: .wait(until: after(60), PushAnswer(status: 500))),
        Case(status: 503, retryAfter: 5, outcome: .wait(until: after(5), PushAnswer(status: 503))),
        // A mismatch is only believed of the answers that services give it with.
        Case(status: 500, body: "VapidPkHashMismatch", outcome: .wait(until: after(60), PushAnswer(status: 500))),
        Case(status: 301, outcome: .rejected(PushAnswer(status: 301))),
        Case(status: 405, outcome: .rejected(PushAnswer(status: 405))),
        Case(status: 422, outcome: .rejected(PushAnswer(status: 422))),
    ]

    @Test("Each status of a push service has its meaning", arguments: webPush)
    func webPushStatus(example: Case) {
        let outcome = PushOutcome(
            webPush: example.status, body: Array(example.body.utf8),
            retryAfter: example.retryAfter.map { .seconds($0) }, at: Self.now)
        #expect(outcome == example.outcome)
    }

    static let ntfy: [Case] = [
        Case(status: 200, outcome: .accepted),
        Case(
            status: 401, body: #"{"code":40101,"http":401,"error":"unauthorized"}"#,
            outcome: .refused(PushAnswer(status: 401, code: "40101"))),
        Case(status: 403, outcome: .refused(PushAnswer(status: 403))),
        Case(status: 413, outcome: .tooLarge(PushAnswer(status: 413))),
        Case(
            status: 429, body: #"{"code":42901}"#,
            outcome: .wait(until: after(60), PushAnswer(status: 429, code: "42901"))),
        Case(
            status: 429, body: #"{"code":42908}"#,
            outcome: .wait(until: after(3_600), PushAnswer(status: 429, code: "42908"))),
        Case(status: 507, outcome: .wait(until: after(60), PushAnswer(status: 507))),
        Case(
            status: 400, body: #"{"code":40009}"#, outcome: .rejected(PushAnswer(status: 400, code: "40009"))),
        // Topics are created by publishing to them: this is not an ntfy server.
        Case(status: 404, outcome: .rejected(PushAnswer(status: 404))),
        Case(status: 410, outcome: .rejected(PushAnswer(status: 410))),
    ]

    @Test("Each status of an ntfy server has its meaning, and none ends a topic", arguments: ntfy)
    func ntfyStatus(example: Case) {
        let outcome = PushOutcome(
            ntfy: example.status, body: Array(example.body.utf8), retryAfter: nil, at: Self.now)
        #expect(outcome == example.outcome)
    }

    @Test("Only short words and numbers of a body reach logs")
    func shownCodes() {
        func code(_ body: String) -> String? { PushOutcome.code(in: Array(body.utf8), named: ["reason", "errno"]) }
        #expect(code(#"{"reason":"BadJwtToken"}"#) == "BadJwtToken" && code(#"{"errno":109}"#) == "109")
        for body in [
            "", "no JSON", "[]", #"{"reason":"https://a.org/secret"}"#, #"{"reason":""}"#, #"{"reason":{}}"#,
            #"{"reason":"\#(String(repeating: "a", count: 41))"}"#, String(repeating: "[", count: 100_000),
            #"{"reason":"A"}"# + String(repeating: " ", count: 5_000),
        ] {
            #expect(code(body) == nil)
        }
    }

    @Test("Only 404, 410 and a mismatch of keys end a subscription, whatever the body", arguments: Fuzzing.seeds())
    func wrongDeletions(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<2_000 {
            let status = Int.random(in: 100...599, using: &random)
            let body = random.damaged(Array(#"{"reason":"BadJwtToken","errno":109}"#.utf8))
            let outcome = PushOutcome(webPush: status, body: body, retryAfter: nil, at: Self.now)
            if case .gone = outcome { #expect([404, 410].contains(status)) }
        }
    }
}
