import Model
import Storage
import TestSupport
import Testing

@testable import Curation

@Suite("The cost of a list")
struct ListCostTests {
    private static let userID = "ada"

    /// The stored list after its model has given these replies.
    private func list(_ replies: [ModelReply], cost: Money? = nil) async throws -> CuratedList {
        try await withDatabase { database, _ in
            let asked = Collector<ModelQuestion>()
            let request = CurationSamples.request("calm", size: 5)
            let id = try await database.write { transaction in
                try transaction.curation.begin(
                    request, title: "Calm", userID: Self.userID, cost: cost, now: .now()
                ).id
            }
            let context = CurationContext(candidates: (0..<20).map { CurationSamples.song($0) })
            let run = CurationRun(
                id, userID: Self.userID, database: database, context: { _, _ in context },
                model: {
                    guard !replies.isEmpty else { throw CurationRun.NoModel("There is none.") }
                    return LanguageModel { question in
                        asked.append(question)
                        return replies[asked.elements.count - 1]
                    }
                },
                catalog: { nil }, checkpoint: { rows in try await database.write { try rows($0) } })
            let finished = try #require(try await run.run())
            try await database.write { try $0.curation.finish(finished) }
            return try #require(try await database.read { try $0.curation.list(id, userID: Self.userID) })
        }
    }

    private func reply(
        _ model: String, _ tokens: TokenUsage, _ amount: String?, currency: String = "EUR", isLast: Bool = false
    ) -> ModelReply {
        ModelReply(
            isLast ? .text(#"{"songs":[1,2,3,4,5]}"#) : .nothing("Nothing."), model: model, tokens: tokens,
            cost: amount.flatMap { Money(amountText: $0, currency: currency) })
    }

    @Test("The costs of models that answered for one list are added up, each at its own price")
    func costsOfSeveralModels() async throws {
        let found = try await list([
            reply("one", TokenUsage(input: 100, output: 7), "0.0001"),
            reply("two", TokenUsage(input: 200, output: 5), "0.02", isLast: true),
        ])
        #expect(found.state == .complete && found.fallback == nil && found.model == "two")
        #expect(found.totalTokens == 312 && found.tokenParts == TokenUsage.Parts(input: 300, output: 12))
        #expect(found.cost == Money(amountText: "0.0201", currency: "EUR"))
    }

    @Test("A call without a price, in another currency or without separate token counts leaves the cost unknown")
    func unknownCost() async throws {
        let priced = reply("one", TokenUsage(input: 100, output: 7), "0.0001")
        let last = TokenUsage(input: 200, output: 5)
        #expect(try await list([priced, reply("two", last, nil, isLast: true)]).cost == nil)
        #expect(try await list([reply("two", last, nil), reply("one", last, "1", isLast: true)]).cost == nil)
        #expect(try await list([priced, reply("two", last, "1", currency: "USD", isLast: true)]).cost == nil)
        let untold = try await list([priced, reply("two", TokenUsage(total: 50), nil, isLast: true)])
        #expect(untold.totalTokens == 157 && untold.tokenParts == nil && untold.cost == nil)
    }

    @Test("A list made without a model costs nothing, which is known only if there are prices")
    func listWithoutAModel() async throws {
        let free = Money(amount: 0, currency: "EUR")
        let ruled = try await list([], cost: free)
        #expect(ruled.fallback != nil && ruled.cost == free)
        #expect(ruled.tokenParts == TokenUsage.Parts(input: 0, output: 0))
        #expect(try await list([]).cost == nil)
        // The prices were changed between asking and answering.
        let last = reply("one", TokenUsage(input: 1, output: 1), "2", currency: "USD", isLast: true)
        #expect(try await list([last], cost: free).cost == Money(amount: 2, currency: "USD"))
    }
}
