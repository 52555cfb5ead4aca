import Foundation
import Model
import Platform
import Synchronization

/// One messaging thread, from its start to its end; used by both router and dealer.
final class SocketThread: Sendable {
    private enum Phase {
        case idle, running, ended
    }

    private struct State {
        var phase = Phase.idle
        var endpoint: Endpoint?
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let setup: SocketSetup
    private let outbox: Outbox
    private let state = Mutex(State())
    let counters = MessagingCounters()

    init(_ setup: SocketSetup) throws(MessagingError) {
        self.setup = setup
        outbox = try Outbox()
    }

    /// The endpoint to which the socket is bound or connected; `nil` before the start.
    var endpoint: Endpoint? { state.withLock { $0.endpoint } }

    func send(_ frame: [UInt8], to peer: PeerID?) {
        if !outbox.put(Outbox.Message(peer: peer, frame: frame)) { counters.undeliverable.count() }
    }

    func probe(_ answer: @escaping @Sendable () -> Void) {
        outbox.probe(answer)
    }

    func start(_ handlers: MessageHandlers) async throws(MessagingError) -> Endpoint {
        let mayStart = state.withLock { state in
            precondition(state.phase != .running, "a router or dealer is started once")
            if state.phase == .ended { return false }
            state.phase = .running
            return true
        }
        guard mayStart else { throw .closed }
        let result: Result<Endpoint, MessagingError> = await withCheckedContinuation { opened in
            NamedThread.start(setup.role.addressesPeers ? "zmq-router" : "zmq-dealer") { [self] in
                runThread(handlers, opened: opened)
            }
        }
        return try result.get()
    }

    /// Replaces the allow-list; returns at once.
    func admit(_ register: KeyRegister) {
        guard case .gateway(_, let gate) = setup.security, gate.replace(register) else { return }
        outbox.wake()
    }

    /// Takes the lock on an ipc endpoint for a moment.
    func requireFreeEndpoint() throws(MessagingError) {
        guard setup.role.addressesPeers, case .ipc(let path) = setup.endpoint.transport,
            access(path + EndpointLock.suffix, F_OK) == 0
        else { return }
        _ = try EndpointLock(socketPath: path, endpoint: setup.endpoint)
    }

    /// Asks the thread to send queued messages and end; returns at once.
    func requestEnd() {
        outbox.close()
    }

    /// Asks the thread to replace its socket; returns at once.
    func requestReconnect() {
        outbox.requestReconnect()
    }

    /// Ends the thread and waits for its end; afterwards everything is closed and the endpoint is free.
    func end() async {
        requestEnd()
        await withCheckedContinuation { ended in
            let isOver = state.withLock { state in
                if state.phase == .idle { state.phase = .ended }
                guard state.phase == .running else { return true }
                state.waitingForEnd.append(ended)
                return false
            }
            if isOver { ended.resume() }
        }
    }

    // MARK: On the thread

    private func runThread(
        _ handlers: MessageHandlers, opened: CheckedContinuation<Result<Endpoint, MessagingError>, Never>
    ) {
        do throws(MessagingError) {
            switch setup.endpoint.transport {
            case .ipc(let path) where setup.role.addressesPeers:
                try SocketFolder(ofSocket: path).makePrivate()
                let lock = try EndpointLock(socketPath: path, endpoint: setup.endpoint)
                try runLoop(handlers, opened: opened)
                // libzmq leaves the file behind. The lock is still held, so the file belongs to this process.
                unlink(path)
                extendLifetime(lock)
            case .ipc, .tcp:
                try runLoop(handlers, opened: opened)
            }
            markEnded()
        } catch {
            markEnded()
            opened.resume(returning: .failure(error))
        }
    }

    /// Opens the socket, reports its endpoint and runs its loop; throws only before it has reported the endpoint.
    private func runLoop(
        _ handlers: MessageHandlers, opened: CheckedContinuation<Result<Endpoint, MessagingError>, Never>
    ) throws(MessagingError) {
        let socket = try setup.makeSocket()
        let accessControl = try makeAccessControl(of: socket, handlers)
        let monitor = try setup.makeMonitor(of: socket)
        let endpoint: Endpoint
        if setup.role.addressesPeers {
            endpoint = try socket.bind(setup.endpoint)
        } else {
            try socket.connect(setup.endpoint)
            endpoint = setup.endpoint
        }
        state.withLock { $0.endpoint = endpoint }
        opened.resume(returning: .success(endpoint))
        var loop = SocketLoop(
            socket: socket, accessControl: accessControl, monitor: monitor, outbox: outbox, counters: counters,
            setup: setup, handlers: handlers)
        loop.run()
    }

    private func makeAccessControl(
        of socket: borrowing ZeroMQSocket, _ handlers: MessageHandlers
    ) throws(MessagingError) -> CurveAccessControl? {
        guard case .gateway(_, let gate) = setup.security else { return nil }
        counters.expectRefusals()
        return try CurveAccessControl(socket, gate: gate, counters: counters, onRefusal: handlers.onRefusal)
    }

    private func markEnded() {
        outbox.close()
        let waiting = state.withLock { state in
            state.phase = .ended
            return exchange(&state.waitingForEnd, with: [])
        }
        for ended in waiting { ended.resume() }
    }
}
