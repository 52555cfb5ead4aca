import Foundation
import Model
import Testing

@testable import LibrarySync
@testable import LibraryWriting

@Suite("The state of a sync")
struct SyncStateTests {
    private static let pageSize = 50

    private func state(_ source: MusicSource, doubt: AccountUncertainty = .none) -> SyncState {
        var state = SyncState(number: 1, libraryID: 7, sources: [source])
        #expect(state.handle(.resumed) == .askAccount(source))
        let facts = AccountFacts(account: "a", accountID: 3, doubt: doubt, needsStorefront: false)
        #expect(state.handle(.account(facts)) == .fetch(.list(.tracks, offset: 0, of: source)))
        return state
    }

    private func page(
        _ offset: Int = 0, items: Int = 50, total: Int?, next: Int? = nil, head: String = "h",
        comparison: PageFacts.Comparison? = nil, last: LastScan? = nil, hadItems: Bool = true
    ) -> SyncEvent {
        .page(
            PageFacts(
                itemCount: items, entryCount: items, total: total, nextOffset: next, reach: offset + Self.pageSize,
                head: head, firstID: "f\(offset)", lastID: "f\(offset + items - 1)", comparison: comparison, last: last,
                hadItems: hadItems))
    }

    /// Goes through the clearing of sightings to the pages of a whole scan.
    private func beginWhole(_ state: inout SyncState, _ first: SyncEvent) {
        if case .askStorefront = state.handle(first) {
            guard case .fetch = state.handle(.storefront) else { return }
            _ = state.handle(first)
        }
        #expect(state.handle(.written(count: 5)) == .write(.clear(.tracks)))
        #expect(state.handle(.written(count: 0)) == .fetch(.list(.tracks, offset: 0, of: state.source ?? .spotify)))
    }

    @Test("An unchanged total and first page end the list with one request")
    func unchangedList() {
        let last = LastScan(total: 120, head: "h")
        for source in MusicSource.services {
            var state = state(source)
            #expect(state.handle(page(total: 120, next: 50, last: last)) == .write(.unchanged(.tracks, total: 120)))
            #expect(state.handle(.written(count: 0)) == .fetch(.list(.playlists, offset: 0, of: source)))
            #expect(!state.mustMerge)
        }
    }

    @Test("A missing total, an earlier reading without one, or unexpected items cause the list to be read whole")
    func listReadWhole() {
        let last = LastScan(total: 120, head: "x")
        let known = PageFacts.Comparison(newOnTop: 0, knownCount: 50, endsKnown: true)
        let odd = PageFacts.Comparison(newOnTop: 2, knownCount: 47, endsKnown: true)
        for first in [
            page(total: nil, next: 50, comparison: known, last: last), page(total: 120, next: 50, comparison: known),
            page(total: 119, next: 50, comparison: known, last: last),
            page(total: 121, next: 50, comparison: known, last: last),
            page(total: 122, next: 50, comparison: odd, last: last),
        ] {
            var state = state(.spotify)
            #expect(state.handle(first) == .write(.clear(.tracks)))
        }
    }

