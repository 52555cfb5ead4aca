import Model
import Synchronization

/// What a run of a sync holds in memory besides its state.
struct SyncHands {
    /// The page that was fetched and is not written yet.
    var page: (fetch: SyncFetch, page: FetchedPage)?
    /// The page that follows it.
    var ahead: PageAhead?
    /// The tracks to merge, once they were looked for.
    var merging: Merging?
    /// Why the present source cannot be read.
    var error: SourceError?
    /// Whether this run has written a new state, after which its job has all its attempts again.
    var hasProgressed = false
    /// The state that was written last.
    var kept: SyncState?

    mutating func drop() {
        ahead?.cancel()
        (page, ahead) = (nil, nil)
    }
}

/// A page of any list.
enum FetchedPage: Sendable {
    case tracks(SourcePage<SourceTrack>)
    case playlists(SourcePage<SourcePlaylist>)
    case albums(SourcePage<SourceAlbum>)
    case entries(EntriesAnswer)
}

/// A request that is sent when its signal is given, with the task-local values of the task that made it.
final class PageAhead: Sendable {
    let fetch: SyncFetch
    private let task: Task<FetchedPage, any Error>
    private let signal: AsyncStream<Void>.Continuation

    init(_ fetch: SyncFetch, send: @escaping @Sendable () async throws -> FetchedPage) {
        self.fetch = fetch
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        self.signal = signal
        task = Task {
            for await _ in signals { break }
            try Task.checkCancellation()
            return try await send()
        }
    }

    /// Has the request sent. It may be called on any thread, and more than once.
    func start() {
        signal.yield()
        signal.finish()
    }

    func cancel() { task.cancel() }

    func page() async throws -> FetchedPage {
        start()
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// The result of a transaction, which may run twice: the last run counts.
final class LastResult<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ new: Value) { value.withLock { $0 = new } }

    var last: Value? { value.withLock { $0 } }
}
