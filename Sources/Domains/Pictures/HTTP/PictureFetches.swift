import Contracts
import Gateway
import Jobs
import Logging
import Model
import Pictures
import Synchronization

/// Fetches of pictures that pages wait for, since they are not in the folder yet.
///
/// Requests for one picture share its fetch, whoever makes them. Pictures that a person requests while their jobs run
/// go into the next job, at most ``PictureBatch/capacity`` at once. A picture that nobody waits for any longer leaves
/// its queue; a job whose pictures nobody waits for is cancelled.
///
/// Nobody waits while no worker fetches pictures: a browser has six connections to a host, and waiting requests would
/// occupy all of them.
final class PictureFetches: Sendable {
    typealias Item = PictureFetchPayload.Item

    /// A waiting request.
    fileprivate struct Waiter {
        let userID: String
        let continuation: CheckedContinuation<Void, any Error>
    }

    fileprivate struct Fetch {
        /// The person in whose name it is fetched.
        var owner: String
        var waiters: [UInt64: Waiter] = [:]
        /// The number of its job; `nil` while it is in its owner's queue.
        var batch: UInt64?
    }

    fileprivate struct State {
        var fetches: [Item: Fetch] = [:]
        /// The queued pictures in the order of their requests, by owner.
        var queues: [String: [Item]] = [:]
        /// The numbers of running jobs, by owner.
        var running: [String: Int] = [:]
        /// The pictures of running jobs, by the jobs' numbers.
        var batches: [UInt64: (items: [Item], task: Task<Void, Never>)] = [:]
        /// The numbers of waiting requests, by person.
        var waiting: [String: Int] = [:]
        var lastID: UInt64 = 0

        mutating func nextID() -> UInt64 {
            lastID += 1
            return lastID
        }
    }

    private let state = Mutex(State())
    private let fetch: @Sendable (_ items: [Item], _ userID: String) async throws -> Void
    private let hasWorker: @Sendable () -> Bool

    /// - Parameters:
    ///   - hasWorker: whether a worker fetches pictures now.
    ///   - fetch: runs a job. It throws when the pictures were not fetched.
    init(
        hasWorker: @escaping @Sendable () -> Bool,
        fetch: @escaping @Sendable (_ items: [Item], _ userID: String) async throws -> Void
    ) {
        self.hasWorker = hasWorker
        self.fetch = fetch
    }

    convenience init(queue: JobQueue) {
        self.init(hasWorker: { queue.dispatcher.hasWorker(for: TypedJobKind.picturesFetch.kind) }) { items, userID in
            _ = try await queue.run(
                .picturesFetch, PictureFetchPayload(pictures: items), for: userID,
                within: JobQueue.upstreamAnswerTimeout)
        }
    }

    /// The number of waiting requests.
    var waitingCount: Int { state.withLock { $0.waiting.values.reduce(0, +) } }

    /// Waits until a picture was fetched. Afterwards, the folder has it, or has recorded why not.
    ///
    /// - Throws: ``NoPictureWorker``; ``TooManyPictures``; what the job throws; `CancellationError` when the request's
    ///   task is cancelled.
    func fetched(_ item: Item, for userID: String) async throws {
        guard hasWorker() else { throw NoPictureWorker() }
        let id = state.withLock { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Waiter(userID: userID, continuation: continuation), id: id, for: item)
            }
        } onCancel: {
            leave(id, item, throwing: CancellationError())
        }
    }

    private func add(_ waiter: Waiter, id: UInt64, for item: Item) {
        let refusal = state.withLock { state -> (any Error)? in
            // The task was cancelled before it waited.
            guard !Task.isCancelled else { return CancellationError() }
            guard state.waiting[waiter.userID, default: 0] < PictureBatch.picturesPerPerson else {
                return TooManyPictures()
            }
            state.waiting[waiter.userID, default: 0] += 1
            if state.fetches[item] == nil {
                state.fetches[item] = Fetch(owner: waiter.userID)
                state.queues[waiter.userID, default: []].append(item)
            }
            state.fetches[item]?.waiters[id] = waiter
            return nil
        }
        if let refusal { return waiter.continuation.resume(throwing: refusal) }
        start(waiter.userID)
    }

    /// Starts jobs for the pictures in a person's queue.
    private func start(_ owner: String) {
        state.withLock { state in
            while state.running[owner, default: 0] < PictureBatch.jobsPerPerson, let queue = state.queues[owner] {
                let items = Array(queue.prefix(PictureBatch.capacity))
                state.queues[owner] = queue.count > items.count ? Array(queue.dropFirst(items.count)) : nil
                let batch = state.nextID()
                for item in items { state.fetches[item]?.batch = batch }
                state.running[owner, default: 0] += 1
                // The task begins after the lock is free.
                let task = Task { await self.run(batch, items, owner: owner) }
                state.batches[batch] = (items, task)
            }
        }
    }

    private func run(_ batch: UInt64, _ items: [Item], owner: String) async {
        let result: Result<Void, any Error>
        do {
            result = .success(try await fetch(items, owner))
        } catch {
            result = .failure(error)
        }
        let waiters = state.withLock { state -> [Waiter] in
            state.batches[batch] = nil
            state.running[owner, default: 1] -= 1
            if state.running[owner] == 0 { state.running[owner] = nil }
            return items.flatMap { item -> [Waiter] in
                guard state.fetches[item]?.batch == batch, let fetch = state.fetches.removeValue(forKey: item) else {
                    return []
                }
                for waiter in fetch.waiters.values { state.release(waiter.userID) }
                return Array(fetch.waiters.values)
            }
        }
        for waiter in waiters { waiter.continuation.resume(with: result) }
        start(owner)
    }

    /// Ends all waits when the last worker that fetches pictures has left.
    func endWithoutWorker() {
        guard !hasWorker() else { return }
        let (waiters, tasks) = state.withLock { state in
            let waiters = state.fetches.values.flatMap(\.waiters.values)
            for waiter in waiters { state.release(waiter.userID) }
            state.fetches = [:]
            state.queues = [:]
            return (waiters, state.batches.values.map(\.task))
        }
        for waiter in waiters { waiter.continuation.resume(throwing: NoPictureWorker()) }
        for task in tasks { task.cancel() }
    }

    /// Ends one request's wait.
    private func leave(_ id: UInt64, _ item: Item, throwing error: any Error) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard var fetch = state.fetches[item], let waiter = fetch.waiters.removeValue(forKey: id) else {
                return (nil, nil)
            }
            state.release(waiter.userID)
            state.fetches[item] = fetch
            guard fetch.waiters.isEmpty else { return (waiter, nil) }
            guard let batch = fetch.batch else {
                state.fetches[item] = nil
                state.queues[fetch.owner]?.removeAll { $0 == item }
                if state.queues[fetch.owner]?.isEmpty == true { state.queues[fetch.owner] = nil }
                return (waiter, nil)
            }
            guard let (items, task) = state.batches[batch],
                !items.contains(where: { state.fetches[$0]?.waiters.isEmpty == false })
            else { return (waiter, nil) }
            // Later requests begin another fetch.
            for item in items { state.fetches[item] = nil }
            return (waiter, task)
        }
        waiter?.continuation.resume(throwing: error)
        task?.cancel()
    }
}

extension PictureFetches.State {
    fileprivate mutating func release(_ userID: String) {
        waiting[userID, default: 1] -= 1
        if waiting[userID] == 0 { waiting[userID] = nil }
    }
}

/// A person's pages are already waiting for as many pictures as they may.
struct TooManyPictures: Error {}

/// No worker that fetches pictures is connected.
struct NoPictureWorker: Error {}
