import Foundation
import Messaging
import Model
import Synchronization

/// Stores batches, hands their jobs to the workers, and counts the jobs that are done.
final class PipelineGateway: Sendable {
    /// A batch of jobs, and the continuation that is resumed once it is durable.
    struct Batch: Sendable {
        var jobs: [PipelineJob]
        var accepted: CheckedContinuation<Void, Never>
    }

    private struct State {
        var workers: [PeerID] = []
        var expectedWorkers = 0
        var workersAreThere: CheckedContinuation<Void, Never>?
        var open: Set<String> = []
        var isFed = false
        var finished: CheckedContinuation<Void, Never>?

        /// Takes the continuations that can be resumed.
        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            var over: [CheckedContinuation<Void, Never>] = []
            if workers.count >= expectedWorkers, let waiting = workersAreThere.take() { over.append(waiting) }
            if isFed, open.isEmpty, let waiting = finished.take() { over.append(waiting) }
            return over
        }
    }

    private let folder: String
    private let router: MessageRouter
    private let writer: PipelineWriter<Batch>
    private let state: SharedState

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    init(folder: String) throws {
        self.folder = folder
        let router = try MessageRouter(endpoint: Endpoint("ipc://\(folder)/run/bare.ipc"))
        let state = SharedState()
        self.router = router
        self.state = state
        writer = PipelineWriter(folder: folder, checkpoints: true) { database in
            let insert = InsertStatement(
                statement: try database.prepare(
                    """
                    INSERT INTO jobs (id, kind, payload, state, run, worker, created_at)
                    VALUES (?, ?, ?, 'running', 1, ?, ?)
                    """))
            return EntryWriter(write: insert.run)
        } committed: { batches in
            for batch in batches {
                let peers = state.value.withLock { state in
                    state.open.formUnion(batch.jobs.lazy.map(\.id))
                    return state.workers
                }
                let share = (batch.jobs.count + peers.count - 1) / peers.count
                for (index, peer) in peers.enumerated() {
                    let jobs = batch.jobs.dropFirst(index * share).prefix(share)
                    router.send(PipelineFrame.encoded(jobs: jobs), to: peer)
                }
                batch.accepted.resume()
            }
        }
    }

    func waitForWorkers(_ count: Int) async throws {
        state.value.withLock { $0.expectedWorkers = count }
        try await router.start { [state] peer, frame in
            guard let done = try? PipelineFrame.done(frame) else { return }
            let waiting = state.value.withLock { state in
                if done.isEmpty { state.workers.append(peer) }
                for job in done { state.open.remove(job.id) }
                return state.takeWaiting()
            }
            for continuation in waiting { continuation.resume() }
        } onUndeliverable: { _, reason in
            fatalError("A message could not leave: \(reason)")
        }
        await withCheckedContinuation { continuation in
            let waiting = state.value.withLock { state in
                state.workersAreThere = continuation
                return state.takeWaiting()
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    /// Submits documents, one at a time on each connection; returns the time until the last job's end.
    func push(_ documents: [Data], connections: Int) async throws -> Duration {
        let began = ContinuousClock.now
        state.value.withLock { $0.isFed = false }
        try await withThrowingTaskGroup { group in
            for connection in 0..<connections {
                group.addTask { [writer] in
                    for index in stride(from: connection, to: documents.count, by: connections) {
                        let jobs = try BatchDocument.jobs(documents[index])
                        await withCheckedContinuation { writer.enqueue(Batch(jobs: jobs, accepted: $0)) }
                    }
                }
            }
            try await group.waitForAll()
        }
        await withCheckedContinuation { continuation in
            let waiting = state.value.withLock { state in
                state.isFed = true
                state.finished = continuation
                return state.takeWaiting()
            }
            for continuation in waiting { continuation.resume() }
        }
        return began.duration(to: .now)
    }

    func succeededJobs() throws -> Int {
        try PlainDatabase.open(folder: folder).number("SELECT count(*) FROM jobs WHERE state = 'succeeded'")
    }
}

/// Inserts the jobs of a batch as handed out, so that both are one write.
private final class InsertStatement {
    private let statement: PlainStatement

    init(statement: consuming PlainStatement) {
        self.statement = statement
    }

    func run(_ batch: PipelineGateway.Batch) throws {
        let now = Timestamp.now().microseconds
        for job in batch.jobs {
            statement.bind(1, job.id)
            statement.bind(2, job.kind)
            statement.bind(3, job.payload)
            statement.bind(4, "worker")
            statement.bind(5, now)
            try statement.run()
        }
    }
}
