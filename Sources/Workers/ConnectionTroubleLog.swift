import Bootstrap
import Logging
import Messaging
import Synchronization
import Telemetry

/// Tells the operator why a worker is not connected: once at first, then once a minute while it lasts.
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
        manager.tell(trouble.status)
        logger.warning("\(trouble.explanation)", metadata: ["endpoint": "\(endpoint)"])
    }

    /// What goes wrong next is news again.
    func connected() {
        told.withLock { $0 = [:] }
    }
}

extension ConnectionTrouble {
    var status: String {
        switch self {
        case .keyRefused: "The gateway refuses this worker's key"
        case .curveMismatch: "The gateway and this worker do not agree on CURVE"
        case .brokenOff: "The gateway hangs up before the connection stands"
        }
    }

    /// What happened, and what an operator can do.
    var explanation: String {
        switch self {
        case .keyRefused:
            "the gateway refuses this worker's key, which is unknown to it or revoked: see 'backline keys list' where the "
                + "gateway's keys are. This worker goes on trying"
        case .curveMismatch:
            "the gateway uses CURVE and this worker does not, or the other way round: give both the same "
                + "messaging.endpoint and messaging.curve, and this worker a messaging.keyFile. It goes on trying"
        case .brokenOff:
            "the gateway hung up before the connection stood: if that goes on, see that it uses CURVE as this worker does "
                + "(messaging.curve, messaging.keyFile), and that messaging.gatewayKeyFile is the public key of this very "
                + "gateway. This worker goes on trying"
        }
    }
}
