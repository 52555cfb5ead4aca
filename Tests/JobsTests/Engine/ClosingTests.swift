import Contracts
import Dispatch
import Domains
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs

@Suite("A gateway that stops during a hand-out", .timeLimit(.minutes(5)))
struct ClosingTests {
    @Test("Claims that are waiting when the database is closed end without a log line")
    func waitingClaims() async throws {
        try await withDatabase { database, _ in
            let log = LogRecorder(level: .notice)
            let dispatcher = Dispatcher(
                database: database, events: JobEvents(), settings: JobSettings(), kinds: JobKinds(of: .tested),
                logger: log.logger)
            let gate = Gate()
            database.enqueueWrite { _ in
                gate.wait()
            } completion: { _ in
            }
            let claims = (0..<200).map { DispatchAction.Claim(job: .sample("job\($0)"), worker: "w/1") }
            dispatcher.commit(Array(claims[..<1]))
            dispatcher.commit(Array(claims[1...]))
            let closed = Collector<Void>()
            DispatchQueue.global().async {
                database.close()
                closed.append(())
            }
            let refusals = Collector<Void>()
            while refusals.elements.isEmpty {
                database.enqueueWrite { _ in
                } completion: { result in
                    if case .failure(StorageError.closed) = result { refusals.append(()) }
                }
                await Task.yield()
            }
            gate.open()
            await closed.wait(for: 1)
            #expect(log.lines.isEmpty)
        }
    }
}
