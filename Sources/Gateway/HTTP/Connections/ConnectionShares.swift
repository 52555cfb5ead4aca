import Jobs
import Logging
import Model
import NIOCore
import Synchronization
import Telemetry

/// Limits the open connections of each network address, so that slow clients at one address cannot hold all of them.
///
/// The proxies of `http.trustedProxies` are spared, since their connections are those of many clients.
final class ConnectionShares: Sendable {
    /// The most open connections of one address.
    let maximum: Int
    private let proxies: TrustedProxies
    private let open = Mutex<[String: Int]>([:])
    private let logger: Logger
    private let throttle = LogThrottle(limit: 1, per: .seconds(60))

    init(of cap: ConnectionCap, proxies: TrustedProxies, logger: Logger) {
        maximum = max(16, cap.maximum / 4)
        (self.proxies, self.logger) = (proxies, logger)
    }

    /// Counts a connection until it closes.
    ///
    /// - Returns: `false`, without counting, when its address has reached its share.
    func open(_ channel: any Channel) -> Bool {
        guard let address = channel.remoteAddress, !proxies.contains(address), let key = address.subscriber else {
            return true
        }
        guard enter(key) else {
            logger.log(
                level: .warning, "an address has reached its share of the connections; further ones are refused",
                metadata: [
                    "address": "\(address.ipAddress ?? key)",
                    "share": "\(maximum)",
                    "remedy": "if it is the address of a proxy, add it to http.trustedProxies",
                ], throttle: throttle)
            return false
        }
        channel.closeFuture.whenComplete { [self] _ in leave(key) }
        return true
    }

    func enter(_ key: String) -> Bool {
        open.withLock { open in
            guard open[key, default: 0] < maximum else { return false }
            open[key, default: 0] += 1
            return true
        }
    }

    func leave(_ key: String) {
        open.withLock { open in
            let rest = open[key, default: 1] - 1
            open[key] = rest == 0 ? nil : rest
        }
    }

    /// The number of addresses with open connections.
    var addressCount: Int { open.withLock(\.count) }
}

extension Problem {
    /// The last response on a connection beyond the share of its address.
    static let tooManyConnections = Problem(
        .serviceUnavailable, code: .tooManyConnections, title: "Too many connections",
        detail: "Your network address already has as many open connections as one address may have. Close some, then "
            + "connect again.", retryAfter: 5)
}
