import HummingbirdCore
import Jobs
import Logging
import Synchronization
import Telemetry

/// Takes only so many connections at once that file descriptors are left for the database and for workers.
///
/// Beyond that clients wait in the system's queue of connections, and are taken as others leave.
package final class ConnectionCap: AvailableConnectionsDelegate {
    /// Connections at once. A few more than that may be open, since several are accepted in one go.
    package let maximum: Int
    private let openFiles: Int
    private let open = Atomic(0)
    private let logger: Logger
    private let throttle = LogThrottle(limit: 1, per: .seconds(60))

    /// - Parameter openFiles: how many file descriptors this process may have.
    package init(openFiles: Int, logger: Logger) {
        self.openFiles = openFiles
        maximum = Self.maximum(openFiles: openFiles)
        self.logger = logger
        logger.info("HTTP connections at once", metadata: ["most": "\(maximum)", "openFiles": "\(openFiles)"])
    }

    /// An eighth is kept for everything else, but neither too little for the database's files and a few workers, nor
    /// more than some hundred workers need.
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
            level: .warning, "no further connections are taken until some are closed",
            metadata: [
                "connections": "\(count)", "openFiles": "\(openFiles)",
                "remedy": "raise LimitNOFILE of the unit (or ulimit -n), if so many clients are meant to be there",
            ], throttle: throttle)
        return false
    }

    package func collect(into snapshot: inout MetricSnapshot) {
        snapshot.set(.httpConnections, to: count)
        snapshot.set(.httpConnectionLimit, to: maximum)
    }
}
