import Dispatch
import Foundation
import Logging
import Model
import Synchronization

/// Tells the service manager that started this process how it is, when it wants to know: sd_notify(3).
///
/// Without `NOTIFY_SOCKET` in the environment nothing is told. All of it runs on a queue of its own, so that the
/// caller never waits, and so that a cooperative pool that hangs is noticed.
package final class ServiceManager: Sendable {
    /// Makes a part of the process call back, from wherever it does its work. It must not block.
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
    /// Half of the time after which the service manager takes silence for death; `nil` when it does not watch.
    private let interval: Duration?
    private let logger: Logger
    private let queue = DispatchQueue(label: "backline.service-manager")
    private let state = Mutex(State())

    /// - Parameter environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` are read.
    package init(
        environment: [String: String], processID: Int32 = ProcessInfo.processInfo.processIdentifier, logger: Logger
    ) {
        self.logger = logger
        do {
            socket = try environment[NotifySocket.variable].map { address throws(NotifySocket.Failure) in
                try NotifySocket(address: address)
            }
        } catch {
            logger.warning("the service manager will hear nothing", metadata: ["reason": "\(error)"])
            socket = nil
        }
        interval = socket == nil ? nil : Self.interval(environment: environment, processID: processID)
        watch("cooperative pool") { answer in
            Task.detached { answer() }
        }
    }

    /// Takes what is said to this process alone out of its environment, so that no child takes it for its own.
    ///
    /// Call it before any thread reads the environment.
    package static func withdrawVariables() {
        for name in [NotifySocket.variable, "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
    }

    static func interval(environment: [String: String], processID: Int32) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init), microseconds > 0 else { return nil }
        // Meant for another process that this one inherited the variables from.
        if let owner = environment["WATCHDOG_PID"], owner != "\(processID)" { return nil }
        return .microseconds(max(1, microseconds / 2))
    }

    // MARK: What the process tells

    /// Its start is complete. The first call counts; the watchdog begins with it.
    ///
    /// - Parameter status: a line for people, as ``tell(_:)`` takes it.
    package func ready(_ status: String) {
        let isFirst = state.withLock { state in
            defer { state.isReady = true }
            return !state.isReady
        }
        send(isFirst ? ["READY=1", Self.line(status)] : [Self.line(status)])
        if isFirst { startWatchdog() }
    }

    /// What it does at present, in a line that `systemctl status` shows. Saying it again does nothing.
    package func tell(_ status: String) {
        let isNews = state.withLock { state in
            defer { state.status = status }
            return !state.isStopping && state.status != status
        }
        if isNews { send([Self.line(status)]) }
    }

    /// It begins to end.
    package func stopping(_ status: String) {
        let isFirst = state.withLock { state in
            defer { state.isStopping = true }
            state.watchdog.stop()
            return !state.isStopping
        }
        if isFirst { send(["STOPPING=1", Self.line(status)]) }
    }

    /// Adds something that the end of the grace period must not cut off.
    ///
    /// - Parameter end: when it is over at the latest; `nil` while nothing of it is under way. It must not block.
    package func awaitBeforeLeaving(_ end: @escaping @Sendable () -> MonotonicInstant?) {
        state.withLock { $0.unfinished.append(end) }
    }

    /// When all that must not be cut off is over at the latest; `nil` when nothing of it is under way.
    var unfinishedUntil: MonotonicInstant? {
        state.withLock(\.unfinished).compactMap { $0() }.max()
    }

    /// From now on the process counts as alive only while this part answers.
    ///
    /// - Parameter part: its name in the log; adding one of the same name does nothing.
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
        case .stayedSilent(let parts):
            logger.critical(
                "parts of this process do not answer: the service manager will start it anew unless they do soon",
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
                    logger.warning("the service manager could not be told", metadata: ["reason": "\(error)"])
                }
            }
        }
    }
}
