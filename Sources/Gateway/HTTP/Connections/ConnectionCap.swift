import HummingbirdCore
import Jobs
import Logging
import Synchronization
import Telemetry

/// Limits the open connections, so that file descriptors are left for the database and for workers.
///
/// Further clients wait in the kernel's accept queue until others leave.
package final class ConnectionCap: AvailableConnectionsDelegate {
    /// The most open connections. A few more may be open, since the server accepts several at a time.
    package let maximum: Int
    private let openFiles: Int
    private let open = Atomic(0)
    private let logger: Logger
    private let throttle = LogThrottle(limit: 1, per: .seconds(60))

    /// - Parameter openFiles: the process's limit of file descriptors (`RLIMIT_NOFILE`).
    package init(openFiles: Int, logger: Logger) {
        self.openFiles = openFiles
        maximum = Self.maximum(openFiles: openFiles)
        self.logger = logger
        logger.info("limit of HTTP connections", metadata: ["most": "\(maximum)", "openFiles": "\(openFiles)"])
    }

    /// All descriptors but an eighth, which is kept for everything else: at least 96, for the database's files and a
    /// few workers, and at most 1,024, for some hundred workers.
    static func maximum(openFiles: Int) -> Int {
        max(16, openFiles - min(1_024, max(96, openFiles / 8)))
    }

    package var count: Int { open.load(ordering: .relaxed) }

    package func connectionOpened() {
        open.wrappingAdd(1, ordering: .relaxed)
    }

    package func connectionClosed() {
        open.wrappingSubtract(1, ordering: .relaxed)
    }

    package func isAcceptingNewConnections() -> Bool {
        guard count >= maximum else { return true }
        logger.log(
            level: .warning, "no further connections are accepted until some are closed",
            metadata: [
                "connections": "\(count)", "openFiles": "\(openFiles)",
                "remedy": "raise LimitNOFILE in the unit (or ulimit -n) if this many clients are expected",
            ], throttle: throttle)
        return false
    }

    package func collect(into snapshot: inout MetricSnapshot) {
        snapshot.set(.httpConnections, to: count)
        snapshot.set(.httpConnectionLimit, to: maximum)
    }
}
