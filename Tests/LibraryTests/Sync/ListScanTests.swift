import Model
import Testing

@testable import LibrarySync
@testable import LibraryWriting

@Suite("The reading of a list in pages")
struct ListScanTests {
    /// A scan of a whole list whose items were there before, at its first page.
    private func begin(_ list: SourceList, of source: MusicSource) -> SourceProgress {
        var progress = SourceProgress(source: source, account: "a", accountID: 3, doubt: .none)
        progress.step = .pages(ListScan(list: list, isWhole: true, hadItems: true))
        return progress
    }

    private func page(_ offset: Int, items: Int, total: Int?, next: Int?) -> PageFacts {
        PageFacts(
            itemCount: items, entryCount: items, total: total, nextOffset: next, reach: offset + 50, head: "h",
            firstID: "f\(offset)", lastID: "f\(offset + items - 1)")
    }

    @Test("A total that only a later page reports counts for the whole list")
    func lateTotal() {
        for (total, marks) in [(69, true), (70, false)] {
            var progress = begin(.tracks, of: .appleMusic)
            #expect(progress.advance(afterFetching: page(0, items: 50, total: nil, next: 50)) != nil)
            #expect(progress.next == .fetch(.list(.tracks, offset: 49, of: .appleMusic)))
            #expect(progress.advance(afterFetching: page(49, items: 20, total: total, next: nil)) != nil)
            #expect((progress.next == .write(.mark(.tracks))) == marks, "\(total)")
        }
    }

    @Test("Empty pages beyond the end are not followed forever", arguments: [70, nil])
    func endlessEmptyPages(total: Int?) {
        var progress = begin(.playlists, of: .spotify)
        var requests = 0
        while case .fetch(.list(_, let offset, _)) = progress.next, requests < 10 {
            requests += 1
            let items = max(0, min(50, 70 - offset))
            #expect(progress.advance(afterFetching: page(offset, items: items, total: total, next: offset + 50)) != nil)
        }
        #expect(requests == 3)
        #expect(progress.next == .write(.close(.playlists, seen: nil, unread: nil, isWhole: true)))

        let playlist = PlaylistToRead(id: 9, sourceID: "p", upstreamVersion: "v")
        progress.step = .entries(EntriesScan(playlist: playlist, offset: 100, total: 70))
        #expect(
            progress.advance(afterFetching: .page(total: 70, nextOffset: 150, reach: 150))
                == .entries(playlist, isFirst: false, total: 70, end: .drop))
    }
}
