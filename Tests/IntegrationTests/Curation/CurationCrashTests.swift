import Model
import TestProcesses
import TestSupport
import Testing

@Suite("Lists whose workers are killed", .timeLimit(.minutes(15)))
struct CurationCrashTests {
    private static let kills = longTestsAreWanted ? 20 : 4
    private static let size = longTestsAreWanted ? 60 : 20

    @Test("A killed worker makes at most one more call, each call is counted once, and a list is saved once")
    func killedWorkers() async throws {
        let seed = UInt64.random(in: 0...(.max - 1))
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let prices = ["BACKLINE_AI_PRICES": "gemini-3.8-flash=0.30/2.50"]
        try await LibraryInstallation.runWithCuration(environment: prices) { library, ada in
            try await ada.enterGeminiKey()
            try await library.upstreams.gemini.configure(["latencyMs": 300])
            let begun = try await ada.beginList(
                ["prompt": "again and again", "size": .integer(Self.size), "source": "discovery"])
            let spotify = library.upstreams.spotify
            func calls() async throws -> Int {
                try await library.upstreams.gemini.calls("generateContent")
                    + (spotify.callsByEndpoint()["GET /spotify/v1/search"] ?? 0)
            }
            var killed = 0
            while killed < Self.kills {
                // A job whose worker dies three times before it gets anywhere is set aside, whatever it does: from the
                // second call on, the answer of the first one is stored.
                let wanted = try await calls() + Int.random(in: killed == 0 ? 1...4 : 2...4, using: &random)
                try await eventually("a call", within: LibraryInstallation.patience) {
                    let list: ListAnswer = try await ada.get("/v1/ai/playlists/\(begun.id)").decode()
                    return try await calls() >= wanted || list.hasEnded
                }
                for worker in library.base.running("ai-worker") {
                    worker.kill()
                    try await worker.waitForEnd()
                }
                _ = try await library.base.startWorker(.ai)
                killed += 1
            }
            let list = try await ada.listEnded(begun.id)
            #expect(list.state == "complete", "\(list)")
            #expect(Set(list.ids).count == list.ids.count && !list.ids.isEmpty)
            let asked = try await library.upstreams.gemini.calls("generateContent")
            #expect(asked <= 2)
            let estimate: EstimateAnswer = try await ada.get("/v1/ai/estimate").decode()
            #expect(estimate.usedThisMonth == list.usage.totalTokens)
            if asked == 1 {
                let (input, output) = (try #require(list.usage.inputTokens), try #require(list.usage.outputTokens))
                #expect(input + output == list.usage.totalTokens)
                #expect(list.cost == (try CostAnswer(list.usage, prices: "0.30/2.50", "USD")))
            } else {
                // The use of a call without an answer is an estimate.
                #expect(list.usage.inputTokens == nil && list.cost == nil)
            }
            try await save(list, library, ada, &random)
        }
    }

    /// Saves a list while the worker that writes it is killed at each write.
    private func save(
        _ list: ListAnswer, _ library: LibraryInstallation, _ ada: APIClient, _ random: inout SeededRandom
    ) async throws {
        let saved = try await library.killWorker(atWrites: 2, random: &random) {
            let path = "/v1/ai/playlists/\(list.id)/save"
            let saved = try await ada.post(path, #"{"to":"spotify","name":"Saved once"}"#)
            #expect(saved.status == 202, "\(saved.text)")
            return saved
        }
        let edit = try await ada.editEnded(try saved.decode(EditAnswer.self).id)
        #expect(edit.state == "complete" && edit.done == list.ids.count, "\(edit)")
        let made = try await library.upstreams.spotify.library().playlists.filter { $0.name == "Saved once" }
        #expect(made.map(\.total) == [list.ids.count])
    }
}
