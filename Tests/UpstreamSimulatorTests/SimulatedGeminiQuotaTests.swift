import Foundation
import Model
import Testing

@testable import UpstreamSimulator

@Suite("Gemini's quotas")
struct SimulatedGeminiQuotaTests {
    /// 2026-11-20, 12:00 in California.
    private static let noon = Timestamp(microseconds: 1_795_204_800_000_000)

    private func limits(requests: Int = 0, tokens: Int = 0, day: Int = 0) -> GeminiSettings {
        var settings = GeminiSettings.initial
        (settings.requestsPerMinute, settings.tokensPerMinute, settings.requestsPerDay) = (requests, tokens, day)
        return settings
    }

    /// Which quotas refuse a request, and for how long; empty for one that is admitted.
    private func take(
        _ quotas: inout GeminiQuotas, tokens: Int = 1, after seconds: Int, _ settings: GeminiSettings
    ) -> (names: [GeminiQuotas.Name], wait: Duration) {
        do throws(GeminiQuotas.Refusal) {
            try quotas.admit(
                tokens: tokens, at: MonotonicInstant(microseconds: Int64(seconds) * 1_000_000),
                Self.noon.advanced(by: .seconds(seconds)), settings)
            return ([], .zero)
        } catch {
            return (error.violations.map(\.name), error.wait)
        }
    }

    @Test("Requests of any minute are counted, and a refused one uses nothing")
    func requestsOfAMinute() {
        var quotas = GeminiQuotas(project: "p", model: "m")
        let limits = limits(requests: 2)
        #expect(take(&quotas, after: 0, limits).names.isEmpty && take(&quotas, after: 40, limits).names.isEmpty)
        let refused = take(&quotas, after: 45, limits)
        #expect(refused.names == [.requestsPerMinute] && refused.wait == .seconds(15))
        #expect(take(&quotas, after: 60, limits).names.isEmpty)
        #expect(take(&quotas, after: 99, limits).wait == .seconds(1))
        #expect(take(&quotas, after: 100, limits).names.isEmpty)
        #expect(quotas.use.requestsPerMinute == RollingLimit.Use(admitted: 4, refused: 2, largest: 2))
        #expect(quotas.use.tokensPerMinute.refused == 0 && quotas.use.requestsPerDay.admitted == 4)
    }

    @Test("Tokens of any minute are counted, and more than the limit at once are never admitted")
    func tokensOfAMinute() {
        var quotas = GeminiQuotas(project: "p", model: "m")
        let limits = limits(tokens: 1_000)
        #expect(take(&quotas, tokens: 300, after: 0, limits).names.isEmpty)
        #expect(take(&quotas, tokens: 600, after: 10, limits).names.isEmpty)
        // The first 300 are not enough.
        let refused = take(&quotas, tokens: 500, after: 20, limits)
        #expect(refused.names == [.tokensPerMinute] && refused.wait == .seconds(50))
        #expect(take(&quotas, tokens: 100, after: 20, limits).names.isEmpty)
        #expect(take(&quotas, tokens: 1_001, after: 500, limits).wait == .seconds(60))
        #expect(take(&quotas, tokens: 1_000, after: 500, limits).names.isEmpty)
        #expect(quotas.use.tokensPerMinute == RollingLimit.Use(admitted: 4, refused: 2, largest: 1_000))
    }

    @Test("A day ends at midnight in California")
    func endOfADay() {
        var quotas = GeminiQuotas(project: "p", model: "m")
        let limits = limits(requests: 1, day: 2)
        #expect(take(&quotas, after: 0, limits).names.isEmpty && take(&quotas, after: 60, limits).names.isEmpty)
        // A refusal by both names both.
        #expect(take(&quotas, after: 61, limits).names == [.requestsPerDay, .requestsPerMinute])
        #expect(take(&quotas, after: 12 * 3_600 - 1, limits).names == [.requestsPerDay])
        #expect(take(&quotas, after: 12 * 3_600, limits).names.isEmpty)
        #expect(quotas.use.requestsPerDay == RollingLimit.Use(admitted: 3, refused: 2, largest: 2))
        #expect(GeminiQuotas.day(of: Self.noon).description == "2026-11-20")
        // Daylight saving time: 06:59:59 UTC is 23:59:59.
        #expect(GeminiQuotas.day(of: Timestamp(microseconds: 1_783_148_399_000_000)).description == "2026-07-03")
    }

