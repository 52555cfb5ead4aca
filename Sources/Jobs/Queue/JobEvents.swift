import Contracts
import Model
import Synchronization

/// Wakes held requests and event streams when jobs end or rows of a person change.
///
/// A signal names job ids or person ids, and only indicates that there may be something new. Whoever it wakes reads the
/// database.
package final class JobEvents: Sendable {
    /// The request that waits owns the waiter, whose deinitialisation removes it from here.
    private struct WeakWaiter {
        weak var waiter: JobWaiter?
    }

    /// What a waiter waits for.
    private enum Subject: Hashable {
        case job(String)
        /// Any of a person's rows.
        case user(String)

        var isUser: Bool {
            if case .user = self { true } else { false }
        }
    }

    private struct State {
        var waiters: [Subject: [Int: WeakWaiter]] = [:]
        var streams: [String: [Int: JobEventStream.Mailbox]] = [:]
        var nextID = 0
        var isClosed = false

        func waiters(for subject: Subject) -> [JobWaiter] {
            waiters[subject]?.values.compactMap(\.waiter) ?? []
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Makes a waiter for a job's end. Made before the job is submitted, it cannot miss the end.
    package func waiter(forJob id: String) -> JobWaiter { waiter(for: .job(id)) }

    /// Makes a waiter for changes of a person's rows. Made before the rows are read, it cannot miss a change.
    package func waiter(forUser id: String) -> JobWaiter { waiter(for: .user(id)) }

    private func waiter(for subject: Subject) -> JobWaiter {
        state.withLock { state in
            state.nextID += 1
            let token = state.nextID
            let waiter = JobWaiter { [weak self] in self?.forget(waiter: token, of: subject) }
            if state.isClosed {
                waiter.signal()
            } else {
                state.waiters[subject, default: [:]][token] = WeakWaiter(waiter: waiter)
            }
            return waiter
        }
    }

    /// Opens a stream of signals about one user's rows.
    package func stream(userID: String) -> JobEventStream {
        let (stream, token) = newStream(userID: userID)
        _ = open(stream, token: token, userID: userID, limit: .max)
        return stream
    }

    /// Like ``stream(userID:)``, with a limit on the user's open streams.
    ///
    /// - Parameter limit: the most open streams; `nil` sets no limit.
    /// - Throws: `QuotaReached` when the user has as many open.
    package func stream(userID: String, limit: Int?) throws(QuotaReached) -> JobEventStream {
        let (stream, token) = newStream(userID: userID)
        if let others = open(stream, token: token, userID: userID, limit: limit ?? .max) {
            throw QuotaReached(.eventStreams, limit: limit ?? .max, used: others, asked: 1)
        }
        return stream
    }

    private func newStream(userID: String) -> (stream: JobEventStream, token: Int) {
        let token = state.withLock { state -> Int in
            state.nextID += 1
            return state.nextID
        }
        let stream = JobEventStream { [weak self] in
            self?.state.withLock { state in
                state.streams[userID]?[token] = nil
                if state.streams[userID]?.isEmpty == true { state.streams[userID] = nil }
            }
        }
        return (stream, token)
    }

    /// - Returns: `nil` when the stream is open now; else the number of the user's open streams, which reached the
    ///   limit.
    private func open(_ stream: JobEventStream, token: Int, userID: String, limit: Int) -> Int? {
        let (isClosed, others) = state.withLock { state -> (Bool, Int?) in
            let others = state.streams[userID]?.count ?? 0
            guard others < limit else { return (false, others) }
            if !state.isClosed { state.streams[userID, default: [:]][token] = stream.mailbox }
            return (state.isClosed, nil)
        }
        if isClosed { stream.mailbox.finish() }
        return others
    }

    /// The number of a user's open streams.
    package func openStreams(ofUser userID: String) -> Int { state.withLock { $0.streams[userID]?.count ?? 0 } }

    /// The number of all open streams.
    package var openStreams: Int { state.withLock { $0.streams.values.reduce(0) { $0 + $1.count } } }

    /// Wakes those who wait for these jobs, or for rows of these people.
    package func changed(
        jobs: some Sequence<String> = EmptyCollection<String>(),
        users: some Sequence<String> = EmptyCollection<String>()
    ) {
        let (waiters, streams) = state.withLock { state -> ([JobWaiter], [JobEventStream.Mailbox]) in
            var waiters: [JobWaiter] = []
            if !state.waiters.isEmpty {
                for id in jobs { waiters += state.waiters(for: .job(id)) }
            }
            var streams: [JobEventStream.Mailbox] = []
            if !state.waiters.isEmpty || !state.streams.isEmpty {
                for id in users {
                    waiters += state.waiters(for: .user(id))
                    if let open = state.streams[id] { streams += open.values }
                }
            }
            return (waiters, streams)
        }
        for waiter in waiters { waiter.signal() }
        for stream in streams { stream.put { ($0.hasChanged, $0.hasChangedOwn) = (true, true) } }
    }

    /// Wakes those who follow authors of whom something changed.
    func changedAuthors(followedBy users: Set<String>) {
        let (waiters, streams) = state.withLock { state in
            (
                users.flatMap { state.waiters(for: .user($0)) },
                users.flatMap { state.streams[$0].map { Array($0.values) } ?? [] }
            )
        }
        for waiter in waiters { waiter.signal() }
        for stream in streams { stream.put { $0.hasChanged = true } }
    }

    /// What a poll of the table found for those who listen.
    struct Poll: Sendable {
        /// It found everything after `first` up to `last`.
        var first: Int64 = 0
        var last: Int64 = 0
        /// Those who listened when it read. Whoever listens later starts from what it read, or from something newer.
        var listeners: Set<String> = []
        /// The people whose rows changed, with the number of the last change.
        var own: [String: Int64] = [:]
        /// The people who follow an author who changed.
        var followers: Set<String> = []
        /// The number of the last change of an author.
        var lastOfAuthors: Int64 = 0
    }

    /// Wakes those for whom a poll found something. Streams that have already read that far are not woken. A stream that
    /// had read everything before, and of which nothing was found, is at the end of the poll now: when it is woken, it
    /// need not look at all that changed for others.
    func found(_ poll: Poll) {
        let changed = poll.followers.union(poll.own.keys)
        let (waiters, own, followers) = state.withLock { state in
            for id in poll.listeners.subtracting(changed) {
                for stream in state.streams[id, default: [:]].values where stream.position >= poll.first {
                    stream.hasRead(through: poll.last)
                }
            }
            return (
                changed.flatMap { state.waiters(for: .user($0)) },
                poll.own.flatMap { id, change in state.streams[id]?.values.filter { $0.position < change } ?? [] },
                poll.followers.flatMap { id in
                    state.streams[id]?.values.filter { $0.position < poll.lastOfAuthors } ?? []
                }
            )
        }
        for waiter in waiters { waiter.signal() }
        for stream in own { stream.put { ($0.hasChanged, $0.hasChangedOwn) = (true, true) } }
        for stream in followers { stream.put { $0.hasChanged = true } }
    }

    /// Whether a stream is open or a waiter waits for rows of a person.
    var hasListeners: Bool { state.withLock { !$0.streams.isEmpty || $0.waiters.keys.contains(where: \.isUser) } }

    /// The people with open streams or with waiters for their rows.
    var listeners: Set<String> {
        state.withLock { state in
            state.waiters.keys.reduce(into: Set(state.streams.keys)) { ids, subject in
                if case .user(let id) = subject { ids.insert(id) }
            }
        }
    }

    package func progressed(_ progress: RunProgress, userID: String) {
        let streams = state.withLock { $0.streams[userID]?.values.map { $0 } ?? [] }
        for stream in streams { stream.put(progress) }
    }

    /// Makes these people's event streams check whether the tokens and sessions with which they were opened are still
    /// valid.
    package func endedCredentials(of userIDs: Set<String>) {
        guard !userIDs.isEmpty else { return }
        let streams = state.withLock { state in userIDs.flatMap { state.streams[$0].map { Array($0.values) } ?? [] } }
        for stream in streams { stream.put { $0.hasEndedCredential = true } }
    }

    func keepAlive() {
        let streams = state.withLock { $0.streams.values.flatMap(\.values) }
        for stream in streams { stream.put { $0.isKeepAlive = true } }
    }

    /// The ids of awaited jobs. The slow poll checks them, in case a message was lost.
    var awaitedJobs: [String] {
        state.withLock { state in
            state.waiters.keys.compactMap { subject in
                if case .job(let id) = subject { id } else { nil }
            }
        }
    }

    /// Whether the gateway is stopping, so that nobody should continue to wait.
    package var isClosed: Bool { state.withLock(\.isClosed) }

    /// Ends all waits and streams because the gateway is stopping.
    package func close() {
        let (waiters, streams) = state.withLock { state in
            state.isClosed = true
            defer {
                state.waiters = [:]
            }
            return (
                state.waiters.values.flatMap { $0.values.compactMap(\.waiter) }, state.streams.values.flatMap(\.values)
            )
        }
        for waiter in waiters { waiter.signal() }
        for stream in streams { stream.finish() }
    }

    private func forget(waiter token: Int, of subject: Subject) {
        state.withLock { state in
            state.waiters[subject]?[token] = nil
            if state.waiters[subject]?.isEmpty == true { state.waiters[subject] = nil }
        }
    }
}

extension Sequence where Element: Equatable {
    /// The elements, leaving out each that equals the one before it.
    var withoutAdjacentDuplicates: [Element] {
        var kept: [Element] = []
        for element in self where kept.last != element { kept.append(element) }
        return kept
    }
}
