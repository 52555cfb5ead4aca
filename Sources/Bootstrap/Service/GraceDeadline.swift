import Dispatch
import Logging
import Model
import ServiceLifecycle

/// Ends a process that does not end by itself in time.
///
/// It stands last among the services and is therefore the first to hear of the shutdown. The clock runs on a
/// thread of its own: work that keeps every thread of the cooperative pool busy is what it is there for.
struct GraceDeadline: Service {
    let gracePeriod: Duration
    let manager: ServiceManager
    let logger: Logger
    /// Ends the process; tests look on instead.
    let expire: @Sendable () -> Void

    func run() async throws {
        // Throws when the services are cancelled because one of them failed: the clock starts all the same.
        try? await gracefulShutdown()
        manager.stopping("Stopping: \(gracePeriod.components.seconds) seconds at most for what is under way")
        logger.notice("stopping", metadata: ["graceSeconds": "\(gracePeriod.components.seconds)"])
        end(after: gracePeriod, on: DispatchQueue(label: "backline.grace-deadline"))
    }

    /// Ends the process then, unless there is something that must not be cut off: then when that is over at the latest.
    private func end(after time: Duration, on queue: DispatchQueue) {
        queue.asyncAfter(deadline: .now() + time.timeInterval) { [self] in
            let now = MonotonicInstant.now()
            if let until = manager.unfinishedUntil, until > now {
                logger.notice(
                    "the grace period has ended, and what must not be cut off has not; waiting for that",
                    metadata: ["seconds": "\(now.duration(to: until).components.seconds + 1)"])
                return end(after: now.duration(to: until), on: queue)
            }
            logger.critical(
                "still busy when the grace period ended, leaving",
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
