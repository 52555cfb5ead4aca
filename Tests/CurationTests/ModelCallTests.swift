import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Curation

@Suite("Model calls are counted before they are made")
struct ModelCallTests {
    /// Simulates the death of the process.
    private struct Death: Error {}

    private static let month = Timestamp(microseconds: 1_790_000_000_000_000)

    private func begin(in database: Database) async throws -> String {
        try await database.write { transaction in
            try transaction.curation.begin(
                CurationSamples.request("calm"), title: "Calm", userID: "ada", cost: nil, now: Self.month
            ).id
        }
    }

    /// Runs a list once.
    ///
    /// - Parameter ask: what the model does.
    private func run(
        _ id: String, in database: Database, budget: Int? = nil,
        ask: @escaping @Sendable (ModelQuestion) async throws -> ModelReply
    ) async throws -> ListContent? {
        let context = CurationContext(candidates: (0..<20).map { CurationSamples.song($0) })
        let run = CurationRun(
            id, userID: "ada", database: database, context: { _, _ in context },
            model: { LanguageModel { try await ask($0) } }, monthlyTokens: budget, catalog: { nil },
            checkpoint: { rows in try await database.write { try rows($0) } }, now: { Self.month })
        return try await run.run()
    }

    private func used(in database: Database) async throws -> Int {
        try await database.read { try $0.curation.tokensUsed(userID: "ada", at: Self.month) }
    }

    private func list(_ id: String, in database: Database) async throws -> CuratedList? {
        try await database.read { try $0.curation.list(id, userID: "ada") }
    }

    private func reply(_ tokens: TokenUsage = TokenUsage(input: 300, output: 40)) -> ModelReply {
        ModelReply(.text(#"{"songs":[1,2,3,4,5]}"#), model: "one", tokens: tokens, cost: nil)
    }

    @Test("However often its worker dies while a model is asked, a list has two calls, both counted, and gets made")
    func callsAfterDeathsOfWorkers() async throws {
        try await withDatabase { database, _ in
            let id = try await begin(in: database)
            let (asked, estimates) = (Collector<Int>(), Collector<Int>())
            var finished: ListContent?
            for _ in 0..<5 where finished == nil {
                do {
                    finished = try await run(id, in: database) { question in
                        asked.append(try await used(in: database))
                        estimates.append(question.estimatedTokens + question.room)
                        throw Death()
                    }
                } catch is Death {
                    // Starting a call does not count as progress of the job.
                    #expect(try await database.read { try $0.curation.progress(of: id, userID: "ada") }.workDone == 0)
                }
            }
            let estimate = try #require(estimates.elements.first)
            #expect(asked.elements == [estimate, 2 * estimate])
            #expect(finished?.tracks.isEmpty == false)
            let made = try #require(try await list(id, in: database))
            #expect(made.fallback?.contains("were lost") == true && made.sent != nil)
            #expect(made.totalTokens == 2 * estimate && made.tokenParts == nil && made.cost == nil)
            #expect(try await used(in: database) == 2 * estimate)
        }
    }

    @Test("An answer replaces its estimate, and the count of a refused or unmade call is reverted")
    func answerReplacesTheEstimate() async throws {
        try await withDatabase { database, _ in
            let id = try await begin(in: database)
            _ = try await run(id, in: database) { _ in reply() }
            #expect(try await used(in: database) == 340)
            for kind in [ProviderFailure.Kind.keyRefused, .requestRefused] {
                let refused = try await begin(in: database)
                _ = try await run(refused, in: database) { question in
                    #expect(try await used(in: database) > 340 + question.room)
                    throw ProviderFailure(.gemini, kind, message: "No.")
                }
                #expect(try await list(refused, in: database)?.calls == 0)
            }
            #expect(try await used(in: database) == 340)
        }
    }

    @Test("A call without an answer stays counted, and so does that of a list deleted meanwhile")
    func callsWithoutAnAnswer() async throws {
        try await withDatabase { database, _ in
            let estimates = Collector<Int>()
            let late = try await begin(in: database)
            _ = try await run(late, in: database) { question in
                estimates.append(question.estimatedTokens + question.room)
                throw ProviderFailure(.gemini, .timedOut, outcome: .unknown, message: "Nothing came.")
            }
            #expect(try await list(late, in: database)?.totalTokens == estimates.elements[0])
            let deleted = try await begin(in: database)
            await #expect(throws: CancellationError.self) {
                _ = try await run(deleted, in: database) { question in
                    estimates.append(question.estimatedTokens + question.room)
                    _ = try await database.write { try $0.curation.delete(deleted, userID: "ada") }
                    throw CancellationError()
                }
            }
            #expect(try await used(in: database) == estimates.elements.reduce(0, +))
        }
    }

    @Test("Lists that are made at the same time cannot together exceed the month's budget")
    func budgetOfAMonth() async throws {
        try await withDatabase { database, _ in
            let ids = [try await begin(in: database), try await begin(in: database), try await begin(in: database)]
            let (asked, gate) = (Collector<Void>(), Collector<Void>())
            // One and a half times as much as one of them takes.
            let sample = ModelQuestion.about(
                CurationSamples.request("calm"), candidates: (0..<20).map { CurationSamples.song($0) }, seeds: [],
                artists: [], genres: []
            ).question
            let budget = (sample.estimatedTokens + sample.room) * 3 / 2
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in ids {
                    group.addTask {
                        _ = try await run(id, in: database, budget: budget) { _ in
                            asked.append(())
                            await gate.wait(for: 2)
                            return reply()
                        }
                        gate.append(())
                    }
                }
                try await group.waitForAll()
            }
            #expect(asked.elements.count == 1)
            let fallbacks = try await database.read { reader in
                try ids.compactMap { try reader.curation.list($0, userID: "ada")?.fallback }
            }
            #expect(fallbacks.count == 2 && fallbacks.allSatisfy { $0.contains("are used up, or nearly") })
            #expect(try await used(in: database) == 340)
        }
    }

    @Test("No number from a model or its provider crashes the process")
    func extremeNumbers() throws {
        let extreme = "-9223372036854775808"
        for number in [#""\#(extreme)""#, extreme, "9223372036854775807", "1e400", "-1e18", "0", "-1", "21"] {
            let text = #"{"songs":[{"number":\#(number)},{"number":1}],"discoveries":[]}"#
            guard let answer = ModelAnswer(text) else { continue }
            let bound = answer.bound(to: (0..<20).map { CurationSamples.song($0) })
            #expect(bound.songs.compactMap(\.reference) == ["song-0"], "\(number)")
            #expect(answer.bound(to: [CandidateSong]()).songs.compactMap(\.reference) == [])
            let plan = #"{"artists":[\#(number),1],"from":\#(number),"to":\#(number),"order":"newest"}"#
            let planned = ModelAnswer(planIn: plan, genres: [], artists: ["Ann"])?.plan
            #expect(planned?.artists == ["Ann"], "\(number)")
        }
        for number in [Int.max, .max - 1, 1_000_000_001] {
            let usage = try #require(TokenUsage(total: nil, input: number, output: [number, number, nil]))
            let twice = TokenUsage.Parts.sum(usage.parts, usage.parts)
            #expect(twice == TokenUsage.Parts(input: 1_000_000_000, output: 1_000_000_000))
            #expect(TokenUsage(total: number, input: 5, output: [])?.total == 1_000_000_000)
        }
        #expect(TokenUsage(total: .min, input: nil, output: []) == nil)
    }
}