    private func generate(_ server: RunningSimulator, key: String, model: String = "gemini-3.8-flash") async throws
        -> RawResponse
    {
        try await server.send(
            "POST", "/gemini/v1beta/models/\(model):generateContent", headers: ["x-goog-api-key: \(key)"],
            body: #"{"contents":[{"parts":[{"text":"{\"count\":1}"}]}]}"#)
    }

    @Test("A refusal names its quota, and projects and models are counted separately")
    func separateCounts() async throws {
        try await withSimulator { server in
            func configure(_ settings: String) async throws {
                #expect(try await server.send("POST", "/_sim/gemini/config", body: settings).status == 200)
            }
            try await configure(#"{"keys":{"a":"valid","b":"valid","c":"valid"},"projects":{"a":"one","b":"one"}}"#)
            try await configure(#"{"requestsPerMinute":2}"#)
            #expect(try await generate(server, key: "a").status == 200)
            #expect(try await generate(server, key: "b").status == 200)
            let refused = try await generate(server, key: "a")
            #expect(refused.status == 429)
            let error = refused.json?["error"] as? [String: Any]
            #expect(error?["status"] as? String == "RESOURCE_EXHAUSTED")
            let details = error?["details"] as? [[String: Any]] ?? []
            let violation = try #require((details.first?["violations"] as? [[String: Any]])?.first)
            #expect(violation["quotaId"] as? String == "GenerateRequestsPerMinutePerProjectPerModel-FreeTier")
            #expect(violation["quotaValue"] as? String == "2")
            #expect((violation["quotaDimensions"] as? [String: String])?["model"] == "gemini-3.8-flash")
            let delay = try #require(details.last?["retryDelay"] as? String)
            #expect(delay.hasSuffix("s") && (0.001...60).contains(Double(delay.dropLast()) ?? 0))
            #expect(try await generate(server, key: "a", model: "gemini-3.5-flash").status == 200)
            #expect(try await generate(server, key: "c").status == 200)

            // Neither a list of models nor an invalid call counts.
            let models = try await server.send("GET", "/gemini/v1beta/models", headers: ["x-goog-api-key: c"])
            #expect(models.status == 200)
            let text = try await server.send("GET", "/_sim/gemini/quotas").body
            let uses = try JSONDecoder().decode([GeminiQuotas.Use].self, from: text)
            #expect(uses.map(\.project) == ["c", "one", "one"])
            #expect(uses.map(\.requestsPerMinute.admitted) == [1, 1, 2])
            #expect(uses.map(\.requestsPerMinute.refused) == [0, 0, 1])

            try await configure(#"{"requestsPerMinute":0,"requestsPerDay":1}"#)
            let ofDay = try await generate(server, key: "c")
            #expect(ofDay.status == 429 && ofDay.text.contains("PerDayPerProjectPerModel"))
            try await configure(#"{"requestsPerDay":0,"tokensPerMinute":1}"#)
            let ofTokens = try await generate(server, key: "c")
            #expect(ofTokens.status == 429 && ofTokens.text.contains("InputTokensPerModelPerMinute"))
            #expect(
                try await server.send("POST", "/_sim/gemini/config", body: #"{"tokensPerMinute":-1}"#).status == 400)
            try await server.send("POST", "/_sim/gemini/reset")
            #expect(try await server.send("GET", "/_sim/gemini/quotas").text == "[]")
        }
    }
}
