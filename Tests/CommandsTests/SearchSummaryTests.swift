import Testing

@testable import ConcertsCommands

@Suite("The summary under the table")
struct SearchSummaryTests {
    private func lines(_ status: SearchStatus, _ shows: [SearchShow], home: String? = nil) -> [String] {
        SearchSummary(status: status, shows: shows, homeCity: home).lines(isColored: false)
    }

    @Test("A complete search has the numbers of shows and artists, and explains the mark")
    func completeSearch() throws {
        let shows = [
            try SearchPages.show(["isHomeCity": true]),
            try SearchPages.show(["artistName": "Muse", "additionalArtists": ["Kabát", "A Support Act"]]),
        ]
        let coverage = [SearchStatus.Coverage(artist: "Kabát", rank: 2, status: .complete)]
        #expect(
            lines(SearchPages.status(.complete, done: 20, total: 20, coverage: coverage), shows, home: "Prague") == [
                "★ in Prague, your home city: 1 show", "2 shows of 3 artists (20 searched).",
            ])
        #expect(
            lines(SearchPages.status(.complete), [try SearchPages.show()], home: "Brno") == [
                "None of them is in Brno, your home city.", "1 show of 1 artist.",
            ])
    }

    @Test("The summary of an empty result says so, and names artists that were not found")
    func notFound() {
        let coverage: [SearchStatus.Coverage] = [
            .init(artist: "Nobody", rank: 1, status: .notFound), .init(artist: "No One", rank: 2, status: .notFound),
            .init(artist: "Adele", rank: 3, status: .complete),
        ]
        #expect(
            lines(SearchPages.status(.complete, done: 3, total: 3, coverage: coverage), [], home: "Prague") == [
                "No shows were found (3 artists searched).", "Ticketmaster does not know Nobody or No One.",
            ])
    }

    @Test("Artists with the same warning share one line")
    func sharedWarnings() throws {
        func warning(_ artist: String?, _ message: String) -> SearchStatus.Warning {
            .init(artist: artist, code: "networkError", message: message, recovery: "Retry.")
        }
        let status = SearchPages.status(
            .partial, done: 4, total: 4,
            warnings: [
                warning("Adele", "Away."), warning("Muse", "Broken."), warning("Kabát", "Away."), warning(nil, "All."),
            ])
        #expect(
            lines(status, [try SearchPages.show()]).suffix(3) == [
                "warning: Adele and Kabát: Away. Retry.", "warning: Muse: Broken. Retry.", "warning: All. Retry.",
            ])
    }

    @Test(
        "The summary of an unfinished search has its progress",
        arguments: [
            (SearchStatus.State.cancelled, "The search was cancelled when 2 of 5 artists were done."),
            (.partial, "The result is not complete. It includes shows that were known before."),
            (.failed, "The search failed. The result has only shows that were known before."),
        ])
    func unfinishedSearch(state: SearchStatus.State, expected: String) {
        #expect(lines(SearchPages.status(state, done: 2, total: 5), []).contains(expected))
    }
}
