import Model
import TestProcesses
import TestSupport
import Testing

@Suite("What lists cost", .timeLimit(.minutes(15)))
struct CurationCostTests {
    private static let prices = [
        "BACKLINE_AI_PRICES": "gemini-3.8-flash=0.30/2.50, gemini-3.5-flash=0.10/0.40",
        "BACKLINE_AI_PRICE_CURRENCY": "EUR",
    ]

    @Test(
        "A list costs what its tokens cost, an estimate is shown before, and a list made without a model costs nothing")
    func costOfGemini() async throws {
        try await LibraryInstallation.runWithCuration(environment: Self.prices) { library, ada in
            let free: EstimateAnswer = try await ada.get("/v1/ai/estimate").decode()
            #expect(free.tokens == 0 && free.cost == CostAnswer("0", "EUR"))
            let ruled = try await ada.madeList(["prompt": "rules", "size": 8, "source": "library"])
            #expect(ruled.fallback != nil && ruled.cost == CostAnswer("0", "EUR"))

            try await ada.enterGeminiKey()
            let estimate: EstimateAnswer = try await ada.get("/v1/ai/estimate").decode()
            #expect(estimate.tokens == 6_500 && estimate.cost == CostAnswer("0.00525", "EUR"))
            let body: [String: JSON] = ["prompt": "rainy", "size": 10, "source": "library", "seed": 3]
            let list = try await ada.madeList(body)
            #expect(list.model == "gemini-3.8-flash")
            #expect(list.usage.totalTokens == (list.usage.inputTokens ?? 0) + (list.usage.outputTokens ?? 0))
            #expect(list.cost == (try CostAnswer(list.usage, prices: "0.30/2.50", "EUR")))
            #expect(try await ada.madeList(body).cost == CostAnswer("0", "EUR"))

            // Thoughts are paid for as output, although they produce nothing else.
            try await library.upstreams.gemini.configure(["behaviour": "plausible", "next": .array(["onlyThoughts"])])
            let thinking = try await ada.madeList(["prompt": "thoughtful", "size": 10, "source": "library"])
            #expect(thinking.fallback == nil)
            #expect(thinking.cost == (try CostAnswer(thinking.usage, prices: "0.30/2.50", "EUR")))
            #expect(try #require(thinking.usage.outputTokens) > 2_000, "\(thinking.usage)")

            // The next model has its own price, and the one after it none.
            try await library.upstreams.gemini.configure(["retired": .array(["gemini-3.8-flash"])])
            let next = try await ada.madeList(["prompt": "next", "size": 10, "source": "library"])
            #expect(next.model == "gemini-3.5-flash")
            #expect(next.cost == (try CostAnswer(next.usage, prices: "0.10/0.40", "EUR")))
            try await library.upstreams.gemini.configure([
                "retired": .array(["gemini-3.8-flash", "gemini-3.5-flash"])
            ])
            let last = try await ada.madeList(["prompt": "last", "size": 10, "source": "library"])
            #expect(last.model == "gemini-3.5-flash-lite" && last.usage.inputTokens != nil && last.cost == nil)

            let printed = try await library.base.backline(
                "ai", "playlist", "calm", "--size", "6", "--source", "library", as: ada)
            #expect(printed.text.contains("It used ") && !printed.text.contains("EUR"), "\(printed)")
        }
    }

    @Test("An administrator's model has a price, and without prices there is no cost")
    func costOfAnEndpoint() async throws {
        try await LibraryInstallation.run(environment: ["BACKLINE_AI_RECOMMENDATION_HOURS": "0"]) { library in
            library.base.configure([
                "BACKLINE_AI_ENDPOINTS_HOME_URL": library.upstreams.aiEndpointURL,
                "BACKLINE_AI_ENDPOINTS_HOME_MODEL": "demo-model", "BACKLINE_AI_ENDPOINTS_HOME_CONTEXT_TOKENS": "6000",
                "BACKLINE_AI_PRICES": "demo-model=0.02/0.05",
            ])
            try await library.killGateway()
            _ = try await library.base.startWorker(.ai)
            try await library.base.connected(workers: 2)
            try await library.fill(library.upstreams.spotify, tracks: 200, oddities: false)
            let ada = try await library.base.addUser()
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            let estimate: EstimateAnswer = try await ada.get("/v1/ai/estimate").decode()
            #expect(estimate.provider == "home" && estimate.cost == CostAnswer("0.000175", "USD"))
            let list = try await ada.madeList(["prompt": "rainy", "size": 15, "source": "library"])
            #expect(list.model == "demo-model" && list.fallback == nil)
            #expect(list.cost == (try CostAnswer(list.usage, prices: "0.02/0.05", "USD")))
            let printed = try await library.base.backline(
                "ai", "playlist", "calm", "--size", "6", "--source", "library", as: ada)
            #expect(printed.text.contains(" USD."), "\(printed)")

            // Lists that were already made keep their cost.
            library.base.configure(["BACKLINE_AI_PRICES": "another=1/1"])
            try await library.killGateway()
            try await library.base.connected(workers: 2)
            let later: EstimateAnswer = try await ada.get("/v1/ai/estimate").decode()
            #expect(later.tokens > 0 && later.cost == nil)
            #expect(try await ada.listEnded(list.id).cost == list.cost)
        }
    }
}
