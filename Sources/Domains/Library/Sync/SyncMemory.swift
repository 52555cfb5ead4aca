import LibraryWriting
import Model
import Synchronization

/// What a run of a sync keeps in memory in addition to its state.
struct SyncMemory {
    /// The fetched page that is not written yet.
    var page: UnwrittenPage?
    /// The pages that follow it, in order; at most ``PageAhead/limit``.
    var ahead: [PageAhead] = []
    /// Pages that the previous run stored but did not write.
    var stored: [UnwrittenPage] = []
    /// The regrouping of the library, once it has begun.
    var regrouping: LibraryRegrouping?
    /// Why the current source cannot be read.
    var error: SourceError?
    /// Whether this run has made progress, which resets the job's attempts.
    var hasProgressed = false
    /// The state that was written last.
    var lastCheckpoint: SyncState?

    mutating func drop() {
        for page in ahead { page.cancel() }
        (page, ahead, stored) = (nil, [], [])
    }
}

/// A fetched page whose rows are not written yet, with the request that it answers.
struct UnwrittenPage: Sendable {
    var fetch: SyncFetch
    var page: FetchedPage
    /// Whether its items were completed with further requests.
    var isComplete = false
    /// The slot in which the database stores the page, if ``isStored``.
    var place = 0
    var isStored = false
}

/// A page that is fetched while an earlier one is written, with the task-local values of the task that requested it.
struct PageAhead: Sendable {
    /// The maximum number of pages ahead of the one being written: one that is stored in the database, and one that is
    /// being requested. So the next page is available when a write ends, no matter how long an answer takes meanwhile.
    static let limit = 2

    private let task: Task<UnwrittenPage?, any Error>

    init(_ fetch: @escaping @Sendable () async throws -> UnwrittenPage?) {
        task = Task { try await fetch() }
    }

    func cancel() { task.cancel() }

    /// - Returns: `nil` if it is not known yet what follows the previous page.
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

    /// Divides the page, for lists whose pages can be divided, into all parts but the last one, and the last one.
    ///
    /// - Parameter limit: the maximum number of items per part.
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

/// The result of a transaction, which may run twice: the last execution counts.
final class LastResult<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ new: Value) { value.withLock { $0 = new } }

    var last: Value? { value.withLock { $0 } }
}
