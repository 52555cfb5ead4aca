import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Requests that the simulator refuses")
struct SimulatedRefusalTests {
    private let answers = SimulatedAnswers()

    @Test(
        "A parameter that the real service refuses is refused with its code",
        arguments: [
            (["size": "201"], "DIS1036"), (["size": "500"], "DIS1036"), (["size": "0"], "DIS1005"),
            (["size": "many"], "DIS1005"), (["page": "-1"], "DIS1005"),
            (["startDateTime": "2026-11-20T10:00:00.000Z"], "DIS1015"),
            (["startDateTime": "2026-11-20T10:00:00"], "DIS1015"), (["startDateTime": "2026-11-20"], "DIS1015"),
            (["endDateTime": "2026-11-20T10:00:00+01:00"], "DIS1015"),
            (["endDateTime": "2026-13-45T10:00:00Z"], "DIS1015"), (["sort": "price,asc"], "DIS1005"),
            (["sort": "distance,asc"], "DIS1005"), (["includeTBA": "maybe"], "DIS1005"),
            (["latlong": "50.1,14.4", "radius": "12.5"], "DIS1005"), (["latlong": "Prague"], "DIS1005"),
            (["geoPoint": "u2fkbefgh0"], "DIS1005"), (["unit": "furlongs"], "DIS1005"),
        ])
    func refusedParameters(parameters: [String: String], code: String) {
        let answer = answers.answer("events.json", parameters)
        #expect(answer.status == 400)
        #expect(answer.body.contains("\"code\":\"\(code)\""), "\(answer.body)")
        #expect(answer.quotaStatus == nil, "a refusal carries no rate headers")
    }

    @Test("A date error links `self`, the other errors link `about`")
    func linksOfErrors() {
        #expect(answers.answer("events.json", ["startDateTime": "now"]).body.contains(#""_links":{"self":{"#))
        #expect(answers.answer("events.json", ["size": "201"]).body.contains(#""_links":{"about":{"#))
        #expect(answers.answer("events.json", ["size": "201"]).body.contains(#""status":"400 BAD_REQUEST""#))
    }

    @Test(
        "An unknown id is a 404, even if it differs from a known one only in case",
        arguments: ["events", "attractions", "venues"])
    func unknownID(collection: String) {
        let answer = answers.answer("\(collection)/nope.json")
        #expect(answer.status == 404)
        #expect(answer.body.contains(#""code":"DIS1004""#) && answer.body.contains(#""status":"404""#))
        #expect(answers.answer("events/g5vgz9cukx8cx.json").status == 404)
    }

    @Test("A missing and a wrong key have different errors, which do not repeat the key")
    func refusedKeys() {
        let simulator = answers.simulator
        let missing = simulator.answer(simulator.arrive("/discovery/v2/events.json"))
        #expect(missing.status == 401 && missing.body.contains("steps.oauth.v2.FailedToResolveAPIKey"))
        let wrong = simulator.answer(simulator.arrive("/discovery/v2/events.json?apikey=hunter2"))
        #expect(wrong.status == 401 && wrong.body.contains(#""errorcode":"oauth.v2.InvalidApiKey""#))
        #expect(!wrong.body.contains("hunter2"))
    }

    @Test("The two 429s have different codes; the quota's repeats the key; a 400 also uses the quota")
    func exceededLimits() {
        let tight = SimulatedAnswers(limits: TrafficLimits(perSecond: 1_000, dailyQuota: 2))
        #expect(tight.answer("events.json", ["size": "201"]).status == 400)
        let served = tight.answer("events.json", ["size": "1"])
        #expect(served.quotaStatus?.available == 0)
        let exhausted = tight.answer("events.json")
        #expect(exhausted.status == 429)
        #expect(exhausted.body.contains("Rate limit quota violation. Quota limit  exceeded. Identifier : demo-key"))
        #expect(exhausted.body.contains("policies.ratelimit.QuotaViolation"))
        #expect(exhausted.headers.isEmpty && exhausted.quotaStatus == nil)

        let hasty = SimulatedAnswers(limits: TrafficLimits(perSecond: 0))
        let spike = hasty.answer("events.json")
        #expect(spike.status == 429 && spike.body.contains("policies.ratelimit.SpikeArrestViolation"))
        #expect(!spike.body.contains("demo-key"))
    }
}
