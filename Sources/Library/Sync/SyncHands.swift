import Model
import Synchronization

/// What a run of a sync holds in memory besides its state.
struct SyncHands {
    /// The page that was fetched and is not written yet.
    var page: (fetch: SyncFetch, page: FetchedPage)?
    /// The tracks to merge, once they were looked for.
    var merging: Merging?
    /// Why the present source cannot be read.
    var error: SourceError?
    /// Whether this run has written a new state, after which its job has all its attempts again.
    var hasProgressed = false
    /// The state that was written last.
    var kept: SyncState?

    mutating func drop() { page = nil }
}

/// A page of any list.
enum FetchedPage: Sendable {
    case tracks(SourcePage<SourceTrack>)
    case playlists(SourcePage<SourcePlaylist>)
    case albums(SourcePage<SourceAlbum>)
    case entries(EntriesAnswer)

    /// The page in parts, for lists whose pages are divided: all but the last one, and that.
    ///
    /// - Parameter limit: the most items of a part.
    func divided(into limit: Int) -> (beginning: [FetchedPage], rest: FetchedPage) {
        switch self {
        case .tracks(let page):
            let (beginning, rest) = page.items.divided(into: limit)
            return (beginning.map { .tracks(page.with($0)) }, .tracks(page.with(rest)))
        case .entries(.page(let page)):
            let (beginning, rest) = page.items.divided(into: limit)
            return (beginning.map { .entries(.page(page.with($0))) }, .entries(.page(page.with(rest))))
        case .playlists, .albums, .entries: return ([], self)
        }
    }
}

extension SourcePage {
    fileprivate func with(_ items: [Item]) -> SourcePage {
        var page = self
        page.items = items
        return page
    }
}

extension Array {
    fileprivate func divided(into limit: Int) -> (beginning: [[Element]], rest: [Element]) {
        let last = Swift.max(0, (count - 1) / limit * limit)
        let beginning = stride(from: 0, to: last, by: limit).map { Array(self[$0..<$0 + limit]) }
        return (beginning, Array(self[last...]))
    }
}

/// The result of a transaction, which may run twice: the last run counts.
final class LastResult<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ new: Value) { value.withLock { $0 = new } }

    var last: Value? { value.withLock { $0 } }
}
