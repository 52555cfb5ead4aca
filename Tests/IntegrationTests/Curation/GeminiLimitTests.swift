import Model
import TestProcesses
import Testing

@Suite("The limits that Gemini counts itself", .timeLimit(.minutes(15)))
struct GeminiLimitTests {
    /// The counts of the quotas of a project and a model.
    private struct Quotas: Decodable, Sendable {
        struct Use: Decodable, Sendable {
            var admitted: Int
            var refused: Int
            var largest: Int
        }
        var model: String
        var requestsPerMinute: Use
        var tokensPerMinute: Use
        var requestsPerDay: Use

        var refused: Int { requestsPerMinute.refused + tokensPerMinute.refused + requestsPerDay.refused }
    }

    private func quotas(_ library: LibraryInstallation) async throws -> Quotas {
        let all: [Quotas] = try await library.upstreams.gemini.ask("quotas")
        #expect(all.map(\.model) == ["gemini-3.8-flash"])
        return try #require(all.first)
    }

    /// Lists that are requested at once, after all have ended.
    private func lists(_ count: Int, _ ada: APIClient) async throws -> [ListAnswer] {
        try await withThrowingTaskGroup(of: ListAnswer.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await ada.madeList(["prompt": .string("wish \(number)"), "size": 10, "source": "library"])
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("With equal limits, many lists at once never exceed the requests per minute")
    func requestsPerMinute() async throws {
        let environment = ["BACKLINE_UPSTREAMS_GEMINI_REQUESTS": "4", "BACKLINE_UPSTREAMS_GEMINI_WINDOW_MS": "5000"]
        try await LibraryInstallation.runWithCuration(environment: environment) { library, ada in
            // Two workers share the limit.
            _ = try await library.base.startWorker(.ai)
            try await library.base.connected(workers: 3)
            try await library.upstreams.gemini.configure(["requestsPerMinute": 4, "minuteMs": 5000])
            try await ada.enterGeminiKey()
            let made = try await lists(12, ada)
            #expect(made.allSatisfy { $0.state == "complete" && $0.fallback == nil }, "\(made.map(\.fallback))")
            let found = try await quotas(library)
            #expect(found.refused == 0 && found.requestsPerMinute.admitted == 12, "\(found)")
            // A machine that needs more than a window for four lists has fewer.
            #expect((1...4).contains(found.requestsPerMinute.largest), "\(found)")
        }
    }

    /// The tokens of a minute. Six lists read 8,000 or more, so with fewer some have to wait for the next minute. With
    /// more, those at once still exceed it by what is estimated for them.
    private static let tokens = longTestsAreWanted ? 7_000 : 14_000

    @Test("With equal limits, many lists at once never exceed the requests per day or the tokens per minute")
    func dayAndTokens() async throws {
        let environment = [
            "BACKLINE_UPSTREAMS_GEMINI_DAILY_REQUESTS": "6", "BACKLINE_UPSTREAMS_GEMINI_TOKENS": "\(Self.tokens)",
        ]
        try await LibraryInstallation.runWithCuration(environment: environment) { library, ada in
            try await library.upstreams.gemini.configure([
                "requestsPerDay": 6, "tokensPerMinute": .integer(Self.tokens),
            ])
            try await ada.enterGeminiKey()
            let made = try await lists(10, ada)
            #expect(made.allSatisfy { $0.state == "complete" && $0.ids.count == 10 })
            let found = try await quotas(library)
            #expect(found.refused == 0, "\(found)")
            print("\(found.tokensPerMinute.largest) tokens in a minute")
            #expect((1...Self.tokens).contains(found.tokensPerMinute.largest), "\(found)")
            // At midnight in California another day begins, with requests of its own.
            #expect((6...10).contains(found.requestsPerDay.admitted) && found.requestsPerDay.largest <= 6, "\(found)")
            #expect(made.count { $0.fallback == nil } == found.requestsPerDay.admitted)
        }
    }

    @Test("If Google's limit is lower than the configured one, lists wait as long as Google says, and all are made")
    func lowerLimitOfGoogle() async throws {
        try await LibraryInstallation.runWithCuration { library, ada in
            // The window is long enough for a busy machine to request three lists in it.
            try await library.upstreams.gemini.configure(["requestsPerMinute": 2, "minuteMs": 15_000])
            try await ada.enterGeminiKey()
            let made = try await lists(4, ada)
            #expect(made.allSatisfy { $0.state == "complete" && $0.ids.count == 10 })
            let found = try await quotas(library)
            #expect(found.requestsPerMinute.refused > 0 && found.requestsPerMinute.largest == 2, "\(found)")
            #expect(made.count { $0.fallback == nil } == found.requestsPerMinute.admitted)
        }
    }
}
