import Contracts
import Messaging
import Model
import Synchronization
import TestProcesses
import TestSupport

/// A worker whose messages are determined by a test, for kinds and messages that real workers do not have.
final class ScriptedWorker: Sendable {
    /// The environment of a gateway that considers a worker alive without further heartbeats for the duration of a
    /// test.
    static let environment = ["BACKLINE_JOBS_LEASE_SECONDS": "3600"]

    private let dealer: MessageDealer
    private let received = Mutex<[GatewayMessage]>([])

    private init(dealer: MessageDealer) {
        self.dealer = dealer
    }

    /// Connects, and says hello if it has kinds.
    ///
    /// - Parameters:
    ///   - credit: how many jobs it accepts.
    ///   - faults: the faults of its messages, in the form of `BACKLINE_TEST_MESSAGE_FAULTS`.
    static func connect(
        to installation: Installation, name: String, kinds: [KindVersion] = [], credit: Int32 = 0, faults: String = ""
    ) async throws -> ScriptedWorker {
        let instance = "\(name)/\(UUIDv7.next())"
        let worker = ScriptedWorker(
            dealer: try MessageDealer(
                endpoint: Endpoint(installation.endpoint), routingID: PeerID(instance),
                faults: faults.isEmpty ? .none : MessageFaults(rules: faults, types: messageTypes)))
        try await worker.dealer.start { [weak worker] frame in
            guard let message = try? GatewayMessage(decoding: frame) else { return }
            worker?.received.withLock { $0.append(message) }
        } onUndeliverable: { _ in
        }
        guard !kinds.isEmpty else { return worker }
        worker.send(.hello(WorkerIntroduction(name: name, instance: instance, processID: 1, kinds: kinds)))
        worker.send(.heartbeat(held: [], credit: WorkerCredit(free: credit, received: 0)))
        return worker
    }

    func send(_ message: WorkerMessage) {
        dealer.send(message.encoded())
    }

    func send(frame: [UInt8]) {
        dealer.send(frame)
    }

    /// Waits for a job.
    func nextJob() async throws -> AssignedJob {
        try await eventually("a job for the scripted worker") {
            received.withLock { messages in
                messages.lazy.compactMap { message in
                    if case .jobs(_, let jobs) = message { jobs.first } else { nil }
                }.first
            }
        }
    }

    func close() async {
        await dealer.close()
    }
}
