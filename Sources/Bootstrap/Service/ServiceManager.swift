import Dispatch
import Foundation
import Logging
import Model
import Synchronization

/// Notifies the service manager that started this process of its state: sd_notify(3).
///
/// Without `NOTIFY_SOCKET` in the environment, it sends nothing. It runs on its own dispatch queue, so that callers
/// never wait and a hanging cooperative pool is noticed.
package final class ServiceManager: Sendable {
    /// Makes a part of the process call `answer` from the thread where it does its work. It must not block.
    package typealias Probe = @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

    private struct State {
        var watchdog = Watchdog()
        var probes: [String: Probe] = [:]
        var timer: (any DispatchSourceTimer)?
        var isReady = false
        var isStopping = false
        var hasFailed = false
        var status = ""
        var unfinished: [@Sendable () -> MonotonicInstant?] = []
    }

    private let socket: NotifySocket?
    /// Half of the service manager's watchdog timeout; `nil` without a watchdog.
    private let interval: Duration?
    private let logger: Logger
    private let queue = DispatchQueue(label: "backline.service-manager")
    private let state = Mutex(State())

    /// - Parameter environment: its `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` are used.
    package init(
        environment: [String: String], processID: Int32 = ProcessInfo.processInfo.processIdentifier, logger: Logger
    ) {
        self.logger = logger
        do {
            socket = try environment[NotifySocket.variable].map { address throws(NotifySocket.Failure) in
                try NotifySocket(address: address)
            }
        } catch {
            logger.warning("the service manager cannot be notified", metadata: ["reason": "\(error)"])
            socket = nil
        }
        interval = socket == nil ? nil : Self.interval(environment: environment, processID: processID)
        watch("cooperative pool") { answer in
            Task.detached { answer() }
        }
    }

    /// Removes these variables from the process's environment, so that no child process uses them.
    ///
    /// Call it before any other thread reads the environment.
    package static func withdrawVariables() {
        for name in [NotifySocket.variable, "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
    }

    static func interval(environment: [String: String], processID: Int32) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init), microseconds > 0 else { return nil }
        // The variables were meant for another process, from which this one inherited them.
        if let owner = environment["WATCHDOG_PID"], owner != "\(processID)" { return nil }
        return .microseconds(max(1, microseconds / 2))
    }

    // MARK: Notifications

    /// Reports that the process is ready. The first call counts, and starts the watchdog.
    ///
    /// - Parameter status: a line for people, as for ``configure(_:)``.
    package func ready(_ status: String) {
        let isFirst = state.withLock { state in
            defer { state.isReady = true }
            return !state.isReady
        }
        send(isFirst ? ["READY=1", Self.line(status)] : [Self.line(status)])
        if isFirst { startWatchdog() }
    }

    /// Reports what the process is doing, in a line that `systemctl status` shows. A repeated line is not sent again.
    package func report(_ status: String) {
        let isNews = state.withLock { state in
            defer { state.status = status }
            return !state.isStopping && state.status != status
        }
        if isNews { send([Self.line(status)]) }
    }

    /// Asks for more time to start, repeatedly, while `body` runs: migrating a large database may take longer than any
    /// fixed time, and would start over after each kill.
    ///
    /// - Parameter interval: the time between two requests, each of which asks for three times as much.
    func extendingStart<Value>(
        every interval: Duration = .seconds(20), _ body: () async throws -> Value
    ) async rethrows -> Value {
        let extending = Task { [self] in
            while (try? await Task.sleep(for: interval)) != nil {
                send(["EXTEND_TIMEOUT_USEC=\((interval * 3).microseconds)"])
            }
        }
        defer { extending.cancel() }
        return try await body()
    }

    /// Reports that the process has begun to shut down.
    package func stopping(_ status: String) {
        let isFirst = state.withLock { state in
            defer { state.isStopping = true }
            state.watchdog.stop()
            return !state.isStopping
        }
        if isFirst { send(["STOPPING=1", Self.line(status)]) }
    }

    /// Adds work that the end of the grace period must not interrupt.
    ///
    /// - Parameter end: returns the latest end of the work under way; `nil` while there is none. It must not block.
    package func awaitBeforeLeaving(_ end: @escaping @Sendable () -> MonotonicInstant?) {
        state.withLock { $0.unfinished.append(end) }
    }

    /// The latest end of the work under way that must not be interrupted; `nil` when there is none.
    var unfinishedUntil: MonotonicInstant? {
        state.withLock(\.unfinished).compactMap { $0() }.max()
    }

    /// Adds a part of the process to the watchdog, which pings only while this part answers.
    ///
    /// - Parameter part: its name in the log. A name that was added before is ignored.
    package func watch(_ part: String, _ probe: @escaping Probe) {
        state.withLock { state in
            guard state.probes.updateValue(probe, forKey: part) == nil else { return }
            state.watchdog.add(part)
        }
    }

    private static func line(_ status: String) -> String {
        // A line break would begin another assignment.
        "STATUS=" + String(status.map { $0.isNewline ? " " : $0 })
    }

    // MARK: The watchdog

    private func startWatchdog() {
        guard let interval else { return }
        let nanoseconds = interval.components.seconds * 1_000_000_000 + interval.components.attoseconds / 1_000_000_000
        state.withLock { state in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: .nanoseconds(Int(nanoseconds)))
            timer.setEventHandler { [weak self] in self?.passInterval() }
            timer.activate()
            state.timer = timer
        }
    }

    private func passInterval() {
        act(on: state.withLock { $0.watchdog.intervalPassed() })
    }

    private func act(on action: Watchdog.Action) {
        switch action {
        case .nothing:
            break
        case .ping:
            send(["WATCHDOG=1"])
        case .pingAndAsk(let parts, let round):
            send(["WATCHDOG=1"])
            let probes = state.withLock(\.probes)
            for part in parts {
                probes[part]? { [weak self] in self?.heard(part, round: round) }
            }
        case .withheldPing(let parts):
            logger.critical(
                "parts of this process are not answering; the service manager restarts it unless they answer soon",
                metadata: ["parts": "\(parts.joined(separator: ", "))"])
        case .recovered:
            send(["WATCHDOG=1"])
            logger.notice("all parts of this process answer again")
        }
    }

    private func heard(_ part: String, round: Int) {
        let action = state.withLock { $0.watchdog.answered(part, round: round) }
        if action != .nothing { act(on: action) }
    }

    private func send(_ lines: [String]) {
        guard let socket else { return }
        queue.async { [self] in
            do {
                try socket.send(lines)
            } catch {
                let isFirst = state.withLock { state in
                    defer { state.hasFailed = true }
                    return !state.hasFailed
                }
                if isFirst {
                    logger.warning("the service manager cannot be notified", metadata: ["reason": "\(error)"])
                }
            }
        }
    }
}
