import Model
import Synchronization

/// What a run of a sync holds in memory besides its state.
struct SyncMemory {
    /// The page that was fetched and is not written yet.
    var page: UnwrittenPage?
    /// The pages that follow it, in their order, ``PageAhead/limit`` at most.
    var ahead: [PageAhead] = []
    /// Pages that the run before has kept and not written.
    var stored: [UnwrittenPage] = []
    /// Brings the library under the rules of identity, once that has begun.
    var regrouping: LibraryRegrouping?
    /// Why the present source cannot be read.
    var error: SourceError?
    /// Whether this run has made progress, after which its job has all its attempts again.
    var hasProgressed = false
    /// The state that was written last.
    var kept: SyncState?

    mutating func drop() {
        for page in ahead { page.cancel() }
        (page, ahead, stored) = (nil, [], [])
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

/// A page that is fetched while one before it is written, with the task-local values of the task that asked for it.
struct PageAhead: Sendable {
    /// The most pages that follow the one that is written: one that the database keeps, and one whose request is under
    /// way. So the next page is there when a write ends, however long an answer takes beside it.
    static let limit = 2

    private let task: Task<UnwrittenPage?, any Error>

    init(_ fetch: @escaping @Sendable () async throws -> UnwrittenPage?) {
        task = Task { try await fetch() }
    }

    func cancel() { task.cancel() }

    /// - Returns: `nil` when it cannot be told yet what follows the page before.
    func page() async throws -> UnwrittenPage? {
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
