import Foundation
import Messaging
import Model

/// Receives jobs, runs a task for each, writes the results, and reports them.
final class PipelineWorker: Sendable {
    private let dealer: MessageDealer
    private let writer: PipelineWriter<PipelineJob>

    init(name: String, folder: String) throws {
        let dealer = try MessageDealer(endpoint: Endpoint("ipc://\(folder)/run/bare.ipc"), routingID: PeerID(name))
        self.dealer = dealer
        writer = PipelineWriter(folder: folder, checkpoints: false) { database in
            let update = UpdateStatement(
                statement: try database.prepare(
                    """
                    UPDATE jobs SET state = 'succeeded', result = ?, finished_at = ?
                    WHERE id = ? AND run = ? AND state = 'running'
                    """))
            return EntryWriter(write: update.run)
        } committed: { done in
            dealer.send(PipelineFrame.encoded(done: done))
        }
    }

    func run() async throws {
        try await dealer.start { [writer] frame in
            guard let jobs = try? PipelineFrame.jobs(frame) else { return }
            for job in jobs {
                // The echo: a job's result is its payload.
                Task { writer.enqueue(job) }
            }
        } onUndeliverable: { reason in
            fatalError("A message could not leave: \(reason)")
        }
        dealer.send(PipelineFrame.encoded(done: []))
        // The parent process kills this one.
        try await Task.sleep(for: .seconds(600))
    }
}

/// Completes one job, if it is still this run's.
private final class UpdateStatement {
    private let statement: PlainStatement

    init(statement: consuming PlainStatement) {
        self.statement = statement
    }

    func run(_ job: PipelineJob) throws {
        statement.bind(1, job.payload)
        statement.bind(2, Timestamp.now().microseconds)
        statement.bind(3, job.id)
        statement.bind(4, job.run)
        try statement.run()
    }
}
