import Concerts
import Foundation
import Model
import Testing

@Suite("The state of a search")
struct SearchOutcomeTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var coverage: [SearchOutcome.Coverage?]
        var isCancelled = false
        var state: SearchOutcome.State
        var testDescription: String {
            "\(coverage.map { $0?.rawValue ?? "…" }) \(isCancelled ? "cancelled " : "")is \(state)"
        }
    }

    @Test(
        "The state follows from the coverage of each artist",
        arguments: [
            Example(coverage: [nil, nil], state: .running),
            Example(coverage: [.complete, nil], state: .running),
            Example(coverage: [.failed, nil], state: .running),
            Example(coverage: [.complete, .complete], state: .complete),
            Example(coverage: [.complete, .notFound], state: .complete),
            Example(coverage: [.notFound], state: .complete),
            Example(coverage: [.complete, .failed], state: .partial),
            Example(coverage: [.notFound, .failed], state: .partial),
            Example(coverage: [.partial, .complete], state: .partial),
            Example(coverage: [.partial, .failed], state: .partial),
            Example(coverage: [.partial], state: .partial),
            Example(coverage: [.failed, .failed], state: .failed),
            Example(coverage: [.complete, nil], isCancelled: true, state: .cancelled),
            Example(coverage: [nil], isCancelled: true, state: .cancelled),
            Example(coverage: [.complete], isCancelled: true, state: .complete),
            Example(coverage: [], state: .complete),
        ])
    func stateFromCoverage(example: Example) {
        let outcome = SearchOutcome(
            artists: example.coverage.enumerated().map { index, coverage in
                (RankedArtist(id: "\(index)", name: "Artist \(index)", rank: index + 1), coverage)
            }, isCancelled: example.isCancelled)
        #expect(outcome.state == example.state)
        #expect(outcome.progress.total == example.coverage.count)
        #expect(outcome.progress.done == example.coverage.compactMap(\.self).count)
        #expect(outcome.coverage.map(\.status) == example.coverage.compactMap(\.self))
    }

    @Test("Coverage is ordered by rank")
    func coverageInOrderOfRank() {
        let outcome = SearchOutcome(
            artists: [
                (RankedArtist(id: "b", name: "B", rank: 2), .complete),
                (RankedArtist(id: "a", name: "A", rank: 1), .failed),
            ], isCancelled: false)
        #expect(outcome.coverage.map(\.artist) == ["A", "B"])
    }

    @Test("Every warning says what happened and what to do", arguments: ConcertWarningCode.allCases)
    func textsOfWarnings(code: ConcertWarningCode) {
        let warning = SearchWarning(code, artist: "ABBA")
        #expect(warning.message.hasSuffix("."))
        #expect(warning.recovery.hasSuffix("."))
        #expect(warning.message != warning.recovery)
    }

    @Test(
        "A temporary failure names its cause and when to retry",
        arguments: [
            (ConcertWarningCode.networkError, "reached", "internet connection"),
            (.upstreamError, "error", "few minutes"), (.rateLimited, "fewer requests", "minute"),
            (.invalidResponse, "could not be read", "report it"),
        ])
    func causeOfATemporaryFailure(code: ConcertWarningCode, message: String, recovery: String) {
        let warning = SearchWarning(code, artist: nil)
        #expect(warning.message.contains(message) && warning.recovery.contains(recovery))
    }

    @Test(
        "The warning of a missing or refused key names the page for keys",
        arguments: [ConcertWarningCode.ticketmasterKeyMissing, .ticketmasterKeyInvalid])
    func warningNamesThePageForKeys(code: ConcertWarningCode) {
        let recovery = SearchWarning(code, artist: nil).recovery
        #expect(recovery.contains("/setup/ticketmaster") && !recovery.contains("BACKLINE_"))
    }

    @Test("The warning of an exhausted quota says when it is renewed")
    func renewalOfAQuota() throws {
        let resetsAt = try #require(Timestamp(rfc3339: "2026-11-21T08:30:00.5Z"))
        let warning = SearchWarning(.quotaExhausted, artist: nil, resetsAt: resetsAt)
        #expect(warning.recovery.contains("2026-11-21T08:30:00Z"))
        #expect(SearchWarning(.quotaExhausted, artist: nil).recovery.contains("in an hour"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(warning), as: UTF8.self).hasPrefix(#"{"artist":null,"#))
    }
}