    @Test("If the total has grown by the new items at the top, only their pages are read")
    func newItemsAtTheTop() {
        let last = LastScan(total: 120, head: "x")
        var state = state(.spotify)
        let new = PageFacts.Comparison(newOnTop: 50, knownCount: 0, endsKnown: false)
        #expect(
            state.handle(page(total: 172, next: 50, comparison: new, last: last))
                == .write(.page(.tracks, isWhole: false, isFirst: true, total: 172)))
        #expect(state.handle(.written(count: 0)) == .fetch(.list(.tracks, offset: 50, of: .spotify)))
        let mixed = PageFacts.Comparison(newOnTop: 2, knownCount: 48, endsKnown: true)
        #expect(
            state.handle(page(50, total: 172, next: 100, comparison: mixed))
                == .write(.page(.tracks, isWhole: false, isFirst: false, total: 172)))
        let seen = LastScan(total: 172, head: "h")
        #expect(
            state.handle(.written(count: 0)) == .write(.close(.tracks, seen: seen, unread: nil, isWhole: false)))
        #expect(state.mustMerge)
    }

    @Test("Only a complete reading of a library that had items marks what it did not see")
    func markingMissingItems() {
        // The items on the last page, its total, whether the library had items, and whether the scan marks.
        let cases: [(items: Int, total: Int, hadItems: Bool, marks: Bool)] = [
            (20, 70, true, true), (20, 70, false, false), (20, 71, true, false), (10, 70, true, false),
        ]
        for test in cases {
            var state = state(.spotify)
            let first = page(total: 70, next: 50, hadItems: test.hadItems)
            beginWhole(&state, first)
            _ = state.handle(first)
            _ = state.handle(.written(count: 0))
            // If something can be marked, pages overlap by one entry.
            let repeated = test.hadItems ? 1 : 0
            _ = state.handle(page(50 - repeated, items: test.items + repeated, total: test.total))
            let action = state.handle(.written(count: 0))
            #expect((action == .write(.mark(.tracks))) == test.marks, "\(test): \(action)")
        }
    }

    @Test("After an empty answer, or one that ends before its total, the list has to be read whole again")
    func truncatedAnswers() {
        for (items, total) in [(0, 0), (0, 70), (50, 170)] {
            var state = state(.appleMusic)
            let first = page(items: items, total: total)
            beginWhole(&state, first)
            _ = state.handle(first)
            let closing = state.handle(.written(count: 0))
            guard case .write(.close(.tracks, seen: nil, unread: _, isWhole: true)) = closing else {
                Issue.record("\(items) of \(total) count as the whole list")
                return
            }
        }
    }

    @Test("A page that does not begin where the last one ended shows a change", arguments: MusicSource.services)
    func pagesThatDoNotOverlap(_ source: MusicSource) {
        for isSteady in [true, false] {
            var state = state(source)
            let first = page(total: 69, next: 50)
            beginWhole(&state, first)
            _ = state.handle(first)
            #expect(state.handle(.written(count: 0)) == .fetch(.list(.tracks, offset: 49, of: source)))
            _ = state.handle(
                .page(
                    PageFacts(
                        itemCount: 20, entryCount: 20, total: 69, nextOffset: nil, reach: 99, head: "h",
                        firstID: isSteady ? "f49" : "f50", lastID: "f68")))
            #expect((state.handle(.written(count: 0)) == .write(.mark(.tracks))) == isSteady)
        }
    }

    /// What follows a scan of a list whose two pages do not overlap.
    private func afterPages(_ scan: ListScan, isFull: Bool = true) -> SourceProgress {
        var progress = SourceProgress(source: .spotify, account: "a", accountID: 3, doubt: .none)
        progress.step = .pages(scan)
        for (offset, items) in [(0, isFull ? 50 : 49), (50, 20)] {
            let facts = PageFacts(
                itemCount: items, entryCount: offset == 0 ? 50 : 20, total: 70, nextOffset: offset == 0 ? 50 : nil,
                reach: offset + Self.pageSize, head: "h", firstID: "f\(offset)", lastID: "l\(offset)")
            #expect(progress.next == .fetch(.list(scan.list, offset: offset, of: .spotify)))
            #expect(progress.advance(afterFetching: facts) != nil)
        }
        return progress
    }

    @Test("Lists whose pages do not overlap are read a second time before anything is marked")
    func secondScan() {
        for (list, isFull) in [(SourceList.playlists, true), (.albums, false)] {
            let first = ListScan(list: list, isWhole: true, hadItems: true)
            var progress = afterPages(first, isFull: isFull)
            #expect(progress.next == .findUnseen(list))
            var seen = progress
            seen.advance(afterComparing: false)
            guard case .write(.close(list, seen: _?, unread: _, isWhole: true)) = seen.next else {
                Issue.record("Without anything to mark, it does \(seen.next)")
                continue
            }
            progress.advance(afterComparing: true)
            guard case .pages(let second) = progress.step else {
                Issue.record("It continues with \(progress.step)")
                continue
            }
            #expect(second.isSecond == true && second.offset == 0 && second.entryCount == 0)
            for isOutdated in [false, true] {
                var again = afterPages(second, isFull: isFull)
                #expect(again.next == .findUnseen(list))
                again.advance(afterComparing: isOutdated)
                #expect(again.next == .write(.mark(list)))
                again.advance(afterWriting: 0)
                guard case .write(.close(list, let seen, unread: _, isWhole: true)) = again.next else {
                    Issue.record("After marking, it does \(again.next)")
                    continue
                }
                #expect((seen == nil) == isOutdated)
            }
        }
        // A single page hides nothing.
        var progress = SourceProgress(source: .spotify, account: "a", accountID: 3, doubt: .none)
        progress.step = .pages(ListScan(list: .playlists, isWhole: true, hadItems: true))
        let facts = PageFacts(
            itemCount: 9, entryCount: 9, total: 9, nextOffset: nil, reach: 50, head: "h", firstID: "f", lastID: "l")
        #expect(progress.advance(afterFetching: facts) != nil)
        #expect(progress.next == .write(.mark(.playlists)))
    }

    @Test("With a new credential, the share of known tracks that appear decides whether the user is asked")
    func doubtAboutTheAccount() {
        for (appeared, isSame) in [(34, false), (35, true)] {
            var state = state(.appleMusic, doubt: .undecided(known: 70, appeared: 0))
            let comparison = PageFacts.Comparison(newOnTop: 0, knownCount: appeared, endsKnown: false)
            let first = page(total: 50, comparison: comparison, last: LastScan(total: 50, head: "h"))
            beginWhole(&state, first)
            _ = state.handle(first)
            #expect(state.handle(.written(count: 0)) == .write(.confirmAccount("a", isSame: isSame)))
            let action = state.handle(.written(count: 0))
            #expect((action == .write(.mark(.tracks))) == isSame)
        }
    }

    @Test("A source that fails is followed by the next one, and finally by merging")
    func failingSource() {
        var state = SyncState(number: 1, libraryID: 7, sources: MusicSource.services, mustMerge: true)
        #expect(state.handle(.resumed) == .askAccount(.appleMusic))
        #expect(state.handle(.failed) == .write(.fail(.appleMusic)))
        #expect(state.handle(.written(count: 0)) == .askAccount(.spotify))
        #expect(state.outcome(awaitsPerson: false) == .partial)
        #expect(state.handle(.failed) == .write(.fail(.spotify)))
        #expect(state.handle(.written(count: 0)) == .write(.merge))
        #expect(state.handle(.merged(isDone: false)) == .write(.merge))
        #expect(state.handle(.merged(isDone: true)) == .finish)
        #expect(state.outcome(awaitsPerson: false) == .failed && state.outcome(awaitsPerson: true) == .partial)
    }

    @Test("A source that is set aside continues where it was, or restarts if another sync has read since")
    func postponedSource() {
        for isRestart in [false, true] {
            var state = SyncState(number: 1, libraryID: 7, sources: MusicSource.services)
            #expect(state.handle(.resumed) == .askAccount(.appleMusic))
            let facts = AccountFacts(account: "a", accountID: 3, doubt: .none, needsStorefront: false)
            let first = SyncAction.fetch(.list(.tracks, offset: 0, of: .appleMusic))
            #expect(state.handle(.account(facts)) == first)
            let isAside = state.postponeSource(failed: [.appleMusic])
            #expect(isAside)
            #expect(state.handle(.resumed) == .askAccount(.spotify))
            // The other source has failed in this run, too.
            let isAgain = state.postponeSource(failed: [.appleMusic, .spotify])
            #expect(!isAgain)
            // A later run tries it again.
            var later = state
            let isTried = later.postponeSource(failed: [.spotify])
            #expect(isTried)
            #expect(later.handle(.resumed) == first)
            if isRestart { state.restart() }
            #expect(state.handle(.failed) == .write(.fail(.spotify)))
            #expect(state.handle(.written(count: 0)) == (isRestart ? .askAccount(.appleMusic) : first))
        }
    }

    @Test("Entries of a playlist are shown when the last page reaches their total")
    func entriesOfAPlaylist() {
        let playlist = PlaylistToRead(id: 9, sourceID: "p", upstreamVersion: "v")
        let cases: [(EntriesFacts, Int?, EntriesEnd)] = [
            (.page(total: 40, nextOffset: nil, reach: 50), 40, .show),
            (.page(total: nil, nextOffset: nil, reach: 50), nil, .show),
            (.page(total: 60, nextOffset: nil, reach: 50), 60, .drop),
            (.page(total: 60, nextOffset: 50, reach: 50), 60, .open),
            (.empty, nil, .show),
        ]
        for (answer, total, end) in cases {
            var progress = SourceProgress(source: .spotify, account: "a", accountID: 3, doubt: .none)
            progress.step = .entries(EntriesScan(playlist: playlist))
            #expect(
                progress.advance(afterFetching: answer) == .entries(playlist, isFirst: true, total: total, end: end))
        }
        var progress = SourceProgress(source: .spotify, account: "a", accountID: 3, doubt: .none)
        progress.step = .entries(EntriesScan(playlist: playlist, offset: 50, total: 60))
        #expect(
            progress.advance(afterFetching: .page(total: 61, nextOffset: 100, reach: 100))
                == .entries(playlist, isFirst: false, total: 61, end: .drop))
        #expect(progress.step == .nextPlaylist(after: 9))
        // Not every page reports the total.
        progress.step = .entries(EntriesScan(playlist: playlist, offset: 50))
        #expect(
            progress.advance(afterFetching: .page(total: 60, nextOffset: nil, reach: 100))
                == .entries(playlist, isFirst: false, total: 60, end: .show))
        progress.step = .entries(EntriesScan(playlist: playlist, offset: 50, total: 60))
        #expect(
            progress.advance(afterFetching: .page(total: nil, nextOffset: nil, reach: 100))
                == .entries(playlist, isFirst: false, total: 60, end: .show))
    }

    @Test("Equal states have equal, short JSON, and can be decoded again")
    func codingOfStates() throws {
        var state = state(.spotify)
        beginWhole(&state, page(total: 70, next: 50))
        let json = try SyncFixture.json(state)
        #expect(json.utf8.count < 2_000)
        #expect(json.contains(#"{"reading":{"#), "checkpoints of earlier versions have this name")
        #expect(try SyncFixture.json(state) == json)
        #expect(try JSONDecoder().decode(SyncState.self, from: Data(json.utf8)) == state)
        // A state from a version that did not know about hidden entries.
        let former = json.replacingOccurrences(of: #""isGapless":true,"#, with: "")
        #expect(former != json)
        let decoded = try JSONDecoder().decode(SyncState.self, from: Data(former.utf8))
        #expect(decoded.progress?.listScan?.isReliable == false)
    }
}
