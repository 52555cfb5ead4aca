import Model

/// Which hosts have a limit and a circuit breaker of their own.
///
/// People choose the hosts of their receivers, so there may be any number of them. The usual push services always have
/// their own; of the others, a limited number at a time. The rest shares one, which has no breaker: the failures of one
/// host must not stop the others.
struct PushHostTable {
    enum Place: Hashable, Sendable {
        /// One of the usual services, which most receivers have.
        case usual(String)
        case own(String)
        case shared
    }

    /// The push services of browsers, and the public ntfy server. Those with a dot in front are the ends of names.
    static let usualHosts = [
        "fcm.googleapis.com", "jmt17.google.com", "updates.push.services.mozilla.com", ".push.apple.com",
        ".notify.windows.com", "ntfy.sh",
    ]
    /// The most other hosts with their own limits.
    static let mostHosts = 256
    /// How long a host has its own limit after its last message: longer than a breaker stays open.
    static let retention = Duration.seconds(600)

    private var usedAt: [String: MonotonicInstant] = [:]

    static func isUsual(_ host: String) -> Bool {
        usualHosts.contains { $0.hasPrefix(".") ? host.hasSuffix($0) : host == $0 }
    }

    /// - Parameter host: in lower case, with its port unless that is the one of https.
    mutating func place(of host: String, at now: MonotonicInstant) -> Place {
        if Self.isUsual(host) { return .usual(host) }
        if usedAt[host] == nil, usedAt.count >= Self.mostHosts {
            usedAt = usedAt.filter { $0.value.duration(to: now) < Self.retention }
            guard usedAt.count < Self.mostHosts else { return .shared }
        }
        usedAt[host] = now
        return .own(host)
    }
}
