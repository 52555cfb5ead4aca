import Model
import TestProcesses
import TestSupport
import Testing

@Suite("Lists made by the administrator's models", .timeLimit(.minutes(15)))
struct EndpointModelTests {
    @Test("An administrator's model is called in the format that its server accepts, and people choose the model")
    func modelOfAnAdministrator() async throws {
        try await LibraryInstallation.run(environment: ["BACKLINE_AI_RECOMMENDATION_HOURS": "0"]) { library in
            library.base.configure([
                "BACKLINE_AI_ENDPOINTS_HOME_URL": library.upstreams.aiEndpointURL,
                "BACKLINE_AI_ENDPOINTS_HOME_MODEL": "demo-model", "BACKLINE_AI_ENDPOINTS_HOME_CONTEXT_TOKENS": "6000",
                "BACKLINE_AI_ENDPOINTS_WORK_URL": library.upstreams.aiEndpointURL,
                "BACKLINE_AI_ENDPOINTS_WORK_MODEL": "large-model",
            ])
            try await library.killGateway()
            let worker = try await library.base.startWorker(.ai)
            try await library.base.connected(workers: 2)
            try await library.fill(library.upstreams.spotify, tracks: 300, oddities: false)
            let ada = try await library.base.addUser()
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            let endpoint = library.upstreams.aiEndpoint
            let list = try await ada.madeList(["prompt": "rainy", "size": 15, "source": "library"])
            #expect(list.model == "demo-model" && list.fallback == nil && list.ids.count == 15, "\(list)")
            #expect(try await endpoint.calls() == 1)

            // A server that knows fewer formats is detected once.
            try await endpoint.configure(["forms": .array([])])
            #expect(try await ada.madeList(["prompt": "sunny", "size": 15, "source": "mixed"]).fallback == nil)
            #expect(try await endpoint.calls() == 4)
            let windy = try await ada.madeList(["prompt": "windy", "size": 15, "source": "mixed"])
            #expect(windy.fallback == nil)
            #expect(try await endpoint.calls() == 5)
            let sent = String(decoding: try await ada.get("/v1/ai/playlists/\(windy.id)/sent").body, as: UTF8.self)
            #expect(sent.contains(#""candidates""#) && !sent.contains(#""knows""#), "it names no songs freely")
            // One that has cut off the question reveals that by the tokens that it counted.
            try await endpoint.configure(["contextTokens": 3000])
            let cut = try await ada.madeList(["prompt": "foggy", "size": 15, "source": "library"])
            #expect(cut.fallback?.contains("only part of the question") == true)

            try await endpoint.configure(["contextTokens": 8192, "models": .array(["demo-model", "large-model"])])
            let offered: EstimateAnswer = try await ada.get("/v1/ai/estimate").decode()
            #expect(offered.provider == "home" && offered.choice == nil && offered.choices == ["home", "work", "none"])
            #expect(offered.endpoints.map(\.name) == ["home", "work"])
            #expect(offered.endpoints.map(\.model) == ["demo-model", "large-model"])
            #expect(try await ada.chooseModel("work").status == 204)
            let stormy = try await ada.madeList(["prompt": "stormy", "size": 15, "source": "library"])
            #expect(stormy.model == "large-model")
            let unknown = try await ada.chooseModel("elsewhere")
            #expect(unknown.status == 422)
            #expect(String(decoding: unknown.body, as: UTF8.self).contains("expected one of gemini, home, work, none"))

            // No other model is called in place of the chosen one.
            for name in ["URL", "MODEL"] { library.base.forget("BACKLINE_AI_ENDPOINTS_WORK_" + name) }
            worker.kill()
            try await worker.waitForEnd()
            try await library.killGateway()
            _ = try await library.base.startWorker(.ai)
            try await library.base.connected(workers: 2)
            let lost: EstimateAnswer = try await ada.get("/v1/ai/estimate").decode()
            #expect(lost.provider == nil && lost.choice == "work" && lost.choices == ["home", "none"])
            let missed = try await ada.madeList(["prompt": "misty", "size": 15, "source": "library"])
            #expect(missed.fallback?.contains("no longer has the model 'work'") == true, "\(missed)")

            #expect(try await ada.chooseModel("none").status == 204)
            let calls = try await endpoint.calls()
            let ruled = try await ada.madeList(["prompt": "calm", "size": 15, "source": "library"])
            #expect(ruled.fallback?.contains("You have chosen to use no model") == true)
            #expect(try await endpoint.calls() == calls)
        }
    }
}
