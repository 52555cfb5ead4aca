import Bootstrap
import Logging
import Messaging
import Synchronization
import Telemetry

/// Logs why a worker is not connected: at once, then once a minute while it lasts.
package final class ConnectionTroubleLog: Sendable {
    private let endpoint: String
    private let manager: ServiceManager
    private let logger: Logger
    private let told = Mutex<[ConnectionTrouble: LogThrottle]>([:])

    init(endpoint: String, manager: ServiceManager, logger: Logger) {
        self.endpoint = endpoint
        self.manager = manager
        self.logger = logger
    }

    func record(_ trouble: ConnectionTrouble) {
        let throttle = told.withLock { told in
            let throttle = told[trouble] ?? LogThrottle(limit: 1, per: .seconds(60))
            told[trouble] = throttle
            return throttle
        }
        guard throttle.admit() != nil else { return }
        manager.report(trouble.status)
        logger.warning("\(trouble.explanation)", metadata: ["endpoint": "\(endpoint)"])
    }

    /// Makes the next trouble be logged at once.
    func connected() {
        told.withLock { $0 = [:] }
    }
}

extension ConnectionTrouble {
    var status: String {
        switch self {
        case .keyRefused: "The gateway refuses this worker's key"
        case .curveMismatch: "The gateway and this worker do not agree on CURVE"
        case .brokenOff: "The gateway closed the connection during the handshake"
        }
    }

    /// What happened, and what to do.
    var explanation: String {
        switch self {
        case .keyRefused:
            "the gateway refuses this worker's key, which is unknown or revoked: run 'backline keys list' on the "
                + "gateway's machine. This worker keeps trying"
        case .curveMismatch:
            "only one of the gateway and this worker uses CURVE: set the same messaging.endpoint and messaging.curve "
                + "for both, and messaging.keyFile for this worker. This worker keeps trying"
        case .brokenOff:
            "the gateway closed the connection during the handshake: if this persists, check that it uses CURVE as "
                + "this worker does (messaging.curve, messaging.keyFile), and that messaging.gatewayKeyFile is the "
                + "public key of this gateway. This worker keeps trying"
        }
    }
}
