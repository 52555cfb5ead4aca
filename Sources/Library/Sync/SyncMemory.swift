import Model
import Synchronization

/// What a run of a sync holds in memory besides its state.
struct SyncMemory {
    /// The page that was fetched and is not written yet.
    var page: UnwrittenPage?
    /// The request for the page that follows it.
    var ahead: PageAhead?
    /// Pages that the run before has kept and not written.
    var stored: [UnwrittenPage] = []
    /// Brings the library under the rules of identity, once that has begun.
    var regrouping: LibraryRegrouping?
    /// Why the present source cannot be read.
    var error: SourceError?
    /// Whether this run has written a new state, after which its job has all its attempts again.
    var hasProgressed = false
    /// The state that was written last.
    var kept: SyncState?

    mutating func drop() {
        ahead?.cancel()
        (page, ahead, stored) = (nil, nil, [])
    }
}

/// A page that was fetched and whose rows are not written yet, with the request that it answers.
struct UnwrittenPage: Sendable {
    var fetch: SyncFetch
    var page: FetchedPage
    /// Whether further requests have completed its items.
    var isComplete = false
    /// The place in which the database keeps it as it is, once ``isKept``.
    var place = 0
    var isKept = false
}

/// A request that is under way while the page before is written, with the task-local values of the task that made it.
struct PageAhead: Sendable {
    let fetch: SyncFetch
    private let task: Task<UnwrittenPage, any Error>

    init(_ fetch: SyncFetch, send: @escaping @Sendable () async throws -> UnwrittenPage) {
        self.fetch = fetch
        task = Task { try await send() }
    }

    func cancel() { task.cancel() }

    func page() async throws -> UnwrittenPage {
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// A page of any list.
enum FetchedPage: Sendable {
    case tracks(SourcePage<IncomingTrack>)
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
