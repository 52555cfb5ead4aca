import Dispatch
import Logging
import Model
import ServiceLifecycle

/// Ends the process when its shutdown exceeds the grace period.
///
/// It is the last service, so its shutdown begins first. The timer runs on a dispatch queue rather than the cooperative
/// pool, whose threads may all be blocked.
struct GraceDeadline: Service {
    let gracePeriod: Duration
    let manager: ServiceManager
    let logger: Logger
    /// Ends the process; tests replace it.
    let expire: @Sendable () -> Void

    func run() async throws {
        // It throws when the services are cancelled because one of them failed. The timer starts in that case too.
        try? await gracefulShutdown()
        manager.stopping("Stopping: at most \(gracePeriod.components.seconds) seconds for work under way")
        logger.notice("stopping", metadata: ["graceSeconds": "\(gracePeriod.components.seconds)"])
        end(after: gracePeriod, on: DispatchQueue(label: "backline.grace-deadline"))
    }

    /// Ends the process after `time`. If work that must not be interrupted is under way then, waits until its latest
    /// end (``ServiceManager/awaitBeforeLeaving(_:)``).
    private func end(after time: Duration, on queue: DispatchQueue) {
        queue.asyncAfter(deadline: .now() + time.timeInterval) { [self] in
            let now = MonotonicInstant.now()
            if let until = manager.unfinishedUntil, until > now {
                logger.notice(
                    "the grace period has ended; waiting for work that must not be interrupted",
                    metadata: ["seconds": "\(now.duration(to: until).components.seconds + 1)"])
                return end(after: now.duration(to: until), on: queue)
            }
            logger.critical(
                "the grace period has ended with work under way; exiting",
                metadata: ["graceSeconds": "\(gracePeriod.components.seconds)"])
            expire()
        }
    }
}

extension Duration {
    fileprivate var timeInterval: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
